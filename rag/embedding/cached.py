"""Questions are asked again: their vectors are kept."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

import numpy as np

from rag.cache.base import Cache
from rag.embedding.base import DenseModel
from rag.types.vectors import Matrix, Vector

TTL: Final = timedelta(days=7)


class CachedModel:
    """A DenseModel that remembers the vectors of questions; documents pass through."""

    def __init__(self, inner: DenseModel, cache: Cache) -> None:
        self._inner = inner
        self._cache = cache
        self.name = inner.name
        self.dimensions = inner.dimensions
        self.max_tokens = inner.max_tokens

    def token_ends(self, text: str) -> Sequence[int]:
        """The end of each token as a character offset, ascending."""
        return self._inner.token_ends(text)

    def encode(self, texts: Sequence[str]) -> Matrix:
        """One row a text, in order: shape (len(texts), dimensions)."""
        return self._inner.encode(texts)

    async def encode_documents(self, texts: Sequence[str]) -> Matrix:
        """One row a text, in order: shape (len(texts), dimensions)."""
        return await self._inner.encode_documents(texts)

    async def encode_query(self, text: str) -> Vector:
        """One vector: shape (dimensions,)."""
        digest = hashlib.sha256(f"{self.name}/{text}".encode()).hexdigest()
        key = f"query/{digest}"
        raw = await self._cache.get(key)
        if raw is not None and len(raw) == 4 * self.dimensions:
            return np.frombuffer(raw, dtype=np.float32)
        vector = await self._inner.encode_query(text)
        await self._cache.set(key, vector.astype(np.float32).tobytes(), TTL)
        return vector
