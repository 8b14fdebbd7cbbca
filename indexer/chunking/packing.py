"""Units packed into chunks: whatever decides where chunks end, no unit is parted that fits into one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final

from indexer.chunking.base import Piece, Ruler
from indexer.chunking.limits import Limits
from indexer.chunking.outline import Outline
from indexer.chunking.units import TextUnit, units_of
from indexer.chunking.windows import Windows
from rag.types.chunks import context_line
from rag.types.documents import Page

_BLOCK_CHARS: Final = 4_000
"""Measured at once: a call for each sentence would take longer than the measuring."""


@dataclass(frozen=True, slots=True)
class Packing:
    """The units of one page, and what fits together."""

    page: Page
    outline: Outline
    units: Sequence[TextUnit]
    tokens: Sequence[int]
    """How many tokens stand before each unit, and after the last."""
    _context: dict[int, int] = field(default_factory=dict[int, int])

    @classmethod
    def of(cls, page: Page, limits: Limits) -> Packing:
        """Measures the page once."""
        outline = Outline.of(page, limits)
        units = list(units_of(outline))
        counts = _counts(page.text, units, limits)
        return cls(page, outline, units, list(accumulate(counts, initial=0)))

    def chars(self, first: int, last: int) -> int:
        """From the beginning of one unit to the end of another."""
        return self.units[last].end - self.units[first].start

    def fit(self, first: int, last: int) -> bool:
        """Whether the units from one to the other are no longer than a chunk may be."""
        limits = self.outline.limits
        if self.chars(first, last) > limits.size:
            return False
        text = self.tokens[last + 1] - self.tokens[first]
        return text + self._context_tokens(first) <= limits.ruler.max_tokens

    def pieces(self, overlap: int, last_of: Callable[[int, int], int]) -> Iterator[Piece]:
        """All units as chunks that share up to `overlap` characters of whole units.

        `last_of` says with which unit a chunk ends: it begins with the first one given, and the second one is the
        first that no chunk before it has.
        """
        first, earliest = 0, 0
        while first < len(self.units):
            begins = self._overlapping(first, earliest, overlap)
            last = last_of(begins, first)
            yield from self._pieces(begins, last, overlap)
            first, earliest = last + 1, (begins + 1 if self.fit(begins, last) else last + 1)

    def _overlapping(self, first: int, earliest: int, overlap: int) -> int:
        """With which unit before `first`, not before `earliest`, a chunk begins that shares `overlap` characters.

        Where a model reads fewer characters than the size, because its tokens are short, fewer are shared.
        """
        begins = first
        limits = self.outline.limits
        share = limits.ruler.max_tokens * overlap // limits.size
        while (
            begins > earliest
            and not self.units[begins].opens
            and self.chars(begins - 1, first - 1) <= overlap
            and self.tokens[first] - self.tokens[begins - 1] <= share
            and self.fit(begins - 1, first)
        ):
            begins -= 1
        return begins

    def _pieces(self, first: int, last: int, overlap: int) -> Iterator[Piece]:
        """The units from one to the other as a chunk; as several where one unit alone is too long."""
        start, end = self.units[first].start, self.units[last].end
        headings = self.outline.headings_at(start)
        if self.outline.limits.fits(self.page.text[start:end], headings):
            yield Piece(self.page, start, end, headings)
            return
        windows = Windows(self.page.text, self.outline.limits, overlap, self.outline.headings_at)
        for window_start, window_end in windows.of(start, end):
            yield Piece(self.page, window_start, window_end, self.outline.headings_at(window_start))

    def _context_tokens(self, first: int) -> int:
        """Of title and headings before a chunk that begins with this unit."""
        if first not in self._context:
            limits = self.outline.limits
            headings = self.outline.headings_at(self.units[first].start)
            self._context[first] = limits.length(context_line(limits.title, headings))
        return self._context[first]


def _counts(text: str, units: Sequence[TextUnit], limits: Limits) -> Iterator[int]:
    """The tokens of each unit; of one that is too long in characters, as many as never fit."""
    block: list[TextUnit] = []
    for unit in units:
        is_long = unit.end - unit.start > limits.size
        if block and (is_long or unit.end - block[0].start > _BLOCK_CHARS):
            yield from _measured(text, block, limits.ruler)
            block = []
        if is_long:
            yield limits.ruler.max_tokens + 1
        else:
            block.append(unit)
    if block:
        yield from _measured(text, block, limits.ruler)


def _measured(text: str, block: Sequence[TextUnit], ruler: Ruler) -> Iterator[int]:
    start = block[0].start
    ends = ruler.ends(text[start : block[-1].end])
    before = 0
    for unit in block:
        until = bisect_right(ends, unit.end - start)
        yield until - before
        before = until
