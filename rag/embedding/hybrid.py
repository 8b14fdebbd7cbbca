"""Dense and sparse together: the embedder that the index is made with."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from rag.embedding.base import DenseModel
from rag.embedding.sparse import Bm25
from rag.types.vectors import Embedding


class HybridEmbedder:
    """One dense model and BM25."""

    def __init__(self, dense: DenseModel, sparse: Bm25) -> None:
        self._dense = dense
        self._sparse = sparse
        self.name = f"{dense.name} + {sparse.recipe}"
        self.dimensions = dense.dimensions

    async def embed_documents(self, texts: Sequence[str]) -> list[Embedding]:
        """One embedding a text, in order."""
        rows = await self._dense.encode_documents(texts)
        sparse = await asyncio.to_thread(lambda: [self._sparse.document(text) for text in texts])  # about 1 ms each
        return [Embedding(*both) for both in zip(rows, sparse, strict=True)]

    async def embed_query(self, text: str) -> Embedding:
        """The embedding of a question."""
        sparse = await asyncio.to_thread(self._sparse.query, text)  # the first German word loads its nouns: seconds
        return Embedding(await self._dense.encode_query(text), sparse)
