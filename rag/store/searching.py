"""What every store does around a search: what may compete, which of the points stay, and their chunks. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from rag.store.base import ChunkScores, Found
from rag.store.payload import CHUNK, KIND, LABELS, PARENT
from rag.store.queries import Diverse, Fused, Query
from rag.types.chunks import Chunk, ChunkId, ScoredChunk
from rag.types.scope import Scope

Ranking: TypeAlias = Sequence[tuple[ChunkId, float]]
"""Points and their scores, best first."""

RANK_SHIFT: Final = 1
"""Qdrant counts ranks from 0: its k is ours and one more."""


@dataclass(frozen=True, slots=True)
class SearchBounds:
    """What may compete: a point that meets all of it. It belongs into each prefetch, not only around them."""

    fields: Sequence[tuple[str, Sequence[str]]]
    """Each a field of the payload and the values of which it has one."""
    among: Collection[ChunkId] | None
    """The ids of which it has one; None where any will do."""


def bounds(
    scope: Scope,
    *,
    kind: str = CHUNK,
    within: Collection[ChunkId] | None = None,
    among: Collection[ChunkId] | None = None,
) -> SearchBounds | None:
    """The bounds of a search for chunks, or for parents; None where nothing can be found, so that none is made."""
    if scope.is_empty or (within is not None and not within) or (among is not None and not among):
        return None
    fields: list[tuple[str, Sequence[str]]] = [(KIND, [kind])]
    if within is not None:
        fields.append((PARENT, sorted(within)))
    if not scope.unlimited:
        fields.append((LABELS, sorted(scope.labels)))
    if scope.within is not None:
        fields.append((LABELS, [scope.within]))
    return SearchBounds(fields, among)


def reach(query: Query, limit: int) -> int:
    """How many points the engine is asked for, so that the best `limit` are the same ones each time.

    Engines break the ties of a fusion by chance: all that can come out of it is looked at.
    """
    return max(limit, len(query.queries) * query.candidates) if isinstance(query, Fused) else limit


def settled(query: Query, ranking: Ranking, limit: int) -> Ranking:
    """The best `limit`, equal scores in the order of ids; diverse ones in the order in which they were chosen."""
    ordered = ranking if isinstance(query, Diverse) else sorted(ranking, key=lambda point: (-point[1], point[0]))
    return ordered[:limit]


def distinct_ids(rankings: Sequence[Ranking]) -> list[ChunkId]:
    """The points of all rankings, each once: what is read of them is read once."""
    return list(dict.fromkeys(point for ranking in rankings for point, _ in ranking))


def found(
    generation: int,
    rankings: Sequence[Ranking],
    chunks: Mapping[ChunkId, Chunk],
    comparisons: Mapping[ChunkId, ChunkScores],
) -> Found:
    """The rankings with their chunks."""
    scored = [[ScoredChunk(chunks[point], score) for point, score in ranking] for ranking in rankings]
    return Found(generation, scored, comparisons)


def compared(cosines: Ranking, bm25: Ranking) -> dict[ChunkId, ChunkScores]:
    """Rankings of the same points by both kinds of search, point by point."""
    weights = dict(bm25)
    return {point: ChunkScores(cosine, weights.get(point, 0.0)) for point, cosine in cosines}
