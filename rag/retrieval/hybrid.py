"""Dense and BM25, fused by reciprocal rank."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from rag.embedding.base import Embedder
from rag.retrieval.base import Hits
from rag.retrieval.single import signed
from rag.store.base import VectorStore
from rag.types import ChunkId, Scope, ScoredChunk

RRF_K: Final = 60  # Cormack, Clarke & Büttcher, "Reciprocal Rank Fusion", SIGIR 2009, sec. 3


class HybridRetriever:
    """What either way of searching finds, and above all what both do."""

    def __init__(self, embedder: Embedder, store: VectorStore, *, candidates: int) -> None:
        self._embedder = embedder
        self._store = store
        self._candidates = candidates

    async def retrieve(self, question: str, scope: Scope, *, limit: int) -> Hits:
        """The best chunks by fused rank; both searches see the same generation."""
        query = await self._embedder.embed_query(question)
        found = await self._store.search([query.dense, query.sparse], scope, limit=max(limit, self._candidates))
        dense, sparse = found.rankings
        return Hits(found.generation, fuse([signed(dense, "dense"), signed(sparse, "bm25")])[:limit])


def fuse(rankings: Sequence[Sequence[ScoredChunk]]) -> list[ScoredChunk]:
    """Reciprocal rank fusion: sum over the rankings of 1 / (RRF_K + rank), rank counted from 1; signals are united."""
    scores: defaultdict[ChunkId, float] = defaultdict(float)
    hits: dict[ChunkId, ScoredChunk] = {}
    for ranking in rankings:
        for rank, hit in enumerate(ranking, start=1):
            scores[hit.chunk.id] += 1 / (RRF_K + rank)
            seen = hits.get(hit.chunk.id, hit)
            hits[hit.chunk.id] = replace(seen, signals={**seen.signals, **hit.signals})
    fused = (
        replace(hits[chunk], score=score, signals={**hits[chunk].signals, "rrf": score})
        for chunk, score in scores.items()
    )
    return sorted(fused, key=lambda hit: (-hit.score, hit.chunk.id))
