"""The store on a Qdrant server: each generation is a collection, an alias says which one serves."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Collection, Sequence
from contextlib import aclosing, asynccontextmanager

from qdrant_client import AsyncQdrantClient

from rag.errors import IndexMissing
from rag.store.base import Found, FoundParents, GenerationWriter, Recipe, TermStatistics
from rag.store.manifests import check_recipe
from rag.store.payload import CHUNK, PARENT, RECORD, chunk_of, manifest_of, record_of
from rag.store.queries import Query
from rag.store.searching import bounds, distinct_ids, found
from rag.store.server_lease import hold_lease
from rag.store.server_points import (
    embedding_of,
    of_kind,
    read_chunks,
    read_comparisons,
    read_rankings,
    scroll,
    server_errors,
)
from rag.store.server_terms import read_term_table
from rag.store.server_writer import MANIFEST_POINT, ServerWriter, begin
from rag.store.term_table import TermTable
from rag.types.chunks import ChunkId, EmbeddedChunk
from rag.types.documents import DocumentId, DocumentRecord
from rag.types.index import Manifest
from rag.types.scope import Scope
from rag.types.vectors import Embedding, Vector


def connect(url: str, *, api_key: str | None, alias: str) -> ServerStore:
    """The store on the server at `url`; nothing is sent yet."""
    return ServerStore(AsyncQdrantClient(url=url, api_key=api_key), alias)


class ServerStore:
    """Any number of processes on any number of machines may read and one may write."""

    def __init__(self, client: AsyncQdrantClient, alias: str, *, looks_again_after: float = 2.0) -> None:
        """`looks_again_after`: seconds for which the alias is taken to stand where it stood."""
        self._client = client
        self._alias = alias
        self._looks_again_after = looks_again_after
        self._seen: tuple[float, str, Manifest] | None = None
        self._terms: tuple[str, TermTable] | None = None
        """Of the collection of that name."""
        self._reading_terms = asyncio.Lock()

    async def manifest(self) -> Manifest:
        """What serves now. Raises IndexMissing, StoreError."""
        return (await self._serving())[1]

    async def last_manifest(self) -> Manifest:
        """What serves now: the server has opened it, or does not answer."""
        return await self.manifest()

    async def search(
        self,
        queries: Sequence[Query],
        scope: Scope,
        *,
        limit: int,
        within: Collection[ChunkId] | None = None,
        among: Collection[ChunkId] | None = None,
        compare: Embedding | None = None,
    ) -> Found:
        """One ranking a query, best first; see `VectorStore.search`."""
        collection, manifest = await self._serving()
        limits = bounds(scope, within=within, among=among)
        if limits is None:
            return Found(manifest.generation, [[] for _ in queries])
        with server_errors():
            rankings = await read_rankings(self._client, collection, queries, limits, limit)
            ids = distinct_ids(rankings)
            chunks, comparisons = await asyncio.gather(
                read_chunks(self._client, collection, ids),
                read_comparisons(self._client, collection, compare, limits, ids),
            )
        return found(manifest.generation, rankings, chunks, comparisons)

    async def term_statistics(self, terms: Sequence[int], scope: Scope) -> TermStatistics:
        """How common these terms are; see `VectorStore.term_statistics`."""
        collection, manifest = await self._serving()
        async with self._reading_terms:
            if self._terms is None or self._terms[0] != collection:
                with server_errors():
                    self._terms = collection, await read_term_table(self._client, collection)
            table = self._terms[1]
        return table.statistics(manifest.generation, terms, scope)

    async def search_parents(self, query: Vector, scope: Scope, *, limit: int) -> FoundParents:
        """The nearest parents that the scope admits."""
        collection, manifest = await self._serving()
        limits = bounds(scope, kind=PARENT)
        if limits is None:
            return FoundParents(manifest.generation, [])
        with server_errors():
            rankings = await read_rankings(self._client, collection, [query], limits, limit)
        return FoundParents(manifest.generation, distinct_ids(rankings))

    async def records(self, corpus: str | None = None) -> AsyncIterator[DocumentRecord]:
        """The ledger of one corpus, or of all."""
        collection, _ = await self._serving()
        with server_errors():
            async for point in scroll(self._client, collection, of_kind(RECORD, corpus)):
                yield record_of(point.payload or {})

    async def document(self, document: DocumentId) -> DocumentRecord | None:
        """One line of the ledger."""
        collection, _ = await self._serving()
        with server_errors():
            points = await self._client.retrieve(collection, [document], with_payload=True)
        return record_of(points[0].payload or {}) if points else None

    async def scan(self, corpus: str | None = None) -> AsyncGenerator[EmbeddedChunk]:
        """Each chunk of one corpus, or of all, with its vectors."""
        collection, _ = await self._serving()
        with server_errors():
            wanted = of_kind(CHUNK, corpus)
            async with aclosing(scroll(self._client, collection, wanted, with_vectors=True)) as points:
                async for point in points:
                    yield EmbeddedChunk(chunk_of(str(point.id), point.payload or {}), embedding_of(point.vector))

    @asynccontextmanager
    async def write(self, recipe: Recipe, *, fresh: bool = False) -> AsyncGenerator[GenerationWriter]:
        """Begin, or go on with, the next generation; see `VectorStore.write`."""
        with server_errors():
            async with hold_lease(self._client, self._alias):
                serving = await self._manifest_or_none()
                base = None if fresh else serving
                if base is not None:
                    check_recipe(recipe, base)
                number = 1 if serving is None else serving.generation + 1
                collection, resumed = await begin(self._client, self._alias, recipe, base, number=number)
                writer = ServerWriter(
                    self._client, self._alias, collection, recipe, base, number=number, resumed=resumed
                )
                await writer.recover()
                yield writer

    async def aclose(self) -> None:
        """Close the connection."""
        await self._client.close()

    async def _manifest_or_none(self) -> Manifest | None:
        self._seen = None
        try:
            return await self.manifest()
        except IndexMissing:
            return None

    async def _serving(self) -> tuple[str, Manifest]:
        """The collection behind the alias, by its own name so that one search sees one generation, and its manifest."""
        if self._seen is not None and time.monotonic() - self._seen[0] < self._looks_again_after:
            return self._seen[1:]
        with server_errors():
            aliases = (await self._client.get_aliases()).aliases
            collection = next((a.collection_name for a in aliases if a.alias_name == self._alias), None)
            if collection is None:
                raise IndexMissing(
                    f"nothing is indexed yet as {self._alias!r} on the server: run `python -m indexer index DRIVE` "
                    "with the same QDRANT_URL"
                )
            points = await self._client.retrieve(collection, [MANIFEST_POINT], with_payload=True)
        if not points:
            raise IndexMissing(f"the collection {collection!r} holds no manifest: index the drives again")
        manifest = manifest_of(points[0].payload or {})
        self._seen = (time.monotonic(), collection, manifest)
        return collection, manifest
