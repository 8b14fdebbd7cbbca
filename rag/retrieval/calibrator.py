"""The last step of every mode: how probable it is that each passage answers, and that one of the best does."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from rag.errors import StoreError
from rag.retrieval.base import Candidate, Candidates, QueryTerm, RetrievalResult, Retriever
from rag.retrieval.deps import RetrievalDeps
from rag.retrieval.idf import query_terms
from rag.retrieval.ranking.features import CandidateTable
from rag.retrieval.ranking.model import BEST, answer_log_odds, passage_log_odds, probability, scores
from rag.types.answers import Usage
from rag.types.chunks import RetrievedChunk
from rag.types.scope import Scope

ATTEMPTS: Final = 3
"""Drops that are completed while one question is searched for: more than one is an accident."""


class Calibrator:
    """Another retriever's candidates in their order, with what they are worth. It leaves no order changed.

    The same for every mode: a probability means the same whichever of them found the passage.
    """

    def __init__(self, inner: Retriever, deps: RetrievalDeps) -> None:
        self._inner = inner
        self._deps = deps

    async def retrieve(self, question: str, scope: Scope, *, limit: int) -> RetrievalResult:
        """The best `limit` chunks, all from one generation of the index. Raises StoreError."""
        usage = Usage()
        for _ in range(ATTEMPTS):
            found = await self._inner.retrieve(question, scope, limit=limit)
            usage += found.usage
            generation, terms = await query_terms(self._deps.store, self._deps.bm25, question, scope)
            if generation == found.generation:  # else a drop was completed meanwhile
                found = replace(found, usage=usage)
                return await asyncio.to_thread(self._calibrated, question, terms, found, limit)
        raise StoreError(f"the index changed {ATTEMPTS} times while it was searched for one question: ask again")

    def _calibrated(
        self, question: str, terms: tuple[QueryTerm, ...], found: Candidates, limit: int
    ) -> RetrievalResult:
        confidence, chances = self._weighed(question, terms, found.ranked, limit) if found.ranked else (0.0, [])
        chunks = [
            RetrievedChunk(candidate.chunk, chance, candidate.also)
            for candidate, chance in zip(found.ranked[:limit], chances, strict=False)
        ]
        return RetrievalResult(found.generation, chunks, confidence, terms, found.notices, found.usage, found.timings)

    def _weighed(
        self, question: str, terms: tuple[QueryTerm, ...], candidates: Sequence[Candidate], limit: int
    ) -> tuple[float, list[float]]:
        """The probability that one of the best answers, and that each candidate does.

        The best are those of the ranker where it has gone over all of them, whatever came after it; else the first,
        which are what an answer is written from.
        """
        weights = self._deps.weights

        def table(some: Sequence[Candidate]) -> CandidateTable:
            return CandidateTable(question, terms, some, self._deps.bm25.terms)

        told = [candidate.rank_score for candidate in candidates if candidate.rank_score is not None]
        if len(told) == len(candidates):
            ordering = np.array(told)
            best = np.argsort(-ordering, kind="stable")[:BEST]
        else:
            ordering = scores(weights, table(candidates[:limit]))
            best = np.argsort(-ordering[:BEST], kind="stable")
        answer = answer_log_odds(weights, table([candidates[place] for place in best]))
        chances = probability(passage_log_odds(weights, answer, ordering))
        return float(probability(answer)), chances.tolist()
