"""Whole runs of the indexer: over the drives that are named, or over all anew; or one after the other for ever."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.console import Console

from indexer.bootstrap import open_pipeline
from indexer.drive import Source
from indexer.drives_file import chosen_drives, indexed_drives
from indexer.pipeline import Options
from indexer.progress import watching
from indexer.report import Report
from indexer.settings import IndexerSettings
from indexer.watching import Pace, watch
from rag.bootstrap import open_store


async def bring_up(
    settings: IndexerSettings, drives: Sequence[str], *, name: str | None, replace: bool, allow_empty: bool
) -> Report:
    """Bring the index up to drives: names of the drives file, or a folder. Raises ConfigurationError, StoreError."""
    chosen = chosen_drives(settings, drives, name=name)
    return await _run(settings, chosen, Options(replace_root=replace, allow_empty=allow_empty))


async def rebuild(settings: IndexerSettings, *, allow_empty: bool) -> Report:
    """Make the index of all drives anew. Raises ConfigurationError, StoreError."""
    async with open_store(settings) as store:
        corpora = (await store.manifest()).corpora
    drives = indexed_drives(settings, {name: corpus.root for name, corpus in corpora.items()})
    return await _run(settings, drives, Options(fresh=True, allow_empty=allow_empty))


async def keep_up(
    settings: IndexerSettings, drives: Sequence[str], *, name: str | None, report: Callable[[Report], None]
) -> None:
    """Keep the index up to drives until told to stop; `report` is given each run. Raises ConfigurationError."""
    chosen = chosen_drives(settings, drives, name=name)
    async with open_store(settings) as store, open_pipeline(settings, store) as pipeline:

        async def run(drive: Source, options: Options) -> Report:
            with watching(Console(stderr=True)) as progress:
                return await pipeline.run([drive], progress, options)

        await watch(chosen, run, report, Pace(settings.watch_seconds, settings.settle_seconds))


async def _run(settings: IndexerSettings, drives: Sequence[Source], options: Options) -> Report:
    async with open_store(settings) as store, open_pipeline(settings, store) as pipeline:
        with watching(Console(stderr=True)) as progress:
            return await pipeline.run(drives, progress, options)
