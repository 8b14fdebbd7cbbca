"""Whole runs of the indexer: over the drives that are named, or over all anew; or one after the other for ever."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace as but

from rich.console import Console

from indexer.bootstrap import open_pipeline
from indexer.cli.views.progress import open_progress
from indexer.drives.base import Drive
from indexer.drives.choice import chosen_drives, every_drive
from indexer.pipeline.pipeline import RunOptions
from indexer.pipeline.report import Report
from indexer.pipeline.watch import Intervals, watch
from indexer.settings import IndexerSettings
from rag.bootstrap.stores import open_store
from rag.errors import ConfigurationError


async def bring_up(
    settings: IndexerSettings,
    drives: Sequence[str],
    console: Console,
    *,
    name: str | None,
    replace: bool,
    allow_empty: bool,
) -> Report:
    """Bring the index up to drives: names of the drives file, or a folder. Raises ConfigurationError, StoreError.

    `console` shows the progress.
    """
    chosen = chosen_drives(settings, drives, name=name)
    options = RunOptions(replace_root=replace, allow_empty=allow_empty, others_go_on=not drives)
    report = await _run(settings, chosen, console, options)
    if all(drive.left_out for drive in report.drives):
        raise ConfigurationError("; ".join(report.absent()))
    return report


async def rebuild(settings: IndexerSettings, console: Console, *, allow_empty: bool) -> Report:
    """Make the index of all drives anew. Raises ConfigurationError, StoreError."""
    async with open_store(settings) as store:
        corpora = (await store.last_manifest()).corpora
    drives = every_drive(settings, {name: corpus.root for name, corpus in corpora.items()})
    return await _run(settings, drives, console, RunOptions(fresh=True, allow_empty=allow_empty))


async def keep_up(
    settings: IndexerSettings,
    drives: Sequence[str],
    console: Console,
    *,
    name: str | None,
    report: Callable[[Report], None],
) -> None:
    """Keep the index up to drives until told to stop; `report` is given each run. Raises ConfigurationError."""
    chosen = chosen_drives(settings, drives, name=name)
    async with open_store(settings) as store, open_pipeline(settings, store) as pipeline:

        async def run(drive: Drive, options: RunOptions) -> Report:
            with open_progress(console) as progress:
                return await pipeline.run([drive], progress, but(options, others_go_on=not drives))

        await watch(chosen, run, report, Intervals(settings.watch_seconds, settings.settle_seconds))


async def _run(settings: IndexerSettings, drives: Sequence[Drive], console: Console, options: RunOptions) -> Report:
    async with open_store(settings) as store, open_pipeline(settings, store) as pipeline:
        with open_progress(console) as progress:
            return await pipeline.run(drives, progress, options)
