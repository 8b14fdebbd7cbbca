"""The stage `ranker`: the order of the learned ranker."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import numpy as np

from rag.retrieval.base import Candidate, Candidates, QueryTerm, Retriever
from rag.retrieval.deps import RetrievalDeps
from rag.retrieval.idf import query_terms
from rag.retrieval.ranking.features import CandidateTable
from rag.retrieval.ranking.model import scores
from rag.types.scope import Scope


class RankerStage:
    """Another retriever's candidates in the order of the learned ranker, all that both searches bring in."""

    def __init__(self, inner: Retriever, deps: RetrievalDeps) -> None:
        self._inner = inner
        self._deps = deps

    async def retrieve(self, question: str, scope: Scope, *, limit: int) -> Candidates:
        """All that were looked at, best first: those beyond `limit` tell the last step what the best stand out from.

        Raises StoreError.
        """
        found = await self._inner.retrieve(question, scope, limit=max(limit, 2 * self._deps.settings.candidates))
        _, terms = await query_terms(self._deps.store, self._deps.bm25, question, scope)
        # A hundred passages that are read word by word take some 50 ms.
        return replace(found, ranked=await asyncio.to_thread(self._ranked, question, terms, found))

    def _ranked(self, question: str, terms: tuple[QueryTerm, ...], found: Candidates) -> list[Candidate]:
        table = CandidateTable(question, terms, found.ranked, self._deps.bm25.terms)
        ordering = scores(self._deps.weights, table)
        order = np.argsort(-ordering, kind="stable")
        return [replace(found.ranked[place], rank_score=float(ordering[place])) for place in order]
