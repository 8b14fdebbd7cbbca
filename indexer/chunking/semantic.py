"""Chunks that end where a document goes over to something else."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import accumulate, pairwise
from statistics import fmean, pstdev
from typing import Final

from indexer.chunking.base import Piece, Ruler, Similarity
from indexer.chunking.limits import Limits, checked_overlap
from indexer.chunking.packing import Packing
from rag.types.documents import Page

DROP: Final = 1.0
"""Standard deviations below the mean of a document's own similarities from which a boundary is a change of subject."""
_LEAST_DEVIATION: Final = 0.02
"""Less is the noise of a document that speaks of one thing alone."""
_SMALLEST_SHARE: Final = 4
"""A chunk has one part in so many of the size at least, if there is as much."""


class SemanticChunker:
    """Whole sentences, parted where neighbours are less alike than is usual for this very document.

    No chunk is longer than `size` characters; one that would be ends at its weakest boundary in the second half. None
    is shorter than `minimum` but for the last of a page and one before a sentence that is too long by itself.
    """

    def __init__(
        self,
        ruler: Ruler,
        similarity: Similarity,
        *,
        size: int = 900,
        overlap: int = 0,
        minimum: int | None = None,
        drop: float = DROP,
    ) -> None:
        self._ruler = ruler
        self._similarity = similarity
        self._size = size
        self._overlap = checked_overlap(size, overlap, usual=0)
        self._minimum = size // _SMALLEST_SHARE if minimum is None else min(minimum, size)
        self._drop = drop

    @property
    def recipe(self) -> str:
        """Changes with every parameter, and with the model that similarity is told by."""
        sizes = f"{self._size}/{self._overlap}/{self._minimum}/{self._drop}/{self._ruler.max_tokens}"
        return f"semantic-1/{sizes}/{self._similarity.name}"

    def cut(self, pages: Sequence[Page], *, title: str) -> list[Piece]:
        """The pieces in reading order. Slow: each sentence is embedded."""
        limits = Limits(self._size, self._ruler, title)
        packings = [Packing.of(page, limits) for page in pages]
        texts = [packing.page.text[unit.start : unit.end] for packing in packings for unit in packing.units]
        alike = self._similarity.of_neighbours(texts)
        change = fmean(alike) - self._drop * max(pstdev(alike), _LEAST_DEVIATION) if alike else 0.0
        counts = accumulate((len(packing.units) for packing in packings), initial=0)
        return [
            piece
            for packing, (start, end) in zip(packings, pairwise(counts), strict=True)
            for piece in packing.pieces(
                self._overlap, partial(self._last, packing, alike[start : max(start, end - 1)], change)
            )
        ]

    def _last(self, packing: Packing, alike: Sequence[float], change: float, begins: int, first: int) -> int:
        """The last unit of a chunk."""
        last, weakest = first, first
        least = float("inf")
        while last + 1 < len(packing.units):
            here = -1.0 if packing.units[last + 1].opens else alike[last]
            chars = packing.chars(begins, last)
            if chars >= self._minimum and here < change:
                return last
            if 2 * chars >= self._size and here <= least:
                weakest, least = last, here
            if not packing.fit(begins, last + 1):
                return last if least == float("inf") else weakest
            last += 1
        return last
