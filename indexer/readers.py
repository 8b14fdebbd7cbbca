"""Processes that read files, replaced when a file kills or stalls one."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import AsyncGenerator, Generator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager, contextmanager
from typing import Final

from indexer.reading import Job, Same, Text, Unread, read
from rag.types import Failure

_START: Final = multiprocessing.get_context("spawn")
"""A forked child would inherit the threads of the embedding model half-way through their work."""


class Readers:
    """As many files at once as there are processes; a file that breaks its process costs only itself."""

    def __init__(self, count: int, *, seconds: float) -> None:
        """`seconds`: what one file may take."""
        self._seconds = seconds
        self._idle: asyncio.Queue[ProcessPoolExecutor] = asyncio.Queue()
        for _ in range(count):
            self._idle.put_nowait(_process())
        self.count = count

    async def read(self, job: Job) -> Text | Same | Unread:
        """The file's text, or why there is none."""
        process = await self._idle.get()
        try:
            async with asyncio.timeout(self._seconds):
                with _without_interrupts():
                    reading = asyncio.get_running_loop().run_in_executor(process, read, job)
                return await reading
        except TimeoutError:
            _kill(process)
            process = _process()
            return Unread("", "", _too_slow(self._seconds))
        except BrokenProcessPool:
            process.shutdown(wait=False)
            process = _process()
            return Unread("", "", _DIED)
        finally:
            self._idle.put_nowait(process)

    async def close(self) -> None:
        """Stop the processes; what they are reading is given up."""
        while not self._idle.empty():
            _kill(self._idle.get_nowait())
        await asyncio.sleep(0)


_DIED: Final = Failure(
    "reader_died", "Reading the file crashed the process that read it.", "Open it and save it anew, or leave it out."
)


def _too_slow(seconds: float) -> Failure:
    return Failure(
        "too_slow",
        f"Reading the file took longer than {seconds:.0f} s.",
        "Split it, leave it out, or raise FOOTNOTE_FILE_SECONDS.",
    )


def _process() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, mp_context=_START, initializer=_settle_in)


@contextmanager
def _without_interrupts() -> Generator[None]:
    """A process is started by its first job: from its very beginning Ctrl-C is none of its business."""
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


def _settle_in() -> None:
    """In the new process: an interrupt is the indexer's business, and when that is gone, however, so are we."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_indexer, daemon=True).start()


def _end_with_the_indexer() -> None:
    """A process that waits for work is not told that nobody is left to send any."""
    indexer = multiprocessing.parent_process()
    if indexer is not None:
        indexer.join()
        os._exit(1)


def _kill(process: ProcessPoolExecutor) -> None:
    for child in list((process._processes or {}).values()):  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  # there is no public way to end a call that hangs before Python 3.14
        child.kill()
    process.shutdown(wait=False, cancel_futures=True)


@asynccontextmanager
async def open_readers(count: int, *, seconds: float) -> AsyncGenerator[Readers]:
    """Start them, and stop them in the end."""
    readers = Readers(count, seconds=seconds)
    try:
        yield readers
    finally:
        await readers.close()
