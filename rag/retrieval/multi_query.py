"""One question in several wordings: each is searched for, and the rankings are fused."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

from rag.errors import ConfigurationError, first_cause
from rag.retrieval.base import Hits, Retriever
from rag.retrieval.deduplicated import without_copies
from rag.retrieval.deps import RetrievalDeps
from rag.retrieval.query_expansion import QueryExpansion
from rag.types.chunks import ChunkId, ScoredChunk
from rag.types.scope import Scope

STAGE: Final = "queries"


class MultiQuery:
    """Another retriever's hits for the question and for other wordings of it, which a language model writes.

    So a passage is found that speaks of the thing in other words than the asker (RAG-Fusion: Rackauckas, 2024,
    arXiv:2402.03367). The asker's own ranking weighs more than all others together: a model that has misunderstood
    cannot push out what was asked for.
    """

    def __init__(self, inner: Retriever, rewording: QueryExpansion, *, candidates: int, k: int) -> None:
        """`candidates`: how many each wording brings in. `k`: see `fuse`."""
        self._inner = inner
        self._rewording = rewording
        self._candidates = candidates
        self._k = k

    async def retrieve(self, question: str, scope: Scope, *, limit: int) -> Hits:
        """The best chunks by fused rank. Raises StoreError.

        `signals["wording0"]` is the rank that a hit has for the question as asked, "wording1" … for the others, all
        counted from 1. Where the model fails, the question alone is searched for, and a notice says so.
        """
        if scope.is_empty:
            return await self._inner.retrieve(question, scope, limit=limit)  # nothing to be found is worth no model
        depth = max(limit, self._candidates)
        async with _side_by_side() as tasks:  # the question is searched for while the model writes
            writing = tasks.create_task(self._rewording.of(question))
            searching = tasks.create_task(self._inner.retrieve(question, scope, limit=depth))
        written, own = writing.result(), searching.result()
        others = await self._search(written.wordings, scope, depth)
        if any(hits.generation != own.generation for hits in others):  # a drop was completed meanwhile
            own, *others = await self._search([question, *written.wordings], scope, depth)
            others = [hits for hits in others if hits.generation == own.generation]
        every = [own, *others]
        return Hits(
            own.generation,
            without_copies(fuse([hits.chunks for hits in every], k=self._k))[:limit],
            notices=tuple(dict.fromkeys((*written.notices, *(notice for hits in every for notice in hits.notices)))),
            usage=sum((hits.usage for hits in every), written.usage),
            timings={STAGE: written.seconds, **_slowest(every)},
        )

    async def _search(self, wordings: Sequence[str], scope: Scope, limit: int) -> list[Hits]:
        async with _side_by_side() as tasks:
            searches = [tasks.create_task(self._inner.retrieve(wording, scope, limit=limit)) for wording in wordings]
        return [search.result() for search in searches]


def queries(inner: Retriever, means: RetrievalDeps) -> MultiQuery:
    """The stage `queries`. Raises ConfigurationError where there is no language model."""
    if means.llm is None:
        raise ConfigurationError(
            "the stage `queries` needs a language model: name one in LLM_MODEL, with OPENAI_API_KEY or "
            "OPENAI_BASE_URL, or leave `+queries` away"
        )
    settings = means.settings
    rewording = QueryExpansion(means.llm, count=settings.queries, seconds=settings.query_seconds)
    return MultiQuery(inner, rewording, candidates=settings.candidates, k=settings.rrf_k)


def fuse(rankings: Sequence[Sequence[ScoredChunk]], *, k: int) -> list[ScoredChunk]:
    """Weighted reciprocal rank fusion: sum over the rankings of weight / (k + rank), rank counted from 1.

    Cormack, Clarke & Büttcher, "Reciprocal Rank Fusion", SIGIR 2009, sec. 3, who do not weight.

    The first ranking weighs 1, each of n others 1 / (n + 1). What other stages thought of a hit is kept from the first
    alone: evidence is weighed by it, and it must speak of what was asked.
    """
    weights = [1.0, *[1 / len(rankings)] * (len(rankings) - 1)]
    scores: defaultdict[ChunkId, float] = defaultdict(float)
    hits: dict[ChunkId, ScoredChunk] = {}
    for number, (weight, ranking) in enumerate(zip(weights, rankings, strict=True)):
        for rank, hit in enumerate(ranking, start=1):
            scores[hit.chunk.id] += weight / (k + rank)
            seen = hits.get(hit.chunk.id) or (hit if number == 0 else replace(hit, signals={}))
            hits[hit.chunk.id] = replace(seen, signals={**seen.signals, f"wording{number}": float(rank)})
    fused = (
        replace(hits[chunk], score=score, signals={**hits[chunk].signals, STAGE: score})
        for chunk, score in scores.items()
    )
    return sorted(fused, key=lambda hit: (-hit.score, hit.chunk.id))


@asynccontextmanager
async def _side_by_side() -> AsyncGenerator[asyncio.TaskGroup]:
    """Tasks that are all done in the end; where one fails, its error is raised as it is."""
    try:
        async with asyncio.TaskGroup() as tasks:
            yield tasks
    except ExceptionGroup as errors:
        raise first_cause(errors) from errors


def _slowest(every: Sequence[Hits]) -> dict[str, float]:
    """Seconds by stage of searches that ran side by side."""
    slowest: dict[str, float] = {}
    for hits in every:
        for stage, seconds in hits.timings.items():
            slowest[stage] = max(seconds, slowest.get(stage, 0.0))
    return slowest
