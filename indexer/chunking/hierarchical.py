"""Chunks gathered under parents: neighbours that speak of one thing, parted where they have least in common."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean, pstdev
from typing import Final

from indexer.chunking.base import Chunker, Piece, Similarity
from rag.errors import ConfigurationError
from rag.types.documents import Page

FEWEST: Final = 3
MOST: Final = 12
"""Chunks of a parent: more, and their mean says nothing in particular."""
_WEAK: Final = 1.0
"""Standard deviations below the document's mean similarity from which a boundary parts what would fit together."""


class HierarchicalChunker:
    """Another chunker's pieces, each with the number of its parent.

    Parents end at the weakest boundaries first: where one would be longer than `most`, or where the boundary is weak
    for this document; never within `fewest` pieces of another.
    """

    def __init__(self, inner: Chunker, similarity: Similarity, *, fewest: int = FEWEST, most: int = MOST) -> None:
        if not fewest >= 1 or most < 2 * fewest - 1:
            raise ConfigurationError(f"a parent cannot have {fewest} chunks at least and {most} at most")
        self._inner = inner
        self._similarity = similarity
        self._fewest = fewest
        self._most = most

    @property
    def recipe(self) -> str:
        """Changes with every parameter, and with the model that similarity is told by."""
        return f"hierarchical-1/{self._fewest}/{self._most}/{self._similarity.name}/{self._inner.recipe}"

    def cut(self, pages: Sequence[Page], *, title: str) -> list[Piece]:
        """The inner chunker's pieces in its order."""
        pieces = self._inner.cut(pages, title=title)
        alike = self._similarity.of_neighbours([piece.page.text[piece.start : piece.end] for piece in pieces])
        ends = boundaries(alike, fewest=self._fewest, most=self._most)
        return [replace(piece, parent=bisect(ends, at)) for at, piece in enumerate(pieces)]


def boundaries(alike: Sequence[float], *, fewest: int, most: int) -> list[int]:
    """Before which pieces a new parent begins, ascending. `alike[i]` is the similarity of the pieces i and i + 1."""
    if not alike:
        return []
    weak = fmean(alike) - _WEAK * pstdev(alike)
    cuts = [0, len(alike) + 1]
    for similarity, before in sorted((similarity, at + 1) for at, similarity in enumerate(alike)):
        place = bisect(cuts, before)
        start, end = cuts[place - 1], cuts[place]
        if min(before - start, end - before) < fewest:
            continue
        if end - start > most or similarity < weak:
            cuts.insert(place, before)
    return cuts[1:-1]
