"""Chunks of whole sentences."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from indexer.chunking.base import Piece, Ruler
from indexer.chunking.limits import Limits, checked_overlap
from indexer.chunking.packing import Packing
from rag.types.documents import Page

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
        packings = [Packing.of(page, limits) for page in pages]
        return [piece for packing in packings for piece in packing.pieces(self._overlap, partial(self._last, packing))]

    def _last(self, packing: Packing, begins: int, first: int) -> int:
        """The last unit of a chunk."""
        last = first
        while last + 1 < len(packing.units) and self._goes_on(packing, begins, last):
            last += 1
        return last

    def _goes_on(self, packing: Packing, begins: int, last: int) -> bool:
        """Whether the next unit joins."""
        if packing.units[last + 1].opens and 2 * packing.chars(begins, last) >= self._size:
            return False
        return packing.fit(begins, last + 1)
