"""One way of searching alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rag.embedding.base import Embedder
from rag.retrieval.base import Hits
from rag.store.base import VectorStore
from rag.types import Scope, ScoredChunk, SparseVector, Vector


class DenseRetriever:
    """Cosine similarity of dense vectors."""

    def __init__(self, embedder: Embedder, store: VectorStore, *, candidates: int) -> None:
        del candidates  # nothing is fused
        self._embedder = embedder
        self._store = store

    async def retrieve(self, question: str, scope: Scope, *, limit: int) -> Hits:
        """The nearest chunks."""
        query = await self._embedder.embed_query(question)
        return await _search(self._store, query.dense, scope, limit, signal="dense")


class Bm25Retriever:
    """Words that question and chunk share, the rare ones counting more."""

    def __init__(self, embedder: Embedder, store: VectorStore, *, candidates: int) -> None:
        del candidates  # nothing is fused
        self._embedder = embedder
        self._store = store

    async def retrieve(self, question: str, scope: Scope, *, limit: int) -> Hits:
        """The chunks with the best BM25."""
        query = await self._embedder.embed_query(question)
        return await _search(self._store, query.sparse, scope, limit, signal="bm25")


async def _search(store: VectorStore, query: Vector | SparseVector, scope: Scope, limit: int, *, signal: str) -> Hits:
    found = await store.search([query], scope, limit=limit)
    return Hits(found.generation, signed(found.rankings[0], signal))


def signed(ranking: Sequence[ScoredChunk], signal: str) -> list[ScoredChunk]:
    """The ranking with each score noted under the name of the stage that gave it."""
    return [replace(hit, signals={**hit.signals, signal: hit.score}) for hit in ranking]
