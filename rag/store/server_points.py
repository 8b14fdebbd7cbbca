"""Our nouns as a Qdrant server takes and gives them, and its collections' layout."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

import numpy as np
from qdrant_client import AsyncQdrantClient, models
from qdrant_client.http.exceptions import ApiException

from rag.errors import StoreError
from rag.store.base import ChunkScores
from rag.store.payload import CORPUS, KEYWORDS, KIND, chunk_of, chunk_payload, parent_payload, record_payload
from rag.store.queries import Distribution, Diverse, Fused, Nearest, Query, ReciprocalRank
from rag.store.searching import RANK_SHIFT, Ranking, SearchBounds, compared, reach, settled
from rag.types.chunks import Chunk, ChunkId, EmbeddedChunk, Parent
from rag.types.documents import DocumentRecord
from rag.types.vectors import Embedding, SparseVector

DENSE: Final = "dense"
SPARSE: Final = "bm25"
PAGE: Final = 256  # points of one request


@contextmanager
def server_errors() -> Generator[None]:
    """What goes wrong on the way to the server or in it, as a StoreError."""
    try:
        yield
    except (ApiException, OSError) as error:
        raise StoreError(f"the vector store failed ({type(error).__name__}): {str(error)[:300]}") from error


async def create_collection(client: AsyncQdrantClient, name: str, dimensions: int) -> None:
    """An empty generation."""
    await client.create_collection(
        name,
        vectors_config={DENSE: models.VectorParams(size=dimensions, distance=models.Distance.COSINE)},
        sparse_vectors_config={SPARSE: models.SparseVectorParams(modifier=models.Modifier.IDF)},
    )
    for field in KEYWORDS:
        await client.create_payload_index(name, field, field_schema=models.PayloadSchemaType.KEYWORD, wait=True)


def matching(key: str, *values: str) -> models.FieldCondition:
    """The condition that a field has one of the values."""
    return models.FieldCondition(key=key, match=models.MatchAny(any=list(values)))


async def scroll(
    client: AsyncQdrantClient,
    collection: str,
    conditions: Sequence[models.FieldCondition],
    *,
    with_payload: bool | list[str] = True,
    with_vectors: bool | list[str] = False,
) -> AsyncGenerator[models.Record]:
    """All points that match all conditions."""
    offset: Any = None
    while True:
        points, offset = await client.scroll(
            collection,
            scroll_filter=models.Filter(must=[*conditions]),
            limit=PAGE,
            offset=offset,
            with_payload=with_payload,
            with_vectors=with_vectors,
        )
        for point in points:
            yield point
        if offset is None:
            return


def of_kind(kind: str, corpus: str | None) -> list[models.FieldCondition]:
    """The conditions that a point is of a kind, and of a corpus if one is given."""
    return [matching(KIND, kind)] if corpus is None else [matching(KIND, kind), matching(CORPUS, corpus)]


def search_request(query: Query, bounds: SearchBounds, limit: int) -> models.QueryRequest:
    """The ids of the best points for a query; what is outside the bounds competes nowhere."""
    allowed = _filter(bounds)
    match query:
        case Fused():
            prefetches = [_prefetch(one, allowed, query.candidates) for one in query.queries]
            return models.QueryRequest(query=_fusion(query.by), prefetch=prefetches, limit=reach(query, limit))
        case Diverse():
            mmr = models.Mmr(diversity=1 - query.relevance, candidates_limit=query.candidates)
            diverse = models.NearestQuery(nearest=query.query.tolist(), mmr=mmr)
            return models.QueryRequest(query=diverse, using=DENSE, filter=allowed, limit=limit)
        case _:
            vector, name = _nearest(query)
            return models.QueryRequest(query=vector, using=name, filter=allowed, limit=limit)


async def read_rankings(
    client: AsyncQdrantClient, collection: str, queries: Sequence[Query], bounds: SearchBounds, limit: int
) -> list[Ranking]:
    """One ranking a query, of ids and scores alone: payloads are what costs time."""
    batch = [search_request(query, bounds, limit) for query in queries]
    responses = await client.query_batch_points(collection, batch)
    return [
        settled(query, [(ChunkId(str(point.id)), point.score) for point in response.points], limit)
        for query, response in zip(queries, responses, strict=True)
    ]


async def read_comparisons(
    client: AsyncQdrantClient,
    collection: str,
    query: Embedding | None,
    bounds: SearchBounds,
    ids: Sequence[ChunkId],
) -> dict[ChunkId, ChunkScores]:
    """These points compared with an embedding; the server looks at no others."""
    if query is None or not ids:
        return {}
    queries = [query.dense, query.sparse]
    return compared(*await read_rankings(client, collection, queries, replace(bounds, among=ids), len(ids)))


async def read_chunks(client: AsyncQdrantClient, collection: str, ids: Sequence[ChunkId]) -> dict[ChunkId, Chunk]:
    """Chunks by their ids."""
    points = await client.retrieve(collection, [*ids], with_payload=True)
    return {ChunkId(str(point.id)): chunk_of(str(point.id), point.payload or {}) for point in points}


def chunk_point(row: EmbeddedChunk) -> models.PointStruct:
    """A chunk as the server keeps it."""
    vectors: Any = {DENSE: row.embedding.dense.tolist(), SPARSE: _sparse(row.embedding.sparse)}
    return models.PointStruct(id=row.chunk.id, vector=vectors, payload=chunk_payload(row.chunk))


def parent_point(parent: Parent) -> models.PointStruct:
    """A parent, which has no terms: it would count in the rarity of those of its chunks."""
    return models.PointStruct(id=parent.id, vector={DENSE: parent.dense.tolist()}, payload=parent_payload(parent))


def record_point(record: DocumentRecord) -> models.PointStruct:
    """A line of the ledger: a point without vectors, which no search finds."""
    return models.PointStruct(id=record.document.id, vector={}, payload=record_payload(record))


def embedding_of(vector: Any) -> Embedding:
    """The vectors of a chunk's point."""
    sparse = vector[SPARSE]
    return Embedding(
        np.array(vector[DENSE], dtype=np.float32),
        SparseVector(np.array(sparse.indices, dtype=np.uint32), np.array(sparse.values, dtype=np.float32)),
    )


def _filter(bounds: SearchBounds) -> models.Filter:
    must: list[models.Condition] = [matching(key, *values) for key, values in bounds.fields]
    if bounds.among is not None:
        must.append(models.HasIdCondition(has_id=[*bounds.among]))
    return models.Filter(must=must)


def _nearest(query: Nearest) -> tuple[Any, str]:
    """The vector, and which one of a point's it is compared with."""
    return (_sparse(query), SPARSE) if isinstance(query, SparseVector) else (query.tolist(), DENSE)


def _prefetch(query: Nearest, allowed: models.Filter, candidates: int) -> models.Prefetch:
    vector, name = _nearest(query)
    return models.Prefetch(query=vector, using=name, filter=allowed, limit=candidates)


def _fusion(by: ReciprocalRank | Distribution) -> models.RrfQuery | models.FusionQuery:
    if isinstance(by, Distribution):
        return models.FusionQuery(fusion=models.Fusion.DBSF)
    return models.RrfQuery(rrf=models.Rrf(k=by.k + RANK_SHIFT, weights=[*by.weights] or None))


def _sparse(vector: SparseVector) -> models.SparseVector:
    return models.SparseVector(indices=vector.indices.tolist(), values=vector.values.tolist())
