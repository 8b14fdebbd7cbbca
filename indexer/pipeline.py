"""The way of a drive: walk, plan, read, chunk, embed, store, ledger. The stages run at the same time."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from indexer.chunking.base import Chunker, to_chunks
from indexer.drive import Drive, Walk, describe
from indexer.extraction.base import Aids
from indexer.plan import PASSING, Plan, Reading, by_uri, plan
from indexer.readers import Readers, open_readers
from indexer.reading import Job, Same, Text, Unread
from indexer.recipe import Recipes
from indexer.report import DriveReport, Progress, Report
from indexer.resumption import settle_others
from rag.embedding.base import Embedder
from rag.errors import ConfigurationError, IndexMissing
from rag.store.base import SCHEMA, GenerationWriter, Recipe, VectorStore
from rag.types import Chunk, CorpusInfo, DocumentRecord, DocumentState, EmbeddedChunk, Failure, Manifest

log = logging.getLogger(__name__)

READY_DOCUMENTS: Final = 8  # read and waiting for the embedder: enough that it never waits, few enough for memory
EMBEDDING_DOCUMENTS: Final = 3  # at once, so that the last chunks of one do not leave a core idle
EMBEDDING_CHUNKS: Final = 64  # of one document at once: what progress is counted in


@dataclass(frozen=True, slots=True)
class Prepared:
    """A file that was read, on its way to the store."""

    reading: Reading
    record: DocumentRecord
    chunks: Sequence[Chunk]
    is_same: bool = False
    """The bytes are those that are indexed already: only the record is written anew."""
    kept_despite: Failure | None = None
    """It could not be read this time, for a reason that may pass: what is indexed of it stays as it is."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the operator decides about one run."""

    fresh: bool = False
    """Build everything anew, beside what serves."""
    replace_root: bool = False
    """A corpus may come from another folder than before."""
    allow_empty: bool = False
    """A drive that held documents may be empty now."""


class Pipeline:
    """Brings the index up to its drives."""

    def __init__(
        self,
        *,
        store: VectorStore,
        embedder: Embedder,
        chunker: Chunker,
        recipes: Recipes,
        aids: Aids,
        readers: int,
        file_seconds: float,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._chunker = chunker
        self._recipes = recipes
        self._aids = aids
        self._readers = readers
        self._file_seconds = file_seconds

    async def run(self, drives: Sequence[Drive], progress: Progress, options: Options) -> Report:
        """One generation further, unless nothing has changed. Raises ConfigurationError, StoreBusy, StoreError."""
        began = time.monotonic()
        serving = await self._serving()
        for drive in drives:
            await self._check(drive, serving, options)
        reports = [DriveReport(drive.name) for drive in drives]
        if serving is not None and not options.fresh and await self._is_up_to_date(drives, serving, reports):
            return Report(serving.generation, False, False, reports, time.monotonic() - began)
        recipe = Recipe(self._embedder.name, self._embedder.dimensions, self._chunker.recipe)
        async with self._store.write(recipe, fresh=options.fresh) as writer:
            corpora = [
                await self._bring_up(writer, drive, report, progress)
                for drive, report in zip(drives, reports, strict=True)
            ]
            if writer.resumed:
                known = {} if serving is None or options.fresh else serving.corpora
                corpora += await settle_others(writer, known, {drive.name for drive in drives})
            manifest = await writer.commit(corpora)
        return Report(manifest.generation, True, writer.resumed, reports, time.monotonic() - began)

    async def _serving(self) -> Manifest | None:
        try:
            return await self._store.manifest()
        except IndexMissing:
            return None

    async def _check(self, drive: Drive, serving: Manifest | None, options: Options) -> None:
        """Refuse what is more likely a mistake than a wish."""
        known = None if serving is None else serving.corpora.get(drive.name)
        is_empty = await asyncio.to_thread(lambda: next(Walk(drive).files(), None) is None)
        if is_empty and not options.allow_empty:
            held = "" if known is None else f", but the index holds {known.documents} documents of it"
            raise ConfigurationError(
                f"{drive.root} is empty{held}: is the share mounted? Pass --allow-empty if it is meant to be"
            )
        if known is None:
            return
        if known.root != str(drive.root) and not options.replace_root:
            raise ConfigurationError(
                f"the corpus {drive.name!r} comes from {known.root}, not from {drive.root}: pass another --name, or "
                "--replace to index this folder in its place"
            )

    async def _is_up_to_date(self, drives: Sequence[Drive], serving: Manifest, reports: Sequence[DriveReport]) -> bool:
        """Whether there is nothing to do, so that no generation need be begun."""
        roots = {name: corpus.root for name, corpus in serving.corpora.items()}
        made_so = (serving.embedder, serving.schema) == (self._embedder.name, SCHEMA)
        if not made_so or any(roots.get(drive.name) != str(drive.root) for drive in drives):
            return False
        plans = [
            await self._plan(drive, self._store.records(drive.name), report)
            for drive, report in zip(drives, reports, strict=True)
        ]
        return all(work.is_empty for work in plans)

    async def _plan(self, drive: Drive, ledger: AsyncIterator[DocumentRecord], report: DriveReport) -> Plan:
        known = by_uri([record async for record in ledger])
        walk = Walk(drive)
        work = await asyncio.to_thread(lambda: plan(walk.files(), known, self._recipes, unreadable=walk.unreadable))
        report.unchanged, report.gone = work.unchanged, len(work.forget)
        report.skipped, report.unreadable_folders = walk.skipped, walk.unreadable
        return work

    async def _bring_up(
        self, writer: GenerationWriter, drive: Drive, report: DriveReport, progress: Progress
    ) -> CorpusInfo:
        began = time.monotonic()
        work = await self._plan(drive, writer.records(drive.name), report)
        progress.planned(drive.name, len(work.read))
        for record in work.forget:
            await writer.remove(record.document.id)
        if work.read:
            async with open_readers(self._readers, seconds=self._file_seconds) as readers:
                run = _Run(self, writer=writer, drive=drive, report=report, progress=progress, readers=readers)
                await run.over(work.read)
        report.seconds = round(time.monotonic() - began, 3)
        records = [record async for record in writer.records(drive.name)]
        chunks = sum(record.chunks for record in records)
        return CorpusInfo(drive.name, str(drive.root), len(records), chunks, datetime.now(UTC))

    def job(self, reading: Reading) -> Job:
        """What a reader is told of the file."""
        return Job(reading.file.path, self._known_sha256(reading.known), self._aids)

    def _known_sha256(self, known: DocumentRecord | None) -> str:
        """The digest of bytes that need not be read as text again; empty where they must be."""
        if known is None or (known.failure is not None and known.failure.code in PASSING):
            return ""
        prefix = self._recipes.prefix(known.document.kind)
        fingerprint = known.document.fingerprint
        return fingerprint.removeprefix(prefix) if fingerprint.startswith(prefix) else ""

    def prepare(self, drive: Drive, reading: Reading, outcome: Text | Same | Unread) -> Prepared:
        """Record and chunks. Slow for long documents: called in a thread."""
        file = reading.file
        if isinstance(outcome, Same) and reading.known is not None:
            modified_at = datetime.fromtimestamp(file.mtime_ns / 1e9, UTC)
            document = replace(reading.known.document, modified_at=modified_at)
            record = replace(reading.known, document=document, size=file.size, mtime_ns=file.mtime_ns)
            return Prepared(reading, record, (), is_same=True)
        if isinstance(outcome, Text):
            return self._prepare_text(drive, reading, outcome)
        known = reading.known
        if isinstance(outcome, Unread) and outcome.failure.code in PASSING and known is not None and known.chunks:
            return Prepared(reading, known, (), kept_despite=outcome.failure)
        kind, failure = (outcome.kind, outcome.failure) if isinstance(outcome, Unread) else ("", None)
        fingerprint = self._recipes.prefix(kind) + outcome.sha256
        document = describe(drive, file, title="", kind=kind, paged=False, fingerprint=fingerprint)
        record = DocumentRecord(document, DocumentState.FAILED, file.size, file.mtime_ns, failure=failure)
        return Prepared(reading, record, ())

    def _prepare_text(self, drive: Drive, reading: Reading, text: Text) -> Prepared:
        file = reading.file
        fingerprint = self._recipes.prefix(text.kind) + text.sha256
        document = describe(drive, file, title=text.title, kind=text.kind, paged=text.paged, fingerprint=fingerprint)
        chunks = to_chunks(document, self._chunker.cut(text.pages, title=document.title))
        record = DocumentRecord(
            document=document,
            state=DocumentState.READY if chunks else DocumentState.EMPTY,
            size=file.size,
            mtime_ns=file.mtime_ns,
            pages=len(text.pages),
            pages_without_text=sum(1 for page in text.pages if not page.text.strip()),
            chunks=len(chunks),
            warnings=text.warnings,
        )
        return Prepared(reading, record, chunks)

    async def embed(self, chunks: Sequence[Chunk], progress: Progress) -> list[EmbeddedChunk]:
        """The chunks with their vectors."""
        rows: list[EmbeddedChunk] = []
        for start in range(0, len(chunks), EMBEDDING_CHUNKS):
            batch = chunks[start : start + EMBEDDING_CHUNKS]
            embeddings = await self._embedder.embed_documents([chunk.searchable for chunk in batch])
            rows += [EmbeddedChunk(chunk, embedding) for chunk, embedding in zip(batch, embeddings, strict=True)]
            progress.embedded(len(batch))
        return rows


class _Run:
    """The stages over one drive, with a bounded queue between reading and embedding."""

    def __init__(
        self,
        pipeline: Pipeline,
        *,
        writer: GenerationWriter,
        drive: Drive,
        report: DriveReport,
        progress: Progress,
        readers: Readers,
    ) -> None:
        self._pipeline = pipeline
        self._writer = writer
        self._drive = drive
        self._report = report
        self._progress = progress
        self._readers = readers
        self._ready: asyncio.Queue[Prepared | None] = asyncio.Queue(READY_DOCUMENTS)

    async def over(self, files: Sequence[Reading]) -> None:
        """Read, embed and store each."""
        todo = iter(files)
        async with asyncio.TaskGroup() as embedding:
            for _ in range(EMBEDDING_DOCUMENTS):
                embedding.create_task(self._embed_and_store())
            async with asyncio.TaskGroup() as reading:
                for _ in range(self._readers.count):
                    reading.create_task(self._read(todo))
            for _ in range(EMBEDDING_DOCUMENTS):
                await self._ready.put(None)

    async def _read(self, todo: Iterator[Reading]) -> None:
        for reading in todo:
            outcome = await self._readers.read(self._pipeline.job(reading))
            prepared = await asyncio.to_thread(self._pipeline.prepare, self._drive, reading, outcome)
            self._progress.read(reading.file.uri, prepared.record.pages, len(prepared.chunks))
            await self._ready.put(prepared)

    async def _embed_and_store(self) -> None:
        while (prepared := await self._ready.get()) is not None:
            if prepared.kept_despite is not None:
                self._report.failed.append((prepared.record.document.uri, prepared.kept_despite))
                self._report.kept += 1
            elif prepared.is_same:
                await self._writer.note(prepared.record)
                self._report.touched += 1
            else:
                rows = await self._pipeline.embed(prepared.chunks, self._progress)
                await self._writer.put(prepared.record, rows)
                self._report.count(prepared.record, is_new=prepared.reading.known is None)
            if prepared.record.failure is not None:
                log.debug("a file was not read", extra={"uri": prepared.record.document.uri})
            self._progress.stored(prepared.record.document.uri)
