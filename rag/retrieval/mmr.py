"""The nearest chunks, but not the same thing said many times."""

from __future__ import annotations

from dataclasses import replace

from rag.retrieval.base import Hits
from rag.retrieval.deps import RetrievalDeps
from rag.retrieval.single import signed
from rag.store.queries import Diverse
from rag.types.scope import Scope


class MmrRetriever:
    """Maximal marginal relevance over dense vectors: see `rag.store.queries.Diverse`."""

    def __init__(self, means: RetrievalDeps) -> None:
        self._means = means

    async def retrieve(self, question: str, scope: Scope, *, limit: int) -> Hits:
        """Chunks in the order of choice; scores are cosines, `signals["mmr"]` is the place, counted from 1.

        Raises StoreError.
        """
        query = await self._means.embedder.embed_query(question)
        settings = self._means.settings
        diverse = Diverse(query.dense, settings.mmr_lambda, candidates=max(limit, settings.candidates))
        found = await self._means.store.search([diverse], scope, limit=limit, signals={"bm25": query.sparse})
        hits = signed(found.rankings[0], "dense")
        return Hits(
            found.generation,
            [replace(hit, signals={**hit.signals, "mmr": float(place)}) for place, hit in enumerate(hits, start=1)],
            rated=True,
        )
