"""The stage `queries`: one question in several wordings, each searched for, and the rankings fused."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

from rag.errors import ConfigurationError, first_cause
from rag.retrieval.base import Candidate, Candidates, Retriever
from rag.retrieval.deduplicated import without_copies
from rag.retrieval.deps import RetrievalDeps
from rag.retrieval.query_expansion import QueryExpansion
from rag.retrieval.searches import compare
from rag.store.base import ChunkScores, Found
from rag.types.chunks import ChunkId
from rag.types.scope import Scope

STAGE: Final = "queries"

Compare: TypeAlias = Callable[[str, Scope, Collection[ChunkId]], Awaitable[Found]]
"""Compares chunks with a question: see `rag.retrieval.searches.compare`."""


class MultiQuery:
    """Another retriever's candidates for the question and for other wordings of it, which a language model writes.

    So a passage is found that speaks of the thing in other words than the asker (RAG-Fusion: Rackauckas, 2024,
    arXiv:2402.03367). The asker's own ranking weighs more than all others together: a model that has misunderstood
    cannot push out what was asked for.
    """

    def __init__(
        self, inner: Retriever, expansion: QueryExpansion, compare: Compare, *, candidates: int, k: int
    ) -> None:
        """`candidates`: how many each wording brings in. `k`: see `fuse`."""
        self._inner = inner
        self._expansion = expansion
        self._compare = compare
        self._candidates = candidates
        self._k = k

    async def retrieve(self, question: str, scope: Scope, *, limit: int) -> Candidates:
        """The best `limit` chunks by fused rank. Raises StoreError.

        Where the model fails, the question alone is searched for, and a notice says so.
        """
        if scope.is_empty:
            return await self._inner.retrieve(question, scope, limit=limit)  # nothing to be found is worth no model
        depth = max(limit, self._candidates)
        async with _side_by_side() as tasks:  # the question is searched for while the model writes
            writing = tasks.create_task(self._expansion.expand(question))
            searching = tasks.create_task(self._inner.retrieve(question, scope, limit=depth))
        expanded, own = writing.result(), searching.result()
        every = [own, *await self._search(expanded.others, scope, depth)]
        fused = without_copies(fuse([found.ranked for found in every], k=self._k))[:limit]
        told = await self._compare(question, scope, [candidate.chunk.id for candidate in fused])
        return Candidates(
            min(told.generation, *(found.generation for found in every)),
            compared(fused, told.comparisons),
            notices=tuple(dict.fromkeys((*expanded.notices, *(notice for one in every for notice in one.notices)))),
            usage=sum((found.usage for found in every), expanded.usage),
            timings={STAGE: expanded.seconds},
        )

    async def _search(self, queries: Sequence[str], scope: Scope, limit: int) -> list[Candidates]:
        async with _side_by_side() as tasks:
            searches = [tasks.create_task(self._inner.retrieve(query, scope, limit=limit)) for query in queries]
        return [search.result() for search in searches]


def queries(inner: Retriever, deps: RetrievalDeps) -> MultiQuery:
    """The stage `queries`. Raises ConfigurationError where there is no language model."""
    if deps.llm is None:
        raise ConfigurationError(
            "the stage `queries` needs a language model: name one in LLM_MODEL, with OPENAI_API_KEY or "
            "OPENAI_BASE_URL, or leave `+queries` away"
        )
    settings = deps.settings
    expansion = QueryExpansion(deps.llm, count=settings.queries, seconds=settings.query_seconds)
    return MultiQuery(inner, expansion, partial(compare, deps), candidates=settings.candidates, k=settings.rrf_k)


def fuse(rankings: Sequence[Sequence[Candidate]], *, k: int) -> list[Candidate]:
    """Weighted reciprocal rank fusion: sum over the rankings of weight / (k + rank), rank counted from 1.

    Cormack, Clarke & Büttcher, "Reciprocal Rank Fusion", SIGIR 2009, sec. 3, who do not weight.

    The first ranking weighs 1, each of n others 1 / (n + 1). Of what the ranker thought of one ranking nothing is kept:
    it is comparable with nothing in another.
    """
    weights = [1.0, *[1 / len(rankings)] * (len(rankings) - 1)]
    scores: defaultdict[ChunkId, float] = defaultdict(float)
    found: dict[ChunkId, Candidate] = {}
    for weight, ranking in zip(weights, rankings, strict=True):
        for rank, candidate in enumerate(ranking, start=1):
            scores[candidate.chunk.id] += weight / (k + rank)
            found.setdefault(candidate.chunk.id, replace(candidate, rank_score=None))
    return [found[chunk] for chunk in sorted(scores, key=lambda chunk: (-scores[chunk], chunk))]


def compared(candidates: Sequence[Candidate], told: Mapping[ChunkId, ChunkScores]) -> list[Candidate]:
    """The candidates with these comparisons; one that the index no longer holds has none, and is left out."""
    return [
        replace(candidate, cosine=told[candidate.chunk.id].cosine, bm25=told[candidate.chunk.id].bm25)
        for candidate in candidates
        if candidate.chunk.id in told
    ]


@asynccontextmanager
async def _side_by_side() -> AsyncGenerator[asyncio.TaskGroup]:
    """Tasks that are all done in the end; where one fails, its error is raised as it is."""
    try:
        async with asyncio.TaskGroup() as tasks:
            yield tasks
    except ExceptionGroup as errors:
        raise first_cause(errors) from errors
