"""The next generation on a server, while it is being made."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from typing import Final

from qdrant_client import AsyncQdrantClient, models

from rag.store.base import SCHEMA, Recipe
from rag.store.manifests import next_manifest
from rag.store.payload import (
    CHUNK,
    DOCUMENT,
    KIND,
    MANIFEST,
    PARENT,
    RECORD,
    VERSION,
    chunk_of,
    document_payload,
    manifest_payload,
    record_of,
    version_of,
)
from rag.store.server_points import (
    PAGE,
    chunk_point,
    create_collection,
    embedding_of,
    matching,
    of_kind,
    parent_point,
    record_point,
    scroll,
    server_errors,
)
from rag.store.server_terms import write_term_table
from rag.types.chunks import EmbeddedChunk, Parent
from rag.types.documents import DocumentId, DocumentRecord
from rag.types.index import CorpusInfo, Manifest

MANIFEST_POINT: Final = str(uuid.uuid5(uuid.NAMESPACE_URL, "footnote/manifest"))
"""Where a complete generation keeps its manifest, and one that is being made its plan."""


async def begin(
    client: AsyncQdrantClient, alias: str, recipe: Recipe, base: Manifest | None, *, number: int
) -> tuple[str, bool]:
    """The collection of the next generation, and whether an interrupted run is gone on with."""
    collection = f"{alias}_g{number:06}"
    plan = {
        KIND: MANIFEST,
        "plan": [SCHEMA, 0 if base is None else base.generation, recipe.embedder, recipe.dimensions],
    }
    if await client.collection_exists(collection):
        points = await client.retrieve(collection, [MANIFEST_POINT], with_payload=True)
        if points and (points[0].payload or {}).get("plan") == plan["plan"]:
            return collection, True
        await client.delete_collection(collection)
    await create_collection(client, collection, recipe.dimensions)
    if base is not None:
        await _copy(client, f"{alias}_g{base.generation:06}", collection)
    await client.upsert(collection, [models.PointStruct(id=MANIFEST_POINT, vector={}, payload=plan)], wait=True)
    return collection, False


async def _copy(client: AsyncQdrantClient, source: str, target: str) -> None:
    """All points but the manifest, as they are."""
    batch: list[models.PointStruct] = []
    async for point in scroll(client, source, [matching(KIND, CHUNK, PARENT, RECORD)], with_vectors=True):
        vectors = point.vector if isinstance(point.vector, dict) else {}
        batch.append(models.PointStruct(id=point.id, vector=vectors, payload=point.payload))  # pyright: ignore[reportArgumentType]  # what the client gives out it takes in
        if len(batch) == PAGE:
            await client.upsert(target, batch, wait=False)
            batch = []
    if batch:
        await client.upsert(target, batch, wait=True)


class ServerWriter:
    """Writes to a collection that no alias names yet."""

    def __init__(
        self,
        client: AsyncQdrantClient,
        alias: str,
        collection: str,
        recipe: Recipe,
        base: Manifest | None,
        *,
        number: int,
        resumed: bool,
    ) -> None:
        self._client = client
        self._alias = alias
        self._collection = collection
        self._recipe = recipe
        self._base = base
        self._number = number
        self.resumed = resumed

    async def recover(self) -> None:
        """After a run that was killed: whatever is not whole is taken out, so that it is done again."""
        if not self.resumed:
            return
        present: Counter[str] = Counter()
        async for point in scroll(self._client, self._collection, [matching(KIND, CHUNK)]):
            present[str((point.payload or {})[VERSION])] += 1
        expected: dict[str, int] = {}
        async for point in scroll(self._client, self._collection, [matching(KIND, RECORD)]):
            record = record_of(point.payload or {})
            expected[version_of(record.document)] = record.chunks
        orphans: set[str] = set()
        async for point in scroll(self._client, self._collection, [matching(KIND, PARENT)]):
            orphans.add(str((point.payload or {})[VERSION]))
        for version in present.keys() | expected.keys() | orphans:
            if present[version] != expected.get(version):
                await self.remove(DocumentId(version.split("/")[0]))

    async def records(self, corpus: str | None = None) -> AsyncIterator[DocumentRecord]:
        """The ledger's lines on one corpus, or on all, as they stand in this generation."""
        with server_errors():
            async for point in scroll(self._client, self._collection, of_kind(RECORD, corpus)):
                yield record_of(point.payload or {})

    async def put(
        self, record: DocumentRecord, chunks: Sequence[EmbeddedChunk], parents: Sequence[Parent] = ()
    ) -> None:
        """Bring in one document, whole; the record first out and last in."""
        await self.remove(record.document.id)
        with server_errors():
            for start in range(0, len(parents), PAGE):
                above = [parent_point(parent) for parent in parents[start : start + PAGE]]
                await self._client.upsert(self._collection, above, wait=True)
            for start in range(0, len(chunks), PAGE):
                points = [chunk_point(row) for row in chunks[start : start + PAGE]]
                await self._client.upsert(self._collection, points, wait=True)
        with server_errors():
            await self._client.upsert(self._collection, [record_point(record)], wait=True)

    async def chunks_of(self, document: DocumentId) -> AsyncIterator[EmbeddedChunk]:
        """The document's chunks with their vectors, as they stand in this generation."""
        conditions = [matching(KIND, CHUNK), matching(DOCUMENT, document)]
        with server_errors():
            async for point in scroll(self._client, self._collection, conditions, with_vectors=True):
                yield EmbeddedChunk(chunk_of(str(point.id), point.payload or {}), embedding_of(point.vector))

    async def note(self, record: DocumentRecord) -> None:
        """Write the record anew, and into the document's chunks what it says of the document."""
        own = models.Filter(must=[matching(DOCUMENT, record.document.id), matching(KIND, CHUNK, PARENT)])
        with server_errors():
            await self._client.set_payload(
                self._collection, document_payload(record.document), points=models.FilterSelector(filter=own), wait=True
            )
            await self._client.upsert(self._collection, [record_point(record)], wait=True)

    async def remove(self, document: DocumentId) -> None:
        """Take a document out, its record too."""
        with server_errors():
            await self._client.delete(
                self._collection, points_selector=models.PointIdsList(points=[document]), wait=True
            )
            chunks = models.Filter(must=[matching(DOCUMENT, document)])
            await self._client.delete(self._collection, points_selector=models.FilterSelector(filter=chunks), wait=True)

    async def commit(self, corpora: Sequence[CorpusInfo]) -> Manifest:
        """Turn the alias to this generation, and delete those before the last one."""
        manifest = next_manifest(self._base, self._recipe, self._number, corpora)
        payload = {KIND: MANIFEST, **manifest_payload(manifest)}
        with server_errors():
            await write_term_table(self._client, self._collection)
            point = models.PointStruct(id=MANIFEST_POINT, vector={}, payload=payload)
            await self._client.upsert(self._collection, [point], wait=True)
            await self._client.update_collection_aliases(await self._turn_alias())
            await self._delete_before(self._number - 1)
        return manifest

    async def _turn_alias(self) -> list[models.AliasOperations]:
        """In one request, so that the alias is never missing."""
        create = models.CreateAliasOperation(
            create_alias=models.CreateAlias(collection_name=self._collection, alias_name=self._alias)
        )
        delete = models.DeleteAliasOperation(delete_alias=models.DeleteAlias(alias_name=self._alias))
        aliases = (await self._client.get_aliases()).aliases
        return [delete, create] if any(alias.alias_name == self._alias for alias in aliases) else [create]

    async def _delete_before(self, number: int) -> None:
        for collection in (await self._client.get_collections()).collections:
            generation = collection.name.removeprefix(f"{self._alias}_g")
            if generation != collection.name and generation.isdigit() and int(generation) < number:
                await self._client.delete_collection(collection.name)
