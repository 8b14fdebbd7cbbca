"""The embedded store: Qdrant's engine in this process, through qdrant-edge-py."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection, Sequence
from contextlib import ExitStack, asynccontextmanager
from itertools import islice
from pathlib import Path
from typing import TypeVar

import qdrant_edge as qe

from rag.errors import IndexMissing, StoreError
from rag.store.base import Found, FoundParents, GenerationWriter, Recipe, TermStatistics
from rag.store.edge_shard import (
    PAGE,
    embedding_of,
    engine_errors,
    of_kind,
    open_existing,
    open_or_create,
    read_chunks,
    read_comparisons,
    read_rankings,
    read_records,
    read_terms,
    scroll,
)
from rag.store.edge_writer import EdgeWriter
from rag.store.generations import Generations
from rag.store.manifests import check_recipe
from rag.store.payload import CHUNK, PARENT, chunk_of, record_of
from rag.store.queries import Query
from rag.store.searching import bounds, distinct_ids, found
from rag.store.term_table import TermTable, build_term_table
from rag.types.chunks import ChunkId, EmbeddedChunk
from rag.types.documents import DocumentId, DocumentRecord
from rag.types.index import Manifest
from rag.types.scope import Scope
from rag.types.vectors import Embedding, Vector

log = logging.getLogger(__name__)

T = TypeVar("T")


class EdgeStore:
    """Follows the pointer to the generation that serves; any number of processes may read the same folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._generations = Generations(folder)
        self._open: _OpenGeneration | None = None
        self._made: int | None = None
        self._opening = asyncio.Lock()

    async def manifest(self) -> Manifest:
        """What serves now, opened. Raises IndexMissing, StoreError."""
        return (await self._serving()).manifest

    async def last_manifest(self) -> Manifest:
        """What serves now; the shard may be damaged."""
        return self._generations.manifest(self._number())

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
        serving = await self._serving()
        generation = serving.manifest.generation
        limits = bounds(scope, within=within, among=among)
        if limits is None:
            return Found(generation, [[] for _ in queries])

        def read(shard: qe.EdgeShard) -> Found:
            rankings = read_rankings(shard, queries, limits, limit)
            ids = distinct_ids(rankings)
            return found(generation, rankings, read_chunks(shard, ids), read_comparisons(shard, compare, limits, ids))

        return await serving.run(read)

    async def term_statistics(self, terms: Sequence[int], scope: Scope) -> TermStatistics:
        """How common these terms are; see `VectorStore.term_statistics`."""
        serving = await self._serving()
        return (await serving.term_table()).statistics(serving.manifest.generation, terms, scope)

    async def search_parents(self, query: Vector, scope: Scope, *, limit: int) -> FoundParents:
        """The nearest parents that the scope admits."""
        serving = await self._serving()
        limits = bounds(scope, kind=PARENT)
        if limits is None:
            return FoundParents(serving.manifest.generation, [])
        rankings = await serving.run(lambda shard: read_rankings(shard, [query], limits, limit))
        return FoundParents(serving.manifest.generation, distinct_ids(rankings))

    async def records(self, corpus: str | None = None) -> AsyncIterator[DocumentRecord]:
        """The ledger of one corpus, or of all."""
        serving = await self._serving()
        for record in await serving.run(lambda shard: list(read_records(shard, corpus))):
            yield record

    async def document(self, document: DocumentId) -> DocumentRecord | None:
        """One line of the ledger."""
        serving = await self._serving()
        points = await serving.run(lambda shard: shard.retrieve([document], with_payload=True, with_vector=False))
        return record_of(points[0].payload or {}) if points else None

    async def scan(self, corpus: str | None = None) -> AsyncGenerator[EmbeddedChunk]:
        """Each chunk of one corpus, or of all, with its vectors; a page of them at a time is in memory."""
        serving = await self._serving()
        async with serving.held() as shard:
            rows = scroll(shard, of_kind(CHUNK, corpus), with_vector=True)
            while page := await serving.run(lambda _: list(islice(rows, PAGE))):
                for point in page:
                    yield EmbeddedChunk(chunk_of(str(point.id), point.payload or {}), embedding_of(point.vector))

    @asynccontextmanager
    async def write(self, recipe: Recipe, *, fresh: bool = False) -> AsyncGenerator[GenerationWriter]:
        """Begin, or go on with, the next generation; see `VectorStore.write`."""
        with self._generations.writing():
            base = None if fresh else self._base()
            if base is not None:
                check_recipe(recipe, base)
            writer = await self._begin(recipe, base)
            self._made = writer.generation
            try:
                yield writer
            finally:
                await writer.close()

    def _base(self) -> Manifest | None:
        """What the next generation begins as; None where there is nothing, or nothing that can be read."""
        try:
            serving = self._generations.serving()
            return None if serving is None else self._generations.manifest(serving)
        except IndexMissing as error:
            log.warning("the index is damaged; it is made anew", extra={"reason": str(error)})
            return None

    async def _begin(self, recipe: Recipe, base: Manifest | None) -> EdgeWriter:
        """The next generation, whole as far as it goes; what an interrupted run left unreadable is thrown away."""
        number_of_base = None if base is None else base.generation
        folder, number, resumed = await asyncio.to_thread(self._generations.begin, recipe, number_of_base)
        try:
            return await self._opened(folder, number, recipe, base, resumed=resumed)
        except StoreError as error:
            if not resumed:
                raise
            log.warning("an interrupted run cannot be gone on with; it is begun anew", extra={"reason": str(error)})
        await asyncio.to_thread(self._generations.give_up, number)
        folder, number, resumed = await asyncio.to_thread(self._generations.begin, recipe, number_of_base)
        return await self._opened(folder, number, recipe, base, resumed=resumed)

    async def _opened(
        self, folder: Path, number: int, recipe: Recipe, base: Manifest | None, *, resumed: bool
    ) -> EdgeWriter:
        if base is None:
            shard = await asyncio.to_thread(open_or_create, folder, recipe.dimensions)
        else:  # a copy: a damaged one must not pass for an empty one
            shard = await asyncio.to_thread(open_existing, folder)
        writer = EdgeWriter(shard, number, recipe, self._generations, base, resumed=resumed)
        try:
            await writer.recover()
        except StoreError:
            await writer.close()
            raise
        return writer

    async def aclose(self) -> None:
        """Close the shard."""
        if self._open is not None:
            await self._open.retire()
            self._open = None

    async def _serving(self) -> _OpenGeneration:
        """What the pointer points at, opened; the one before is closed when its last search is done."""
        number = self._number()
        async with self._opening:
            if self._open is not None and self._open.manifest.generation == number:
                return self._open
            previous, self._open = self._open, await asyncio.to_thread(_OpenGeneration, self._generations, number)
            if previous is not None:
                if number != self._made:  # news only to whoever did not make it
                    log.info("took up a new generation", extra={"generation": number})
                await previous.retire()
            return self._open

    def _number(self) -> int:
        """Of the generation that serves. Raises IndexMissing."""
        number = self._generations.serving()
        if number is None:
            raise IndexMissing(
                f"nothing is indexed yet in {self._folder.absolute()}: run `python -m indexer index DRIVE` with the "
                "same FOOTNOTE_DATA_DIR"
            )
        return number


class _OpenGeneration:
    """A shard that is open for searching; closed when it is retired and nobody searches any more."""

    def __init__(self, generations: Generations, number: int) -> None:
        self._generations = generations
        with ExitStack() as hold:
            hold.enter_context(generations.reading(number))
            self.manifest = generations.manifest(number)
            with generations.opening(number):
                self._shard = open_existing(generations.shard(number))
            self._hold = hold.pop_all()
        self._terms: TermTable | None = None
        self._reading_terms = asyncio.Lock()
        self._users = 0
        self._retired = False

    async def term_table(self) -> TermTable:
        """Read when it is first asked for; counted where the generation was written without one."""
        async with self._reading_terms:
            if self._terms is None:
                self._terms = await self.run(self._read_terms)
            return self._terms

    def _read_terms(self, shard: qe.EdgeShard) -> TermTable:
        kept = self._generations.term_table(self.manifest.generation)
        return build_term_table(read_terms(shard)) if kept is None else kept

    async def run(self, call: Callable[[qe.EdgeShard], T]) -> T:
        """The call's result, computed in a thread."""
        self._users += 1
        try:
            with engine_errors():
                return await asyncio.to_thread(call, self._shard)
        finally:
            self._users -= 1
            await self._close_if_idle()

    @asynccontextmanager
    async def held(self) -> AsyncGenerator[qe.EdgeShard]:
        """The shard, which is not closed for as long as the context is entered."""
        self._users += 1
        try:
            yield self._shard
        finally:
            self._users -= 1
            await self._close_if_idle()

    async def retire(self) -> None:
        """Close now, or when the last search is done."""
        self._retired = True
        await self._close_if_idle()

    async def _close_if_idle(self) -> None:
        if self._retired and self._users == 0:
            with self._hold:
                await asyncio.to_thread(self._close)

    def _close(self) -> None:
        with self._generations.opening(self.manifest.generation), engine_errors():
            self._shard.close()
