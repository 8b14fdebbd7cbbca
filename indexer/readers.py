"""Processes that read files, replaced when a file kills, stalls or bloats one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from indexer.reading import TOO_MUCH_MEMORY, Job, Same, Text, Unread
from indexer.worker import Worker
from rag.types import Failure

FILES_A_WORKER: Final = 200
"""Then a process makes way for a new one: what parsers leak would add up over a large drive."""
DEFAULT_MEMORY_MB: Final = 1000
_NEARLY_ALL: Final = 0.6
"""A process that dies while it asks for this much of its memory is taken to have died of it."""
_LOOK_SECONDS: Final = 0.1


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of a file, and what it took."""

    outcome: Text | Same | Unread
    seconds: float
    """Without the start of a process."""
    peak_bytes: int
    """The most that the process held meanwhile; 0 where the system does not tell."""


class Readers:
    """As many files at once as there are processes; a file that breaks its process costs only itself."""

    def __init__(self, count: int, *, seconds: float, memory_mb: int) -> None:
        """`seconds` and `memory_mb`: what one file may take."""
        self._seconds = seconds
        self._memory_mb = memory_mb
        self._idle: asyncio.Queue[Worker] = asyncio.Queue()
        for _ in range(count):
            self._idle.put_nowait(self._worker())
        self.count = count

    async def read(self, job: Job) -> Text | Same | Unread:
        """The file's text, or why there is none. Raises ConfigurationError when no process can be started."""
        return (await self.measured(job)).outcome

    async def measured(self, job: Job) -> Measured:
        """The same, with what it took."""
        worker = await self._idle.get()
        is_fit = False
        try:
            if not worker.pid:
                await worker.start()
            measured = await self._read(worker, job)
            is_fit = worker.files < FILES_A_WORKER and not _is_fatal(measured.outcome)
        finally:
            if not is_fit:
                worker.kill()
                worker = self._worker()
            self._idle.put_nowait(worker)
        return measured

    async def _read(self, worker: Worker, job: Job) -> Measured:
        worker.forget_peak()
        began = time.monotonic()
        peak = _Peak(worker)
        looking = asyncio.create_task(peak.look())
        try:
            outcome = await worker.read(job)
        except TimeoutError:
            outcome = Unread("", "", _too_slow(self._seconds))
        except BrokenProcessPool:
            outcome = Unread("", "", TOO_MUCH_MEMORY if peak.fullness > _NEARLY_ALL else _DIED)
        finally:
            looking.cancel()
        return Measured(outcome, time.monotonic() - began, max(peak.bytes, worker.peak_bytes()))

    def _worker(self) -> Worker:
        return Worker(seconds=self._seconds, memory_mb=self._memory_mb)

    async def close(self) -> None:
        """Stop the processes; what they are reading is given up."""
        while not self._idle.empty():
            self._idle.get_nowait().kill()
        await asyncio.sleep(0)


class _Peak:
    """What a process held when it was last seen: after its death there is nobody to ask."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self.bytes = worker.peak_bytes()
        self.fullness = 0.0

    async def look(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            self.bytes = max(self.bytes, self._worker.peak_bytes())
            self.fullness = max(self.fullness, self._worker.fullness())


_DIED: Final = Failure(
    "reader_died", "Reading the file crashed the process that read it.", "Open it and save it anew, or leave it out."
)


def _is_fatal(outcome: Text | Same | Unread) -> bool:
    """Whether the process is gone, stuck or too full to read on."""
    return isinstance(outcome, Unread) and outcome.failure.code in {"reader_died", "too_slow", "too_much_memory"}


def _too_slow(seconds: float) -> Failure:
    return Failure(
        "too_slow",
        f"Reading the file took longer than {seconds:.0f} s.",
        "Split it, leave it out, or raise FOOTNOTE_FILE_SECONDS.",
    )


@asynccontextmanager
async def open_readers(count: int, *, seconds: float, memory_mb: int = DEFAULT_MEMORY_MB) -> AsyncGenerator[Readers]:
    """Start them, and stop them in the end."""
    readers = Readers(count, seconds=seconds, memory_mb=memory_mb)
    try:
        yield readers
    finally:
        await readers.close()
