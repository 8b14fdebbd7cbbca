"""Our nouns as a Qdrant server takes and gives them, and its collections' layout."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Collection, Generator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import numpy as np
from qdrant_client import AsyncQdrantClient, models
from qdrant_client.http.exceptions import ApiException

from rag.errors import StoreError
from rag.store.payload import (
    CHUNK,
    CORPUS,
    KEYWORDS,
    KIND,
    LABELS,
    PARENT,
    chunk_payload,
    parent_payload,
    record_payload,
)
from rag.types import ChunkId, DocumentRecord, EmbeddedChunk, Embedding, Parent, Scope, SparseVector, Vector

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
    with_vectors: bool = False,
) -> AsyncGenerator[models.Record]:
    """All points that match all conditions."""
    offset: Any = None
    while True:
        points, offset = await client.scroll(
            collection,
            scroll_filter=models.Filter(must=[*conditions]),
            limit=PAGE,
            offset=offset,
            with_payload=True,
            with_vectors=with_vectors,
        )
        for point in points:
            yield point
        if offset is None:
            return


def of_kind(kind: str, corpus: str | None) -> list[models.FieldCondition]:
    """The conditions that a point is of a kind, and of a corpus if one is given."""
    return [matching(KIND, kind)] if corpus is None else [matching(KIND, kind), matching(CORPUS, corpus)]


def search_request(
    query: Vector | SparseVector,
    scope: Scope,
    limit: int,
    *,
    kind: str = CHUNK,
    within: Collection[ChunkId] | None = None,
) -> models.QueryRequest:
    """The best chunks, or parents, for a query, inside a scope that is not empty."""
    conditions: list[models.Condition] = [matching(KIND, kind)]
    if within is not None:
        conditions.append(matching(PARENT, *within))
    if not scope.unlimited:
        conditions.append(matching(LABELS, *sorted(scope.labels)))
    if scope.within is not None:
        conditions.append(matching(LABELS, scope.within))
    sparse = isinstance(query, SparseVector)
    return models.QueryRequest(
        query=_sparse(query) if isinstance(query, SparseVector) else query.tolist(),
        using=SPARSE if sparse else DENSE,
        filter=models.Filter(must=conditions),
        limit=limit,
        with_payload=True,
    )


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


def _sparse(vector: SparseVector) -> models.SparseVector:
    return models.SparseVector(indices=vector.indices.tolist(), values=vector.values.tolist())
