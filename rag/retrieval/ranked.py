"""The ranker as a stage, and the last look at what a whole way has found."""

from __future__ import annotations

from dataclasses import replace

from rag.retrieval.base import Hits, Retriever
from rag.retrieval.calibrator import PROBABILITY, Calibrator
from rag.retrieval.deps import RetrievalDeps
from rag.types.scope import Scope


class Ranked:
    """Another retriever's hits in the order of the learned ranker."""

    def __init__(self, inner: Retriever, means: RetrievalDeps) -> None:
        self._inner = inner
        self._appraiser = Calibrator(means)
        self._pool = 2 * means.settings.candidates  # all that two ways of searching bring in

    async def retrieve(self, question: str, scope: Scope, *, limit: int) -> Hits:
        """The best chunks; `signals["moved"]` says by how many places each rose. Raises StoreError."""
        found = await self._inner.retrieve(question, scope, limit=max(limit, self._pool))
        return await self._appraiser.appraised(question, scope, found, limit=limit, reorder=True)


class Appraised:
    """A whole way: its hits as they are, but their score is the probability that the passage answers."""

    def __init__(self, inner: Retriever, means: RetrievalDeps) -> None:
        self._inner = inner
        self._appraiser = Calibrator(means)

    async def retrieve(self, question: str, scope: Scope, *, limit: int) -> Hits:
        """The best chunks, appraised. Raises StoreError."""
        found = await self._inner.retrieve(question, scope, limit=limit)
        if found.appraisal is None or any(PROBABILITY not in hit.signals for hit in found.chunks):
            found = await self._appraiser.appraised(question, scope, found, limit=limit)
        return replace(found, chunks=[replace(hit, score=hit.signals[PROBABILITY]) for hit in found.chunks])
