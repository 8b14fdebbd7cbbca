"""One way of searching alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rag.retrieval.base import Hits
from rag.retrieval.deps import RetrievalDeps
from rag.store.base import VectorStore
from rag.store.queries import Nearest
from rag.types.chunks import ScoredChunk
from rag.types.scope import Scope


class DenseRetriever:
    """Cosine similarity of dense vectors."""

    def __init__(self, means: RetrievalDeps) -> None:
        self._means = means

    async def retrieve(self, question: str, scope: Scope, *, limit: int) -> Hits:
        """The nearest chunks. Raises StoreError."""
        query = await self._means.embedder.embed_query(question)
        return await _search(self._means.store, query.dense, scope, limit, signal="dense")


class Bm25Retriever:
    """Words that question and chunk share, the rare ones counting more."""

    def __init__(self, means: RetrievalDeps) -> None:
        self._means = means

    async def retrieve(self, question: str, scope: Scope, *, limit: int) -> Hits:
        """The chunks with the best BM25. Raises StoreError."""
        query = await self._means.embedder.embed_query(question)
        return await _search(self._means.store, query.sparse, scope, limit, signal="bm25")


async def _search(store: VectorStore, query: Nearest, scope: Scope, limit: int, *, signal: str) -> Hits:
    found = await store.search([query], scope, limit=limit)
    return Hits(found.generation, signed(found.rankings[0], signal))


def signed(ranking: Sequence[ScoredChunk], signal: str) -> list[ScoredChunk]:
    """The ranking with each score noted under the name of the stage that gave it."""
    return [replace(hit, signals={**hit.signals, signal: hit.score}) for hit in ranking]
