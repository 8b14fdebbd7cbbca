"""A follow-up put together with what it follows, by words alone: for when no model is there to rewrite it. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rag.text.languages import STOP_WORDS, folded, language_of
from rag.text.scripts import tokens_of
from rag.types.answers import Turn

_POINTERS: Final = frozenset(
    """
    it its they them their theirs this that these those there then he him his she her hers one ones same else
    es sie ihn ihm ihr ihre das dies diese dieser dieses dort davon dafür damit darin daran denen
    """.split()  # noqa: SIM905  # a list of words reads best as words
)
"""Words that stand for something named before, in English and German."""
_OPENINGS: Final = re.compile(r"(and|or|but|so|also|what about|how about|und|oder|aber|auch)\b", re.IGNORECASE)
_ENOUGH_WORDS: Final = 3
"""Of its own subject: a question with fewer is taken to lean on the one before."""


def stand_alone(question: str, history: Sequence[Turn]) -> str:
    """The question itself when it names its own subject; else with the subject words of the questions before it.

    The question's own words come first: they say what is wanted now.
    """
    if not _leans_on_another(question):
        return question
    subject: list[str] = []
    for turn in reversed(history):
        if turn.role != "user":
            continue
        subject = [*_subject(turn.text), *subject]
        if not _leans_on_another(turn.text):
            break
    own = {word.casefold() for word in _subject(question)}
    return " ".join([question, *(word for word in dict.fromkeys(subject) if word.casefold() not in own)])


def _leans_on_another(question: str) -> bool:
    words = [word.casefold() for word in tokens_of(question)]
    return (
        bool(_OPENINGS.match(question.strip()))
        or not _POINTERS.isdisjoint(words)
        or len(_subject(question)) < _ENOUGH_WORDS
    )


def _subject(question: str) -> list[str]:
    """The words that carry the subject, as they were written."""
    words = tokens_of(question)
    stop_words = STOP_WORDS[language_of(question, {folded(word) for word in words})]
    return [word for word in words if folded(word) not in stop_words and word.casefold() not in _POINTERS]
