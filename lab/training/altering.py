"""Questions with one word exchanged: what they ask for stands nowhere, though all around it does. Pure."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from typing import Final

from lab.training.corpus import SEED

_RAREST: Final = 3  # one of these is exchanged
_ALIKE: Final = 1.0  # difference of IDF between a word that documents hold and the one that takes its place
_WORD: Final = re.compile(r"[^\W\d_][\w'-]{3,}|\d[\d.,]*")

IdfOf = Callable[[str], float | None]
"""The IDF of a word; None of a word that no document holds."""


def altered(questions: Sequence[str], strangers: Sequence[str], idf: IdfOf) -> list[str | None]:
    """Each question with one of its rarest words exchanged, alternately for one that is as rare, and for a stranger.

    The first kind comes from another question; the second from a question about something else (`strangers`), and no
    document holds it. None for a question without two words that documents hold.
    """
    chance = random.Random(SEED)  # noqa: S311  # no secret
    found = [
        [(word, weight) for word in _WORD.finditer(text) if (weight := idf(word[0])) is not None] for text in questions
    ]
    held = [(word[0], weight) for words in found for word, weight in words]
    unheld = [word for text in strangers for word in _WORD.findall(text) if idf(word) is None]
    result: list[str | None] = []
    for number, (text, words) in enumerate(zip(questions, found, strict=True)):
        own = {word[0].casefold() for word, _ in words}
        if len(own) < 2:  # noqa: PLR2004  # one is exchanged, one stays
            result.append(None)
            continue
        word, weight = chance.choice(sorted(words, key=lambda row: -row[1])[:_RAREST])
        alike = [other for other, its in held if abs(its - weight) < _ALIKE and other.casefold() not in text.casefold()]
        others = unheld if number % 2 and unheld else alike
        result.append(f"{text[: word.start()]}{chance.choice(others)}{text[word.end() :]}" if others else None)
    return result
