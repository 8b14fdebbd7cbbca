"""The next generation of the embedded store, while it is being made."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Final, TypeVar

import qdrant_edge as qe

from rag.errors import StoreError
from rag.store.base import Recipe
from rag.store.edge_shard import (
    PAGE,
    chunk_point,
    embedding_of,
    engine_errors,
    matching,
    parent_point,
    read_records,
    read_terms,
    record_point,
    scroll,
)
from rag.store.generations import Generations
from rag.store.manifests import next_manifest
from rag.store.payload import CHUNK, DOCUMENT, KIND, PARENT, VERSION, chunk_of, document_payload, version_of
from rag.store.term_table import TermTable, build_term_table
from rag.types.chunks import EmbeddedChunk, Parent
from rag.types.documents import DocumentId, DocumentRecord
from rag.types.index import CorpusInfo, Manifest

T = TypeVar("T")

FLUSH_SECONDS: Final = 2.0
"""A run that is killed does again what it did since."""


class EdgeWriter:
    """Writes through one shard; each call runs in a thread and they follow one another."""

    def __init__(
        self,
        shard: qe.EdgeShard,
        generation: int,
        recipe: Recipe,
        generations: Generations,
        base: Manifest | None,
        *,
        resumed: bool,
    ) -> None:
        self._shard: qe.EdgeShard | None = shard
        self.generation = generation
        self._recipe = recipe
        self._generations = generations
        self._base = base
        self._flushed_at = time.monotonic()
        self._lock = asyncio.Lock()
        self.resumed = resumed

    async def recover(self) -> None:
        """After a run that was killed: whatever is not whole is taken out, so that it is done again."""
        if self.resumed:
            await self._run(_sweep)

    async def records(self, corpus: str | None = None) -> AsyncIterator[DocumentRecord]:
        """The ledger's lines on one corpus, or on all, as they stand in this generation."""
        with engine_errors():
            records = await asyncio.to_thread(lambda: list(read_records(self._writable, corpus)))
        for record in records:
            yield record

    async def put(
        self, record: DocumentRecord, chunks: Sequence[EmbeddedChunk], parents: Sequence[Parent] = ()
    ) -> None:
        """Bring in one document, whole; the record first out and last in."""

        def write(shard: qe.EdgeShard) -> None:
            _delete(shard, record.document.id)
            if parents:
                shard.update(qe.UpdateOperation.upsert_points([parent_point(parent) for parent in parents]))
            for start in range(0, len(chunks), PAGE):
                points = [chunk_point(row) for row in chunks[start : start + PAGE]]
                shard.update(qe.UpdateOperation.upsert_points(points))
            shard.update(qe.UpdateOperation.upsert_points([record_point(record)]))

        await self._run(write)

    async def chunks_of(self, document: DocumentId) -> AsyncIterator[EmbeddedChunk]:
        """The document's chunks with their vectors, as they stand in this generation."""
        conditions = [matching(KIND, CHUNK), matching(DOCUMENT, document)]
        async with self._lock:
            with engine_errors():
                points = await asyncio.to_thread(lambda: list(scroll(self._writable, conditions, with_vector=True)))
        for point in points:
            yield EmbeddedChunk(chunk_of(str(point.id), point.payload or {}), embedding_of(point.vector))

    async def note(self, record: DocumentRecord) -> None:
        """Write the record anew, and into the document's chunks what it says of the document."""

        def write(shard: qe.EdgeShard) -> None:
            own = qe.Filter(must=[matching(DOCUMENT, record.document.id), matching(KIND, CHUNK, PARENT)])
            shard.update(qe.UpdateOperation.set_payload_by_filter(own, document_payload(record.document)))
            shard.update(qe.UpdateOperation.upsert_points([record_point(record)]))

        await self._run(write)

    async def remove(self, document: DocumentId) -> None:
        """Take a document out, its record too."""
        await self._run(lambda shard: _delete(shard, document))

    async def commit(self, corpora: Sequence[CorpusInfo]) -> Manifest:
        """Build what makes searches fast, count terms, and let this generation serve."""
        manifest = next_manifest(self._base, self._recipe, self.generation, corpora)

        def finish(shard: qe.EdgeShard) -> TermTable:
            shard.optimize()
            shard.flush()
            return build_term_table(read_terms(shard))

        terms = await self._run(finish)
        await self.close()
        await asyncio.to_thread(self._generations.commit, manifest, terms)
        return manifest

    async def close(self) -> None:
        """Keep what is written, for the next run to go on with. Does nothing after `commit`."""
        if self._shard is not None:
            shard, self._shard = self._shard, None
            with engine_errors():
                await asyncio.to_thread(shard.close)

    @property
    def _writable(self) -> qe.EdgeShard:
        if self._shard is None:
            raise StoreError("this generation is committed: begin the next one")
        return self._shard

    async def _run(self, call: Callable[[qe.EdgeShard], T]) -> T:
        async with self._lock:
            with engine_errors():
                result = await asyncio.to_thread(call, self._writable)
                if time.monotonic() - self._flushed_at > FLUSH_SECONDS:
                    await asyncio.to_thread(self._writable.flush)
                    self._flushed_at = time.monotonic()
                return result


def _delete(shard: qe.EdgeShard, document: DocumentId) -> None:
    shard.update(qe.UpdateOperation.delete_points([document]))
    shard.update(qe.UpdateOperation.delete_points_by_filter(qe.Filter(must=[matching(DOCUMENT, document)])))


def _sweep(shard: qe.EdgeShard) -> None:
    """Delete each document whose record and chunks do not agree, and chunks that have no record."""
    present = Counter(str((point.payload or {})[VERSION]) for point in scroll(shard, [matching(KIND, CHUNK)]))
    owners: dict[str, DocumentId] = {}
    expected: dict[str, int] = {}
    for record in read_records(shard, None):
        owners[version_of(record.document)] = record.document.id
        expected[version_of(record.document)] = record.chunks
    orphans = {str((point.payload or {})[VERSION]) for point in scroll(shard, [matching(KIND, PARENT)])}
    for version in present.keys() | expected.keys() | orphans:
        if present[version] != expected.get(version):
            _delete(shard, owners.get(version) or DocumentId(version.split("/")[0]))
