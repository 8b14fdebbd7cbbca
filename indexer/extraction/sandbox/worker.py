"""A process that reads files, one at a time: it ends by itself when it has nobody left to read for."""

from __future__ import annotations

import asyncio
import faulthandler
import multiprocessing
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Generator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from indexer.extraction.sandbox.extract_job import ExtractJob, ExtractOutcome, Unread, extract
from indexer.extraction.unforeseen import TOO_MUCH_MEMORY
from rag.errors import ConfigurationError

_SPAWN: Final = multiprocessing.get_context("spawn")
"""A forked child would inherit the threads of the embedding model half-way through their work."""
_START_SECONDS: Final = 120.0
"""A busy machine takes a while to load the parsers; what takes longer will not come."""
_GRACE_SECONDS: Final = 60.0
"""How long after its time a call that nobody ended ends by itself."""
_MB: Final = 1_000_000  # bytes
_POLL_SECONDS: Final = 0.5
_OUT_OF_MEMORY: Final = 113
"""The exit status of a process that gave up because of what it held; no parser's own."""
_SIGNALS: Final = frozenset({signal.SIGINT, signal.SIGTERM})


class Worker:
    """One such process, from its start to its end. A file that breaks it raises BrokenProcessPool."""

    def __init__(self, *, seconds: float, memory_mb: int) -> None:
        """`seconds` and `memory_mb`: what one file may take; memory counts beyond what an idle process holds."""
        self._seconds = seconds
        self._memory_mb = memory_mb
        self._pool = ProcessPoolExecutor(1, mp_context=_SPAWN, initializer=_settle_in, initargs=(memory_mb * _MB,))
        self.pid = 0
        """0 until it has started."""
        self._idle_bytes = 0
        self.files = 0
        """How many it has read."""

    async def start(self) -> None:
        """Wait until it can read, so that a file's time begins with the file. Raises ConfigurationError."""
        try:
            async with asyncio.timeout(_START_SECONDS):
                with _held_back():
                    starting = asyncio.get_running_loop().run_in_executor(self._pool, os.getpid)
                self.pid = await starting
            self._idle_bytes = status_bytes(self.pid, "VmData")
        except (TimeoutError, BrokenProcessPool, OSError) as error:
            raise ConfigurationError(
                "the process that reads files cannot be started: is the machine out of memory or of processes? "
                "Lower FOOTNOTE_EXTRACTORS, or give it more"
            ) from error

    async def extract(self, job: ExtractJob) -> ExtractOutcome:
        """The file's text. Raises TimeoutError after its seconds, BrokenProcessPool when the process dies of it."""
        self.files += 1
        async with asyncio.timeout(self._seconds):
            return await asyncio.get_running_loop().run_in_executor(
                self._pool, _extract_in_time, job, self._seconds + _GRACE_SECONDS
            )

    def kill(self) -> None:
        """End it, whatever it is doing."""
        for child in list((self._pool._processes or {}).values()):  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  # there is no public way to end a call that hangs before Python 3.14
            child.kill()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def fullness(self) -> float:
        """Which share of the memory that a file may take is asked for now; 0 where the system does not tell."""
        asked = status_bytes(self.pid, "VmData")
        return max(asked - self._idle_bytes, 0) / (self._memory_mb * _MB)


def _extract_in_time(job: ExtractJob, seconds: float) -> ExtractOutcome:
    """In the new process: when the indexer is gone, nobody else ends a call into a parser that hangs."""
    with Path(os.devnull).open("w") as nowhere:
        faulthandler.dump_traceback_later(seconds, exit=True, file=nowhere)
        try:
            return extract(job)
        except MemoryError:
            return Unread("", "", TOO_MUCH_MEMORY)
        finally:
            faulthandler.cancel_dump_traceback_later()


@contextmanager
def _held_back() -> Generator[None]:
    """A process is started by its first job: from its very beginning, signals to stop are none of its business."""
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


def _settle_in(memory_bytes: int) -> None:
    """In the new process: an interrupt is the indexer's business, and when that is gone, however, so are we."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)  # programs that we start would inherit the mask
    threading.Thread(target=_end_with_the_indexer, daemon=True).start()
    _bound_memory(memory_bytes)


def _end_with_the_indexer() -> None:
    """A process that waits for work is not told that nobody is left to send any."""
    indexer = multiprocessing.parent_process()
    if indexer is not None:
        indexer.join()
        os._exit(1)


def _bound_memory(allowed: int) -> None:
    """From here on, asking for more than so many bytes fails with a MemoryError, or ends the process.

    Linux counts what a process asks for (RLIMIT_DATA, with private mappings since 4.7). Elsewhere the limit is not
    heeded, and a thread looks at what the process holds.
    """
    held = status_bytes(os.getpid(), "VmData")
    if held:
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        limit = held + allowed if hard == resource.RLIM_INFINITY else min(held + allowed, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))
    else:
        threading.Thread(target=_end_beyond, args=(_peak_of_ours() + allowed,), daemon=True).start()


def _end_beyond(allowed: int) -> None:
    while _peak_of_ours() <= allowed:
        time.sleep(_POLL_SECONDS)
    os._exit(_OUT_OF_MEMORY)


def _peak_of_ours() -> int:
    """Bytes; the unit differs (getrusage(2))."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def status_bytes(pid: int, name: str) -> int:
    """A line of the kernel's report on a process (proc_pid_status(5)); 0 where there is none."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text("ascii", errors="replace").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{name}:")), 0)
