"""A second, slower look at what another retriever found."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rag.embedding.whole_weights import whole_weights
from rag.errors import ConfigurationError
from rag.retrieval.base import Candidates, Reranker, Retriever
from rag.retrieval.deps import RetrievalDeps
from rag.types.scope import Scope


class Reranked:
    """Another retriever's best, in the order of a reranker."""

    def __init__(self, inner: Retriever, reranker: Reranker, *, pool: int) -> None:
        """`pool`: how many candidates are looked at; those beyond keep their order behind them."""
        self._inner = inner
        self._reranker = reranker
        self._pool = pool

    async def retrieve(self, question: str, scope: Scope, *, limit: int) -> Candidates:
        """All candidates of the other retriever, the pool in its new order. Raises StoreError."""
        found = await self._inner.retrieve(question, scope, limit=max(limit, self._pool))
        pool, rest = found.ranked[: self._pool], found.ranked[self._pool :]
        scores = await self._reranker.score(question, [candidate.chunk.searchable for candidate in pool])
        order = sorted(range(len(pool)), key=lambda place: -scores[place])
        return replace(found, ranked=[*(pool[place] for place in order), *rest])


def cross(inner: Retriever, deps: RetrievalDeps) -> Reranked:
    """The stage `cross`: the cross-encoder that the settings name. Raises ConfigurationError."""
    return Reranked(inner, deps.reranker(), pool=deps.settings.rerank_pool)


class CrossEncoderReranker:
    """A sentence-transformers CrossEncoder, by hub name or folder. It is tried once when it is built."""

    def __init__(self, model: str) -> None:
        try:
            from safetensors import SafetensorError  # noqa: PLC0415  # comes with the next
            from sentence_transformers import CrossEncoder  # noqa: PLC0415  # ten seconds: torch
        except ModuleNotFoundError as error:
            raise ConfigurationError(
                f"FOOTNOTE_RETRIEVAL__RERANKER={model!r} needs sentence-transformers: run "
                "`pip install -c constraints.txt '.[torch]'` in the folder of the source"
            ) from error
        try:
            with whole_weights(model, "FOOTNOTE_RETRIEVAL__RERANKER"):
                self._model: Any = CrossEncoder(model)
            self._predict("ready?", ["yes"])
        except (OSError, ValueError, RuntimeError, SafetensorError) as error:
            raise ConfigurationError(
                f"the reranker {model!r} cannot be loaded ({type(error).__name__}): name a folder that holds a "
                "CrossEncoder, or one that the model hub knows and this machine can reach, or unset "
                "FOOTNOTE_RETRIEVAL__RERANKER"
            ) from error
        self.name = model
        self._lock = asyncio.Lock()

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """One relevance a text, in order."""
        if not texts:
            return []
        async with self._lock:
            return await asyncio.to_thread(self._predict, question, texts)

    def _predict(self, question: str, texts: Sequence[str]) -> list[float]:
        scores = self._model.predict([(question, text) for text in texts], show_progress_bar=False)
        return [float(score) for score in scores]
