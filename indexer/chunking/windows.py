"""A stretch of text cut into overlapping windows at good places."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from indexer.chunking.boundaries import (
    first_sentence_end,
    first_space,
    last_sentence_end,
    last_space,
    trimmed,
    whole_character,
)
from indexer.chunking.limits import Limits

_EARLIEST_CUT: Final = 0.5
"""A window is at least this full: a paragraph's end farther back is not worth it."""

_NEXT_REACH: Final = 3
"""Halves of a window's length that are measured of the next: what is measured beyond a window is measured in vain."""


@dataclass(frozen=True, slots=True)
class Places:
    """Better places to cut than the text alone shows, each list ascending."""

    paragraphs: Sequence[int] = ()
    lines: Sequence[int] = ()
    whole: Sequence[tuple[int, int]] = ()
    """Stretches that are not to be cut: rows of tables, lines of code."""
    opening: int = 0
    """The end of the headings that open the section: no cut stands in or right after them."""


@dataclass(frozen=True, slots=True)
class Windows:
    """Cuts one text. Each window begins at most `overlap` before the end of the one before it, and goes further.

    The overlap is in the unit of the limits' size, all else in characters.
    """

    text: str
    limits: Limits
    overlap: int
    headings_at: Callable[[int], Sequence[str]]
    """The headings in force at a place of the text."""
    places: Places = Places()
    minimum: int = 0
    """A last window with less than this of its own joins the one before, even if that grows beyond the size."""

    def of(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The windows of text[start:end], in order, without white space at their ends. Linear in its length."""
        start, end = trimmed(self.text, start, end)
        covered = start
        reach = self.limits.size
        while start < end:
            headings = self.headings_at(start)
            longest = self._longest(start, end, reach, headings)
            reach = _NEXT_REACH * (longest - start) // 2 + 1
            if start < covered and longest <= covered:  # denser than the window before: do without overlap
                start, _ = trimmed(self.text, covered, end)
                continue
            cut = longest if longest == end else self._cut(start, max(start, covered), longest)
            if end - cut < self.minimum and self.limits.longest(self.text, start, end, headings) == end:
                cut = end
            yield trimmed(self.text, start, cut)
            if cut == end:
                return
            covered, _ = trimmed(self.text, cut, end)
            restart = self._restart(start, cut)
            if end - cut < self.minimum:
                restart = whole_character(self.text, max(start + 1, min(restart, end - self.minimum)), start)
            start, _ = trimmed(self.text, restart, end)

    def _longest(self, start: int, end: int, reach: int, headings: Sequence[str]) -> int:
        """The end of the longest window, looked for at `reach` characters first: its neighbour was about as long."""
        end = min(start + self.limits.size, end)
        while True:
            proposed = min(start + reach, end)
            longest = self.limits.longest(self.text, start, proposed, headings)
            if longest < proposed or proposed == end:
                return longest
            reach *= 2

    def _cut(self, start: int, covered: int, longest: int) -> int:
        """The best place in (covered, longest]: a paragraph's end, a line's, a sentence's, a word's, or any."""
        opening = self.places.opening if self.places.opening < longest else 0
        floor = max(start + int((longest - start) * _EARLIEST_CUT), opening, covered)
        for listed in (self.places.paragraphs, self.places.lines):
            found = _last_in(listed, floor, longest)
            if found is not None:
                return found
        inside = self._whole_around(longest)
        if inside is not None and inside[0] > max(covered, opening):
            return inside[0]
        for last in (last_sentence_end, last_space):
            found = last(self.text, floor, longest)
            if found is not None and found > covered and self._whole_around(found) == inside:
                return found
        return max(whole_character(self.text, longest, covered), covered + 1)

    def _restart(self, start: int, cut: int) -> int:
        """Where the next window begins: at a sentence or a word, as far back as overlap goes."""
        earliest = max(self.limits.back(self.text, start, cut, self.overlap), start + 1, self.places.opening)
        if earliest >= cut:
            return cut
        inside = self._whole_around(earliest)
        if inside is not None:
            return min(inside[1], cut)
        for first in (first_sentence_end, first_space):
            found = first(self.text, earliest, cut)
            if found is not None:
                return found if self._whole_around(found) is None else cut
        return cut if self._whole_around(cut) else max(whole_character(self.text, earliest, start), start + 1)

    def _whole_around(self, place: int) -> tuple[int, int] | None:
        """The stretch that has the place in its middle, not at an end."""
        at = bisect_left(self.places.whole, (place, place)) - 1
        if at < 0:
            return None
        stretch = self.places.whole[at]
        return stretch if stretch[0] < place < stretch[1] else None


def _last_in(places: Sequence[int], floor: int, ceiling: int) -> int | None:
    """The last of the places in (floor, ceiling]."""
    at = bisect_right(places, ceiling) - 1
    return places[at] if at >= 0 and places[at] > floor else None
