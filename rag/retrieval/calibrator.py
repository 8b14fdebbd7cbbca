"""What hits are worth: the probability of each to answer, and of all together. The same for every way of searching."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from rag.retrieval.base import Confidence, Hits, QueryTerm
from rag.retrieval.deps import RetrievalDeps
from rag.retrieval.idf import Idf
from rag.retrieval.ranking.features import Candidate, CandidateTable
from rag.retrieval.ranking.model import BEST, answer_log_odds, passage_log_odds, probability, scores
from rag.types.chunks import ScoredChunk
from rag.types.scope import Scope

PROBABILITY: Final = "probability"
"""The signal that holds the calibrated probability of a passage to answer the question."""
RANKER: Final = "ranker"
"""The signal that holds what the ranker orders by."""


class Calibrator:
    """Weighs the hits of one question at a time; keeps nothing of it."""

    def __init__(self, means: RetrievalDeps) -> None:
        self._means = means
        self._rarity = Idf(means.store, means.bm25)

    async def appraised(self, question: str, scope: Scope, hits: Hits, *, limit: int, reorder: bool = False) -> Hits:
        """The first `limit` hits, each with its probability, and what they are worth together. Raises StoreError.

        `reorder`: put all hits in the ranker's order first.
        """
        words = await self._rarity.words(question, scope)
        if not hits.chunks:
            return replace(hits, appraisal=Confidence(words, answerable=0.0))
        rated = hits.chunks if hits.rated else await self._rated(question, scope, hits.chunks)
        whole = replace(hits, chunks=rated, rated=True)
        # A hundred passages that are read word by word take some 50 ms.
        return await asyncio.to_thread(self._weighed, question, words, whole, limit=limit, reorder=reorder)

    def _weighed(self, question: str, words: tuple[QueryTerm, ...], hits: Hits, *, limit: int, reorder: bool) -> Hits:
        rated = hits.chunks
        table = CandidateTable(question, words, [_candidate(hit) for hit in rated], self._means.bm25.terms)
        ordering = scores(self._means.weights, table)
        ranking = np.argsort(-ordering, kind="stable")
        places = (ranking if reorder else np.arange(len(rated)))[:limit]
        best = ranking[:BEST] if reorder else np.array([i for i in ranking if i < BEST])
        answer = answer_log_odds(self._means.weights, table.rows(best.tolist()))
        chances = probability(passage_log_odds(self._means.weights, answer, ordering))
        chunks = [
            replace(
                rated[old],
                signals={
                    **rated[old].signals,
                    PROBABILITY: float(chances[old]),
                    **({RANKER: float(ordering[old]), "moved": float(old - new)} if reorder else {}),
                },
            )
            for new, old in enumerate(places.tolist())
        ]
        return replace(hits, chunks=chunks, appraisal=Confidence(words, float(probability(answer))))

    async def _rated(self, question: str, scope: Scope, chunks: Sequence[ScoredChunk]) -> list[ScoredChunk]:
        """The hits with their cosine and BM25. One that a new generation no longer holds has neither."""
        query = await self._means.embedder.embed_query(question)
        among = [hit.chunk.id for hit in chunks]
        found = await self._means.store.search([query.dense, query.sparse], scope, limit=len(among), among=among)
        rated = list(chunks)
        for signal, ranking in zip(("dense", "bm25"), found.rankings, strict=True):
            told = {hit.chunk.id: hit.score for hit in ranking}
            rated = [replace(hit, signals={**hit.signals, signal: told.get(hit.chunk.id, 0.0)}) for hit in rated]
        return rated


def _candidate(hit: ScoredChunk) -> Candidate:
    return Candidate(hit.chunk, hit.signals.get("dense", 0.0), hit.signals.get("bm25", 0.0))
