"""Reading, embedding and storing the files of one drive, all at the same time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from indexer.drives.base import Drive
from indexer.extraction.sandbox.extract_job import ExtractOutcome, Unread
from indexer.extraction.sandbox.pool import ExtractorPool
from indexer.pipeline.copies import Moves
from indexer.pipeline.parents import ParentMaker
from indexer.pipeline.plan import PendingFile
from indexer.pipeline.record import PreparedDocument, RecordBuilder
from indexer.pipeline.report import DriveReport, RunProgress
from indexer.pipeline.reuse import KeptVectors
from rag.embedding.base import Embedder
from rag.errors import ExtractionError
from rag.store.base import GenerationWriter
from rag.types.chunks import Chunk, EmbeddedChunk
from rag.types.vectors import Embedding

log = logging.getLogger(__name__)

READY_DOCUMENTS: Final = 8  # read and waiting for the embedder: enough that it never waits, few enough for memory
EMBEDDING_DOCUMENTS: Final = 3  # at once, so that the last chunks of one do not leave a core idle
EMBEDDING_CHUNKS: Final = 64  # of one document at once: what progress is counted in


async def extract_file(
    drive: Drive, pending: PendingFile, builder: RecordBuilder, pool: ExtractorPool
) -> ExtractOutcome:
    """What became of the file, wherever the drive is."""
    try:
        async with drive.at_hand(pending.file) as path:
            return await pool.extract(builder.job(pending, path))
    except ExtractionError as error:
        return Unread("", "", error.failure)


@dataclass(frozen=True, slots=True)
class StageParts:
    """What each stage works with."""

    builder: RecordBuilder
    embedder: Embedder
    parents: ParentMaker
    pool: ExtractorPool
    writer: GenerationWriter
    kept: KeptVectors
    progress: RunProgress


class Stages:
    """The stages over one drive, with a bounded queue between reading and embedding."""

    def __init__(self, parts: StageParts, drive: Drive, report: DriveReport, moves: Moves) -> None:
        self._parts = parts
        self._drive = drive
        self._report = report
        self._moves = moves
        self._ready: asyncio.Queue[PreparedDocument | None] = asyncio.Queue(READY_DOCUMENTS)

    async def over(self, files: Sequence[PendingFile], tried: Mapping[str, tuple[PendingFile, ExtractOutcome]]) -> None:
        """Read, embed and store each; what was `tried` just now, by uri, need not be read again."""
        todo = iter(files)
        async with asyncio.TaskGroup() as embedding:
            for _ in range(EMBEDDING_DOCUMENTS):
                embedding.create_task(self._embed_and_store())
            async with asyncio.TaskGroup() as extracting:
                for _ in range(self._parts.pool.count):
                    extracting.create_task(self._extract(todo, tried))
            for _ in range(EMBEDDING_DOCUMENTS):
                await self._ready.put(None)

    async def _extract(
        self, todo: Iterator[PendingFile], tried: Mapping[str, tuple[PendingFile, ExtractOutcome]]
    ) -> None:
        builder, pool = self._parts.builder, self._parts.pool
        for pending in todo:
            before, outcome = tried.get(pending.file.uri, (None, None))
            if outcome is None or before != pending:
                outcome = await extract_file(self._drive, pending, builder, pool)
            prepared = await asyncio.to_thread(builder.build, self._drive, pending, outcome)
            self._parts.progress.read(pending.file.uri, prepared.record.pages, len(prepared.chunks))
            await self._ready.put(prepared)

    async def _embed_and_store(self) -> None:
        while (prepared := await self._ready.get()) is not None:
            record = prepared.record
            if prepared.kept_despite is not None:
                self._report.keep(record, prepared.kept_despite)
            elif prepared.is_same:
                await self._parts.writer.note(record)
                self._report.touched += 1
            else:
                await self._store(prepared)
            if record.failure is not None:
                log.debug("a file was not read", extra={"uri": record.document.uri})

    async def _store(self, prepared: PreparedDocument) -> None:
        known = prepared.pending.known
        async with self._parts.kept.of(prepared.record, known) as kept:
            rows = await self._embed(prepared.chunks, kept)
            parents = await self._parts.parents.above(rows)
            record = replace(prepared.record, warnings=(*prepared.record.warnings, *parents.warnings))
            await self._parts.writer.put(record, rows, parents.rows)
        self._report.count(record, known=known, origin=self._moves.origin(record) if known is None else None)

    async def _embed(self, chunks: Sequence[Chunk], kept: Mapping[str, Embedding]) -> list[EmbeddedChunk]:
        """The chunks with their vectors; the model is asked for those alone that nobody has."""
        rows: list[EmbeddedChunk] = []
        made: dict[str, Embedding] = {}  # sections repeat within a document; the rows hold the same vectors anyway
        for start in range(0, len(chunks), EMBEDDING_CHUNKS):
            batch = [(chunk, chunk.searchable) for chunk in chunks[start : start + EMBEDDING_CHUNKS]]
            missing = list(dict.fromkeys(text for _, text in batch if text not in kept and text not in made))
            if missing:
                made.update(zip(missing, await self._parts.embedder.embed_documents(missing), strict=True))
            self._report.vectors_kept += sum(1 for _, text in batch if text in kept)
            rows += [EmbeddedChunk(chunk, kept[text] if text in kept else made[text]) for chunk, text in batch]
            self._parts.progress.embedded(len(batch))
        return rows
