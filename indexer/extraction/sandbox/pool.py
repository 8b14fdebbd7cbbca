"""Processes that read files, replaced when a file kills, stalls or bloats one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

from indexer.extraction.sandbox.extract_job import ExtractJob, ExtractOutcome, Unread
from indexer.extraction.sandbox.worker import Worker
from indexer.extraction.unforeseen import TOO_MUCH_MEMORY
from rag.types.documents import Failure

FILES_A_WORKER: Final = 200
"""Then a process makes way for a new one: what parsers leak would add up over a large drive."""
DEFAULT_MEMORY_MB: Final = 1000
_NEARLY_ALL: Final = 0.6
"""A process that dies while it asks for this much of its memory is taken to have died of it."""
_LOOK_SECONDS: Final = 0.1
"""Between two looks, of less than 0.1 ms each; a file that fills the memory takes several times as long."""


class ExtractorPool:
    """As many files at once as there are processes; a file that breaks its process costs only itself."""

    def __init__(
        self, count: int, *, seconds: float, memory_mb: int, make_worker: Callable[..., Worker] = Worker
    ) -> None:
        """`seconds` and `memory_mb`: what one file may take; `make_worker` is given both."""
        self._seconds = seconds
        self._worker = partial(make_worker, seconds=seconds, memory_mb=memory_mb)
        self._idle: asyncio.Queue[Worker] = asyncio.Queue()
        for _ in range(count):
            self._idle.put_nowait(self._worker())
        self.count = count

    async def extract(self, job: ExtractJob) -> ExtractOutcome:
        """The file's text, or why there is none. Raises ConfigurationError when no process can be started."""
        worker = await self._idle.get()
        is_fit = False
        try:
            if not worker.pid:
                await worker.start()
            outcome = await self._extract(worker, job)
            is_fit = worker.files < FILES_A_WORKER and not _is_fatal(outcome)
        finally:
            if not is_fit:
                worker.kill()
                worker = self._worker()
            self._idle.put_nowait(worker)
        return outcome

    async def _extract(self, worker: Worker, job: ExtractJob) -> ExtractOutcome:
        peak = _Peak(worker)
        looking = asyncio.create_task(peak.look())
        try:
            return await worker.extract(job)
        except TimeoutError:
            return Unread("", "", _too_slow(self._seconds))
        except BrokenProcessPool:
            return Unread("", "", TOO_MUCH_MEMORY if peak.fullness > _NEARLY_ALL else _DIED)
        finally:
            looking.cancel()

    async def close(self) -> None:
        """Stop the processes; what they are reading is given up."""
        while not self._idle.empty():
            self._idle.get_nowait().kill()
        await asyncio.sleep(0)


class _Peak:
    """How full a process was at the most: after its death there is nobody to ask."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self.fullness = 0.0

    async def look(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            self.fullness = max(self.fullness, self._worker.fullness())


_DIED: Final = Failure(
    "reader_died", "Reading the file crashed the process that read it.", "Open it and save it anew, or leave it out."
)


def _is_fatal(outcome: ExtractOutcome) -> bool:
    """Whether the process is gone, stuck or too full to read on."""
    return isinstance(outcome, Unread) and outcome.failure.code in {"reader_died", "too_slow", "too_much_memory"}


def _too_slow(seconds: float) -> Failure:
    return Failure(
        "too_slow",
        f"Reading the file took longer than {seconds:.0f} s.",
        "Split it, leave it out, or raise FOOTNOTE_FILE_SECONDS.",
    )


@asynccontextmanager
async def open_pool(
    count: int, *, seconds: float, memory_mb: int = DEFAULT_MEMORY_MB, make_worker: Callable[..., Worker] = Worker
) -> AsyncGenerator[ExtractorPool]:
    """Start them, and stop them in the end."""
    pool = ExtractorPool(count, seconds=seconds, memory_mb=memory_mb, make_worker=make_worker)
    try:
        yield pool
    finally:
        await pool.close()
