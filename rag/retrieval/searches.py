"""The bases that ask the store once: by meaning, by words, by both fused, and by meaning without repetition."""

from __future__ import annotations

from collections.abc import Callable, Collection

from rag.retrieval.base import Candidate, Candidates
from rag.retrieval.deps import RetrievalDeps
from rag.settings.groups import RetrievalSettings
from rag.store.base import Found
from rag.store.queries import Distribution, Diverse, Fused, Query, ReciprocalRank
from rag.types.chunks import ChunkId
from rag.types.scope import Scope
from rag.types.vectors import Embedding


class StoreSearch:
    """One query to the store for each question."""

    def __init__(self, deps: RetrievalDeps, query: Callable[[Embedding, int], Query]) -> None:
        """`query`: made of the question's embedding and of how many chunks are wanted."""
        self._deps = deps
        self._query = query

    async def retrieve(self, question: str, scope: Scope, *, limit: int) -> Candidates:
        """The best `limit` chunks. Raises StoreError."""
        embedding = await self._deps.embedder.embed_query(question)
        return await search(self._deps, embedding, self._query(embedding, limit), scope, limit=limit)


def dense(deps: RetrievalDeps) -> StoreSearch:
    """The base `dense`: the nearest chunks, by cosine."""
    return StoreSearch(deps, lambda embedding, _: embedding.dense)


def bm25(deps: RetrievalDeps) -> StoreSearch:
    """The base `bm25`: chunks that share words with the question, the rare ones counting more."""
    return StoreSearch(deps, lambda embedding, _: embedding.sparse)


def hybrid(deps: RetrievalDeps) -> StoreSearch:
    """The base `hybrid`: what either search finds, and above all what both do, fused by rank."""
    return StoreSearch(deps, lambda embedding, limit: by_rank(deps.settings, embedding, limit))


def fusion(deps: RetrievalDeps) -> StoreSearch:
    """The base `fusion`: what either search finds, fused by score: a passage far ahead of the others stays ahead."""
    settings = deps.settings
    return StoreSearch(
        deps,
        lambda embedding, limit: Fused(
            (embedding.dense, embedding.sparse), Distribution(), candidates=max(limit, settings.candidates)
        ),
    )


def mmr(deps: RetrievalDeps) -> StoreSearch:
    """The base `mmr`: the nearest chunks, but not the same thing said many times, in the order of choice."""
    settings = deps.settings
    return StoreSearch(
        deps,
        lambda embedding, limit: Diverse(
            embedding.dense, settings.mmr_lambda, candidates=max(limit, settings.candidates)
        ),
    )


def by_rank(settings: RetrievalSettings, embedding: Embedding, limit: int) -> Fused:
    """Both searches fused by rank, with the settings' weights for meaning and words, in this order."""
    by = ReciprocalRank(settings.rrf_k, settings.weights)
    return Fused((embedding.dense, embedding.sparse), by, candidates=max(limit, settings.candidates))


async def search(
    deps: RetrievalDeps,
    embedding: Embedding,
    query: Query,
    scope: Scope,
    *,
    limit: int,
    within: Collection[ChunkId] | None = None,
) -> Candidates:
    """The best chunks for a query, compared with the embedding in one look at one generation. Raises StoreError."""
    found = await deps.store.search([query], scope, limit=limit, within=within, compare=embedding)
    told = found.comparisons
    ranked = [Candidate(hit.chunk, told[hit.chunk.id].cosine, told[hit.chunk.id].bm25) for hit in found.rankings[0]]
    return Candidates(found.generation, ranked)


async def compare(deps: RetrievalDeps, question: str, scope: Scope, chunks: Collection[ChunkId]) -> Found:
    """These chunks, and no others, compared with the question. Raises StoreError."""
    embedding = await deps.embedder.embed_query(question)
    return await deps.store.search([embedding.dense], scope, limit=len(chunks), among=chunks, compare=embedding)
