"""Dense and BM25 together, fused inside the store."""

from __future__ import annotations

from collections.abc import Collection

from rag.retrieval.base import Hits
from rag.retrieval.deps import RetrievalDeps
from rag.retrieval.single import signed
from rag.settings.groups import RetrievalSettings
from rag.store.queries import Distribution, Fused, ReciprocalRank
from rag.types.chunks import ChunkId
from rag.types.scope import Scope
from rag.types.vectors import Embedding


class HybridRetriever:
    """What either way of searching finds, and above all what both do: fused by rank."""

    def __init__(self, means: RetrievalDeps) -> None:
        self._means = means

    async def retrieve(self, question: str, scope: Scope, *, limit: int) -> Hits:
        """The best chunks by fused rank. Raises StoreError."""
        query = await self._means.embedder.embed_query(question)
        return await search_fused(
            self._means, query, scope, by=reciprocal_rank(self._means.settings), signal="rrf", limit=limit
        )


class FusionRetriever:
    """What either way of searching finds, fused by score: a passage far ahead of the others stays ahead."""

    def __init__(self, means: RetrievalDeps) -> None:
        self._means = means

    async def retrieve(self, question: str, scope: Scope, *, limit: int) -> Hits:
        """The best chunks by fused score. Raises StoreError."""
        query = await self._means.embedder.embed_query(question)
        return await search_fused(self._means, query, scope, by=Distribution(), signal="dbsf", limit=limit)


def reciprocal_rank(settings: RetrievalSettings) -> ReciprocalRank:
    """How rankings of dense vectors and of BM25, in this order, are fused by rank."""
    return ReciprocalRank(settings.rrf_k, settings.weights)


async def search_fused(
    means: RetrievalDeps,
    query: Embedding,
    scope: Scope,
    *,
    by: ReciprocalRank | Distribution,
    signal: str,
    limit: int,
    within: Collection[ChunkId] | None = None,
) -> Hits:
    """The best chunks by fused rank or score, which stands in `signals` under that name. Raises StoreError.

    Each hit also bears its cosine ("dense") and, where it shares a term with the question, its BM25 ("bm25"), whichever
    of the two has found it. All is read in one look at one generation.
    """
    both = (query.dense, query.sparse)
    found = await means.store.search(
        [Fused(both, by, candidates=max(limit, means.settings.candidates))],
        scope,
        limit=limit,
        within=within,
        signals={"dense": query.dense, "bm25": query.sparse},
    )
    return Hits(found.generation, signed(found.rankings[0], signal), rated=True)
