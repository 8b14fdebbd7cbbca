"""Whether the drives are there and can be read."""

from __future__ import annotations

import asyncio

from indexer.cli.doctor.base import CheckResult, failed, ok, warning
from indexer.drives.base import Drive
from indexer.drives.choice import every_root, indexed_drives
from indexer.drives.drives_file import DrivesFile, load_drives
from indexer.settings import IndexerSettings
from rag.bootstrap.stores import open_store
from rag.errors import ConfigurationError, FootnoteError

_REMEDY = "Mount the share, or give the indexer the right to read it."


async def check_drives(settings: IndexerSettings) -> list[CheckResult]:
    """Those of the drives file, and those that are indexed."""
    roots = await _indexed(settings)
    try:
        file = load_drives(settings)
    except ConfigurationError as error:
        return [failed("drives", str(error))]
    roots = every_root(file, roots)
    if not roots:
        return [warning("drives", "none is indexed, and FOOTNOTE_DRIVES_FILE names none", "Index a folder.")]
    return [await asyncio.to_thread(_check, file, name, root) for name, root in roots.items()]


async def _indexed(settings: IndexerSettings) -> dict[str, str]:
    """Where each corpus comes from; nothing where the index cannot be read, which another check tells."""
    try:
        async with open_store(settings) as store:
            return {name: corpus.root for name, corpus in (await store.last_manifest()).corpora.items()}
    except FootnoteError:
        return {}


def _check(file: DrivesFile | None, name: str, root: str) -> CheckResult:
    about = f"drive {name}"
    try:
        [drive] = indexed_drives(file, {name: root})
    except ConfigurationError as error:
        return failed(about, str(error))
    return _look(about, drive)


def _look(about: str, drive: Drive) -> CheckResult:
    """A first file is enough: a whole walk may take long."""
    listing = drive.listing()
    first = next(listing.files(), None)
    if "." in listing.unreadable:
        return failed(about, f"{drive.location} cannot be listed", _REMEDY)
    if first is None:
        return warning(about, f"{drive.location} is empty", _REMEDY)
    return ok(about, f"{drive.location} can be read")
