"""Names and identifiers in a sentence: what must stand in a passage letter by letter."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from rag.answering.groundedness.counting import MONTHS
from rag.answering.groundedness.dates import dates_of
from rag.answering.groundedness.digits import is_number
from rag.answering.groundedness.lexing import Word
from rag.answering.groundedness.words import small_words, word_set

_JOINERS: Final = re.compile(r"[\W_]+")
_BEGINS: Final = re.compile(r"[:.!?;\"“„«(*\n|]\s*\Z")
_TITLES: Final = word_set("mr mrs ms dr prof herr frau herrn firma monsieur madame mme señor señora sr sra")
_FIRMS: Final = word_set("ag gmbh kg se ohg ev inc ltd llc sa bv nv")
_NOUNS_ARE_CAPITAL: Final = frozenset({"german"})
"""Languages in which a capital letter does not make a name."""
_DAYS: Final = word_set(
    """
    monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag
    sonntag
    """
)
_PERIOD: Final = re.compile(r"(?:fy|cy|q|h)\d{1,4}")


def code_key(text: str) -> str:
    """The same for the same identifier, however it is joined: "CB-4471 K", "cb4471k"."""
    return _JOINERS.sub("", text).casefold()


def codes_of(words: Sequence[Word]) -> dict[str, str]:
    """Identifiers among words that are part of no date: by key, as written."""
    return {code_key(word.text): word.text for word in words if is_code_word(word.text)}


def is_code_word(text: str) -> bool:
    """Whether a word with a digit is an identifier ("CB-4471", "4.2b", "10.0.0.1"), not a quantity or a date."""
    return (
        any(character.isdigit() for character in text)
        and not is_number(text)
        and not _PERIOD.fullmatch(text.lower())
        and not dates_of([Word.made(text)])[0]
    )


def holds_code(code: str, keys: Collection[str]) -> bool:
    """Whether an identifier, as written, is among the keys: whole, in the plural, or with a word grown on to it."""
    parts = re.split(r"[-‐/]", code)
    numbered = [place for place, part in enumerate(parts) if any(map(str.isdigit, part))]
    tried = {code_key(code), code_key(code.removesuffix("s"))}
    if numbered:
        tried |= {code_key("-".join(parts[:end])) for end in range(numbered[-1] + 1, len(parts))}
    return not tried.isdisjoint(keys)


def names_of(text: str, words: Sequence[Word], language: str, known: Collection[str]) -> list[tuple[Word, ...]]:
    """Runs of capitalised words that name something, in order.

    `known`: words in lower case that are names elsewhere: the first word of a sentence is one only if it is among them,
    or if another capitalised word follows.
    """
    small = small_words(language)
    runs: list[list[Word]] = []
    before: Word | None = None
    for word in words:
        starts = before is None or bool(_BEGINS.search(text, max(0, word.at - 4), word.at))
        if _is_capital(word, small):
            adjacent = before is not None and not before.ends_clause and runs and runs[-1][-1] is before
            if adjacent and not starts:
                runs[-1].append(word)
            else:
                runs.append([word])
        before = word
    return [tuple(run) for run in runs if _is_name(run, text, words, language, known)]


def _is_capital(word: Word, small: Collection[str]) -> bool:
    first = word.text[0]
    return (
        first.isupper()
        and len(word.text) > 1
        and word.folded not in small
        and word.lower not in MONTHS
        and word.lower not in _DAYS
        and not any(map(str.isdigit, word.text))
    )


def _is_name(run: list[Word], text: str, words: Sequence[Word], language: str, known: Collection[str]) -> bool:
    first = run[0]
    if len(run) == 1 and _is_unmistakable(first.text):
        return True
    if language in _NOUNS_ARE_CAPITAL:
        place = words.index(first)
        if any(word.lower in _FIRMS for word in run) and len(run) > 1:
            return True
        titled = place > 0 and words[place - 1].lower in _TITLES
        return titled or (len(run) > 1 and all(word.lower in known for word in run)) or first.lower in known
    starts = words[0] is first or bool(_BEGINS.search(text, max(0, first.at - 4), first.at))
    return not starts or len(run) > 1 or first.lower in known


def _is_unmistakable(word: str) -> bool:
    """An acronym or a word with a capital inside."""
    return word.isupper() or any(map(str.isupper, word[1:]))
