"""The way of a drive: walk, plan, read, chunk, embed, store, ledger. The stages run at the same time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, TypeAlias

from indexer.chunking.base import Chunker
from indexer.drives.base import Drive, DriveFile, Listing
from indexer.drives.documents import labels_of
from indexer.extraction.base import ExtractionContext
from indexer.extraction.sandbox.extract_job import ExtractOutcome
from indexer.extraction.sandbox.pool import ExtractorPool
from indexer.pipeline.copies import Moves, duplicates
from indexer.pipeline.parents import ParentMaker
from indexer.pipeline.plan import DrivePlan, PendingFile, PlanOptions, by_uri, plan
from indexer.pipeline.recipe import Recipes
from indexer.pipeline.record import RecordBuilder
from indexer.pipeline.report import DriveReport, Report, RunProgress
from indexer.pipeline.resumption import settle_others
from indexer.pipeline.reuse import KeptVectors
from indexer.pipeline.stages import StageParts, Stages, extract_file
from indexer.units import counted
from rag.embedding.base import Embedder
from rag.errors import ConfigurationError, IndexMissing, StoreError
from rag.store.base import SCHEMA, GenerationWriter, Recipe, VectorStore
from rag.types.documents import DocumentRecord, Failure
from rag.types.index import CorpusInfo, Manifest

OpenPool: TypeAlias = Callable[[], AbstractAsyncContextManager[ExtractorPool]]
"""Starts the processes that read files; they end with a run."""
SHOWN: Final = 5  # folders that an error names


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What the operator decides about one run."""

    fresh: bool = False
    """Build everything anew, beside what serves."""
    replace_root: bool = False
    """A corpus may come from another folder than before."""
    allow_empty: bool = False
    """A drive that held documents may be empty now, or in part unreadable when everything is built anew."""
    is_whole: Callable[[DriveFile], bool] | None = None
    """Whether a file that is to be read can be, or is still being written."""
    others_go_on: bool = False
    """A drive that is not there, or suddenly empty, is left out of the run and named, where it stops the run else."""
    costly: bool = True
    """Whether files that took long to fail are tried again."""


@dataclass(slots=True)
class _Work:
    """One drive's part of a run."""

    drive: Drive
    report: DriveReport
    listing: Listing
    """The one look at the drive that this run is planned by."""
    files: Sequence[DriveFile] | None = None
    """What it showed; None before."""
    plan: DrivePlan = field(default_factory=lambda: DrivePlan((), (), 0))
    tried: dict[str, tuple[PendingFile, ExtractOutcome]] = field(
        default_factory=dict[str, tuple[PendingFile, ExtractOutcome]]
    )
    """What was read before a generation was begun, by uri."""


class Pipeline:
    """Brings the index up to its drives."""

    def __init__(
        self,
        *,
        store: VectorStore,
        embedder: Embedder,
        chunker: Chunker,
        recipes: Recipes,
        parents: ParentMaker,
        context: ExtractionContext,
        open_pool: OpenPool,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._recipe = Recipe(embedder.name, embedder.dimensions, chunker.recipe)
        self._recipes = recipes
        self._builder = RecordBuilder(chunker, recipes, context)
        self._parents = parents
        self._open_pool = open_pool

    async def run(self, drives: Sequence[Drive], progress: RunProgress, options: RunOptions) -> Report:
        """One generation further, unless nothing has changed. Raises ConfigurationError, StoreBusy, StoreError."""
        try:
            return await self._run(drives, progress, options)
        finally:
            for drive in drives:
                await asyncio.to_thread(drive.close)

    async def _run(self, drives: Sequence[Drive], progress: RunProgress, options: RunOptions) -> Report:
        began = time.monotonic()
        serving = await self._serving()
        reports = [await self._check(drive, serving, options) for drive in drives]
        works = [
            _Work(drive, report, drive.listing())
            for drive, report in zip(drives, reports, strict=True)
            if not report.left_out
        ]
        if drives and not works:
            return Report(serving.generation if serving else 0, False, False, reports, time.monotonic() - began)
        async with self._open_pool() as pool:
            if serving is not None and not options.fresh and await self._is_up_to_date(works, serving, pool, options):
                return Report(serving.generation, False, False, reports, time.monotonic() - began)
            async with self._store.write(self._recipe, fresh=options.fresh) as writer:
                corpora = await self._bring_up(writer, works, pool, progress, options)
                if writer.resumed:
                    known = {} if serving is None or options.fresh else serving.corpora
                    corpora += await settle_others(writer, known, {work.drive.name for work in works})
                manifest = await writer.commit(corpora)
        return Report(manifest.generation, True, writer.resumed, reports, time.monotonic() - began)

    async def _serving(self) -> Manifest | None:
        try:
            return await self._store.last_manifest()
        except IndexMissing:
            return None

    async def _check(self, drive: Drive, serving: Manifest | None, options: RunOptions) -> DriveReport:
        """Refuse what is more likely a mistake than a wish, or leave it out."""
        known = None if serving is None else serving.corpora.get(drive.name)
        listing = drive.listing()
        problem = ""
        is_empty = await asyncio.to_thread(lambda: next(listing.files(), None) is None)
        if is_empty and "." in listing.unreadable and known is None:
            problem = f"{drive.location} ({drive.name}) cannot be listed: is it there, and may we read it?"
        if is_empty and "." not in listing.unreadable and not options.allow_empty:
            held = "" if known is None else f", but the index holds {counted(known.documents, 'document')} of it"
            problem = f"{drive.location} is empty{held}: is the share mounted? Pass --allow-empty if it is meant to be"
        if problem:
            if not options.others_go_on:
                raise ConfigurationError(problem)
            return DriveReport(drive.name, left_out=problem, unreadable_folders=listing.unreadable)
        if known is not None and known.root != drive.location and not options.replace_root:
            raise ConfigurationError(
                f"the corpus {drive.name!r} comes from {known.root}, not from {drive.location}: pass another --name, "
                "or --replace to index this folder in its place"
            )
        return DriveReport(drive.name)

    async def _is_up_to_date(
        self, works: Sequence[_Work], serving: Manifest, pool: ExtractorPool, options: RunOptions
    ) -> bool:
        """Whether there is nothing to do, so that no generation need be begun."""
        roots = {name: corpus.root for name, corpus in serving.corpora.items()}
        made_so = (serving.embedder, serving.schema) == (self._recipe.embedder, SCHEMA)
        if not made_so or any(roots.get(work.drive.name) != work.drive.location for work in works):
            return False
        for work in works:
            ledger = [record async for record in self._store.records(work.drive.name)]
            await self._plan(work, ledger, options)
            work.report.duplicates = duplicates(ledger)
        if any(work.plan.forget or work.plan.relabel for work in works):
            return False
        # Files that could not be read and still cannot must not make a generation at each run: they are read first.
        still = [(work, await self._still_unread(work, pool)) for work in works if work.plan.read]
        if any(unread is None for _, unread in still):
            return False
        for work, unread in still:
            for record, failure in unread or []:
                work.report.keep(record, failure)
        return True

    async def _still_unread(self, work: _Work, pool: ExtractorPool) -> Sequence[tuple[DocumentRecord, Failure]] | None:
        """The files that are to be read, if they leave the index as it is; None as soon as one does not."""
        unread: list[tuple[DocumentRecord, Failure]] = []
        if any(pending.known is None for pending in work.plan.read):
            return None
        for pending in sorted(work.plan.read, key=lambda pending: pending.is_second_try):
            outcome = await extract_file(work.drive, pending, self._builder, pool)
            work.tried[pending.file.uri] = (pending, outcome)
            prepared = await asyncio.to_thread(self._builder.build, work.drive, pending, outcome)
            failure = prepared.kept_despite or prepared.record.failure
            if failure is None or not prepared.changes_nothing:
                return None
            unread.append((prepared.record, failure))
        return unread

    async def _plan(self, work: _Work, ledger: Sequence[DocumentRecord], options: RunOptions) -> None:
        """Hold the drive, as it looked when it was planned first, against the ledger."""
        drive, report, listing = work.drive, work.report, work.listing
        if work.files is None:
            work.files = await asyncio.to_thread(lambda: list(listing.files()))
        files = work.files
        wanted = PlanOptions(lambda uri: labels_of(drive, uri), options.is_whole, options.costly)
        work.plan = await asyncio.to_thread(
            lambda: plan(files, by_uri(ledger), self._recipes, unreadable=listing.unreadable, options=wanted)
        )
        report.unchanged, report.gone = work.plan.unchanged, len(work.plan.forget)
        report.relabelled, report.put_off = len(work.plan.relabel), list(work.plan.put_off)
        report.skipped, report.unreadable_folders = listing.skipped, listing.unreadable
        concerned = {pending.file.uri for pending in work.plan.read}
        report.remember(ledger, concerned=concerned | {record.document.uri for record in work.plan.forget})

    async def _bring_up(
        self,
        writer: GenerationWriter,
        works: Sequence[_Work],
        pool: ExtractorPool,
        progress: RunProgress,
        options: RunOptions,
    ) -> list[CorpusInfo]:
        """All drives, and only then what is gone: until then its vectors serve the places that it was moved to."""
        records = [record async for record in writer.records()]
        for work in works:
            await self._plan(work, [record for record in records if record.document.corpus == work.drive.name], options)
            if options.fresh and not options.allow_empty:
                await self._check_hidden(work)
        kept = KeptVectors(writer, records)
        parts = StageParts(self._builder, self._embedder, self._parents, pool, writer, kept, progress)
        for work in works:
            await self._run_stages(work, parts)
        for work in works:
            for record in work.plan.forget:
                await writer.remove(record.document.id)
        return [await self._count(work, writer) for work in works]

    async def _check_hidden(self, work: _Work) -> None:
        """What a drive does not show now would be missing from an index made anew. Raises ConfigurationError."""
        hidden = work.report.unreadable_folders
        below = tuple(f"{folder}/" for folder in hidden)
        try:
            known = [record.document.uri async for record in self._store.records(work.drive.name)] if hidden else []
        except IndexMissing:
            known = []
        except StoreError as error:
            raise ConfigurationError(
                f"{work.drive.name}: {', '.join(hidden[:SHOWN])} cannot be listed, and the index is too damaged to "
                "tell what of it is indexed: mount the share or give the right to read it, or pass --allow-empty to "
                "go on without it"
            ) from error
        missing = [uri for uri in known if "." in hidden or uri.startswith(below)]
        if missing:
            lost = counted(len(missing), "indexed document lies", "indexed documents lie")
            raise ConfigurationError(
                f"{work.drive.name}: {', '.join(hidden[:SHOWN])} cannot be listed, and {lost} there: mount the share "
                "or give the right to read it, or pass --allow-empty to go on without"
            )

    async def _run_stages(self, work: _Work, parts: StageParts) -> None:
        began = time.monotonic()
        parts.progress.planned(work.drive.name, {each.file.uri: each.file.size for each in work.plan.read})
        for record in work.plan.relabel:
            await parts.writer.note(record)
        if work.plan.read:
            stages = Stages(parts, work.drive, work.report, Moves(work.plan.forget))
            # New files first: one may be what stood where a changed one stands now, and finds its vectors there.
            await stages.over([pending for pending in work.plan.read if pending.known is None], work.tried)
            await stages.over([pending for pending in work.plan.read if pending.known is not None], work.tried)
        work.report.seconds = round(time.monotonic() - began, 3)

    async def _count(self, work: _Work, writer: GenerationWriter) -> CorpusInfo:
        records = [record async for record in writer.records(work.drive.name)]
        work.report.duplicates = duplicates(records)
        chunks = sum(record.chunks for record in records)
        return CorpusInfo(work.drive.name, work.drive.location, len(records), chunks, datetime.now(UTC))
