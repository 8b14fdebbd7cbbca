"""What commands do with the store open: they import this module when they run, since the store takes a while."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from typing import IO

from indexer.operations.export import lines
from indexer.operations.forget import Selection, forget, select
from indexer.operations.status import Status, read_status
from indexer.settings import IndexerSettings
from rag.bootstrap.stores import open_store
from rag.types.index import Manifest


async def status_of(settings: IndexerSettings) -> Status:
    """What is indexed. Raises IndexMissing, StoreError."""
    async with open_store(settings) as store:
        return await read_status(store, settings.embedding)


async def selected(settings: IndexerSettings, name: str, paths: Sequence[str]) -> Selection:
    """What of a corpus is to be forgotten. Raises ConfigurationError, IndexMissing, StoreError."""
    async with open_store(settings) as store:
        return await select(store, name, paths)


async def without(settings: IndexerSettings, selection: Selection) -> Manifest:
    """The index that serves when it is forgotten. Raises StoreBusy, StoreError."""
    async with open_store(settings) as store:
        return await forget(store, selection)


async def write_chunks(settings: IndexerSettings, name: str | None, file: IO[bytes], *, vectors: bool) -> int:
    """A line for each chunk; how many there are. Raises ConfigurationError, IndexMissing, StoreError, OSError."""
    count = 0
    # The lines are closed also where the file cannot be written: they hold the store.
    async with open_store(settings) as store, aclosing(lines(store, name, vectors=vectors)) as chunks:
        async for line in chunks:
            file.write(line.encode("utf-8", "backslashreplace") + b"\n")
            count += 1
    file.flush()
    return count
