"""Chunks of whole sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from indexer.chunking.base import Piece, Ruler
from indexer.chunking.limits import Limits, checked_overlap
from indexer.chunking.packing import Packing
from rag.types import Page

OVERLAP: Final = 150


class SentenceChunker:
    """Packs whole sentences up to `size` characters; neighbours share the whole sentences that `overlap` has room for.

    A heading begins a new chunk once the one before is half full. Only a sentence that is too long by itself is cut.
    """

    def __init__(self, ruler: Ruler, *, size: int = 900, overlap: int | None = None) -> None:
        self._ruler = ruler
        self._size = size
        self._overlap = checked_overlap(size, overlap, usual=OVERLAP)

    @property
    def recipe(self) -> str:
        """Changes with every parameter."""
        return f"sentence-1/{self._size}/{self._overlap}/{self._ruler.max_tokens}"

    def cut(self, pages: Sequence[Page], *, title: str) -> list[Piece]:
        """The pieces in reading order."""
        limits = Limits(self._size, self._ruler, title)
        return [piece for page in pages for piece in self._pieces(Packing.of(page, limits))]

    def _pieces(self, packing: Packing) -> Iterator[Piece]:
        first, earliest = 0, 0
        while first < len(packing.units):
            begins = packing.overlapping(first, earliest, self._overlap)
            last = first
            while last + 1 < len(packing.units) and self._goes_on(packing, begins, last):
                last += 1
            yield from packing.pieces(begins, last, self._overlap)
            first, earliest = last + 1, (begins + 1 if packing.fit(begins, last) else last + 1)

    def _goes_on(self, packing: Packing, begins: int, last: int) -> bool:
        """Whether the next unit joins."""
        if packing.units[last + 1].opens and 2 * packing.chars(begins, last) >= self._size:
            return False
        return packing.fit(begins, last + 1)
