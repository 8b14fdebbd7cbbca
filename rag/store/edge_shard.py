"""Qdrant's embedded engine in our words: a shard's making, its filters, its points."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import qdrant_edge as qe

from rag.errors import StoreError
from rag.store.base import ChunkScores
from rag.store.payload import (
    CHUNK,
    CORPUS,
    KEYWORDS,
    KIND,
    LABELS,
    RECORD,
    chunk_of,
    chunk_payload,
    parent_payload,
    record_of,
    record_payload,
)
from rag.store.queries import Distribution, Diverse, Fused, Nearest, Query, ReciprocalRank
from rag.store.searching import RANK_SHIFT, Ranking, SearchBounds, compared, reach, settled
from rag.store.term_table import Ids
from rag.types.chunks import Chunk, ChunkId, EmbeddedChunk, Parent
from rag.types.documents import DocumentRecord
from rag.types.vectors import Embedding, SparseVector

DENSE: Final = "dense"
SPARSE: Final = "bm25"
PAGE: Final = 500  # points of one scroll
_PANICS: Final = "pyo3_runtime"  # the module of the engine's PanicException, which cannot be imported
_CONFIG: Final = "edge_config.json"  # the engine writes it into each shard
GRAPH_FROM_KB: Final = 75_000  # of vectors, about 50,000 chunks: below, comparing with each is as fast as a graph


@contextmanager
def engine_errors() -> Generator[None]:
    """The engine raises bare `Exception`; inside this context, and nowhere else, that is a StoreError.

    So is a panic of its code, which damaged files bring about, and which is not even an `Exception`.
    """
    try:
        yield
    except BaseException as error:
        if type(error) is not Exception and type(error).__module__ != _PANICS:
            raise
        raise StoreError(f"the embedded store failed: {error}") from error


def open_or_create(folder: Path, dimensions: int) -> qe.EdgeShard:
    """A shard without a write-ahead log, so that several processes can read it: what is not flushed can be lost."""
    if (folder / _CONFIG).exists():
        return open_existing(folder)
    with engine_errors():
        folder.mkdir(parents=True, exist_ok=True)
        shard = qe.EdgeShard.create(
            str(folder),
            qe.EdgeConfig(
                vectors={DENSE: qe.EdgeVectorParams(dimensions, qe.Distance.Cosine)},
                sparse_vectors={SPARSE: qe.EdgeSparseVectorParams(modifier=qe.Modifier.Idf)},
                optimizers=qe.EdgeOptimizersConfig(indexing_threshold=GRAPH_FROM_KB),
                wal_enabled=False,
            ),
        )
        for field in KEYWORDS:
            shard.update(qe.UpdateOperation.create_field_index(field, qe.PayloadSchemaType.Keyword))
        return shard


def open_existing(folder: Path) -> qe.EdgeShard:
    """A shard that was made before. Raises StoreError where it is damaged or gone."""
    try:
        with engine_errors():
            return qe.EdgeShard.load(str(folder))
    except StoreError as error:
        raise StoreError(
            f"{folder} cannot be opened ({error}): if it is damaged, make the index anew with "
            "`python -m indexer reindex`"
        ) from error


def matching(key: str, *values: str) -> qe.FieldCondition:
    """The condition that a field has one of the values."""
    return qe.FieldCondition(key, match=qe.MatchAny(list(values)))


def scroll(
    shard: qe.EdgeShard,
    conditions: Iterable[qe.FieldCondition],
    *,
    with_payload: bool | list[str] = True,
    with_vector: bool | list[str] = False,
) -> Iterator[qe.Record]:
    """All points that match all conditions."""
    wanted = qe.Filter(must=[*conditions])
    offset: Any = None
    while True:
        points, offset = shard.scroll(
            qe.ScrollRequest(
                offset=offset, limit=PAGE, filter=wanted, with_payload=with_payload, with_vector=with_vector
            )
        )
        yield from points
        if offset is None:
            return


def read_records(shard: qe.EdgeShard, corpus: str | None) -> Iterator[DocumentRecord]:
    """The ledger of one corpus, or of all."""
    for point in scroll(shard, of_kind(RECORD, corpus)):
        yield record_of(point.payload or {})


def of_kind(kind: str, corpus: str | None) -> list[qe.FieldCondition]:
    """The conditions that a point is of a kind, and of a corpus if one is given."""
    return [matching(KIND, kind)] if corpus is None else [matching(KIND, kind), matching(CORPUS, corpus)]


def search_request(query: Query, bounds: SearchBounds, limit: int) -> qe.QueryRequest:
    """The ids of the best points for a query; what is outside the bounds competes nowhere."""
    allowed = _filter(bounds)
    match query:
        case Fused():
            prefetches = [qe.Prefetch(query.candidates, _nearest(one), filter=allowed) for one in query.queries]
            return qe.QueryRequest(limit=reach(query, limit), query=_fusion(query.by), prefetches=prefetches)
        case Diverse():
            diverse = qe.Mmr(query.query.tolist(), query.relevance, query.candidates, using=DENSE)
            return qe.QueryRequest(limit=limit, query=diverse, filter=allowed)
        case _:
            return qe.QueryRequest(limit=limit, query=_nearest(query), filter=allowed)


def read_rankings(shard: qe.EdgeShard, queries: Sequence[Query], bounds: SearchBounds, limit: int) -> list[Ranking]:
    """One ranking a query, of ids and scores alone: payloads are what costs time."""
    batch = qe.QueryBatchRequest([search_request(query, bounds, limit) for query in queries])
    return [
        settled(query, [(ChunkId(str(point.id)), point.score) for point in points], limit)
        for query, points in zip(queries, shard.query_batch(batch), strict=True)
    ]


def read_comparisons(
    shard: qe.EdgeShard, query: Embedding | None, bounds: SearchBounds, ids: Sequence[ChunkId]
) -> dict[ChunkId, ChunkScores]:
    """These points compared with an embedding; the engine looks at no others."""
    if query is None or not ids:
        return {}
    return compared(*read_rankings(shard, [query.dense, query.sparse], replace(bounds, among=ids), len(ids)))


def read_terms(shard: qe.EdgeShard) -> Iterator[tuple[frozenset[str], Ids]]:
    """Of each chunk its labels and the numbers of its terms."""
    for point in scroll(shard, of_kind(CHUNK, None), with_payload=[LABELS], with_vector=[SPARSE]):
        vector: Any = point.vector
        yield frozenset((point.payload or {})[LABELS]), np.array(vector[SPARSE].indices, dtype=np.uint32)


def read_chunks(shard: qe.EdgeShard, ids: Sequence[ChunkId]) -> dict[ChunkId, Chunk]:
    """Chunks by their ids."""
    points = shard.retrieve([*ids], with_payload=True, with_vector=False)
    return {ChunkId(str(point.id)): chunk_of(str(point.id), point.payload or {}) for point in points}


def chunk_point(row: EmbeddedChunk) -> qe.Point:
    """A chunk as the engine keeps it."""
    vectors: Any = {DENSE: row.embedding.dense.tolist(), SPARSE: _sparse(row.embedding.sparse)}
    return qe.Point(row.chunk.id, vectors, chunk_payload(row.chunk))


def parent_point(parent: Parent) -> qe.Point:
    """A parent, which has no terms: it would count in the rarity of those of its chunks."""
    return qe.Point(parent.id, {DENSE: parent.dense.tolist()}, parent_payload(parent))


def record_point(record: DocumentRecord) -> qe.Point:
    """A line of the ledger: a point without vectors, which no search finds."""
    return qe.Point(record.document.id, {}, record_payload(record))


def embedding_of(vector: Any) -> Embedding:
    """The vectors of a chunk's point."""
    sparse = vector[SPARSE]
    return Embedding(
        np.array(vector[DENSE], dtype=np.float32),
        SparseVector(np.array(sparse.indices, dtype=np.uint32), np.array(sparse.values, dtype=np.float32)),
    )


def _filter(bounds: SearchBounds) -> qe.Filter:
    must: list[Any] = [matching(key, *values) for key, values in bounds.fields]
    if bounds.among is not None:
        must.append(qe.HasIdCondition({*bounds.among}))
    return qe.Filter(must=must)


def _nearest(query: Nearest) -> qe.Query:
    if isinstance(query, SparseVector):
        return qe.Query.Nearest(_sparse(query), using=SPARSE)
    return qe.Query.Nearest(query.tolist(), using=DENSE)


def _fusion(by: ReciprocalRank | Distribution) -> Any:  # a qe.Fusion, which the engine's stubs do not say
    if isinstance(by, Distribution):
        return qe.Fusion.Dbsf()
    return qe.Fusion.Rrf(k=by.k + RANK_SHIFT, weights=[*by.weights] or None)


def _sparse(vector: SparseVector) -> qe.SparseVector:
    return qe.SparseVector(vector.indices.tolist(), vector.values.tolist())
