"""Where a text may be cut."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from rag.text.sentences import line_starts, sentence_starts

_SPACE: Final = re.compile(r"\s+")
_INK: Final = re.compile(r"\S")
_JOINERS: Final = frozenset("\u200c\u200d")
_LONGEST_CLUSTER: Final = 64
"""Characters beyond which a grapheme is no longer kept whole: nobody reads it as one."""
_TONES: Final = range(0x1F3FB, 0x1F400)
_REGIONAL: Final = range(0x1F1E6, 0x1F200)


def last_sentence_end(text: str, start: int, end: int) -> int | None:
    """The last place in text[start:end] after which a sentence begins, or a line that says something new."""
    sentences = (place for place in sentence_starts(text, start, end) if place > start)
    return max((*sentences, *line_starts(text, start, end)), default=None)


def first_sentence_end(text: str, start: int, end: int) -> int | None:
    """The first such place."""
    firsts = (next(places(text, start, end), end) for places in (sentence_starts, line_starts))
    found = min(firsts)
    return found if found < end else None


def last_space(text: str, start: int, end: int) -> int | None:
    """The place after the last white space in text[start:end]."""
    return max((found.end() for found in _SPACE.finditer(text, start, end)), default=None)


def first_space(text: str, start: int, end: int) -> int | None:
    """The place after the first white space in text[start:end]."""
    found = _SPACE.search(text, start, end)
    return found.end() if found is not None and found.end() < end else None


def whole_character(text: str, at: int, floor: int) -> int:
    """The nearest place at or before `at`, above `floor`, that cuts no character as a reader sees it.

    Accents, emoji built of several signs and flags stay whole; where none of the places will do, `at` itself.
    """
    for place in range(at, max(floor, at - _LONGEST_CLUSTER), -1):
        if not _is_inside_cluster(text, place):
            return place
    return at


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch without white space at either end; empty when there is nothing else."""
    found = _INK.search(text, start, end)
    if found is None:
        return end, end
    while text[end - 1].isspace():
        end -= 1
    return found.start(), end


def _is_inside_cluster(text: str, at: int) -> bool:
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if before in _JOINERS or after in _JOINERS or unicodedata.category(after) in {"Mn", "Me", "Mc"}:
        return True
    if ord(after) in _TONES:
        return True
    return ord(after) in _REGIONAL and _regional_before(text, at) % 2 == 1


def _regional_before(text: str, at: int) -> int:
    """How many regional letters stand before the place: two make a flag."""
    count = 0
    while count < _LONGEST_CLUSTER and at - count > 0 and ord(text[at - count - 1]) in _REGIONAL:
        count += 1
    return count
