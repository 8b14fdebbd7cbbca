"""What reading a file takes: its time, and the most memory that the process which reads it holds meanwhile."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from indexer.extraction.sandbox.extract_job import ExtractJob, ExtractOutcome
from indexer.extraction.sandbox.pool import ExtractorPool, open_pool
from indexer.extraction.sandbox.worker import Worker, status_bytes

_LOOK_SECONDS: Final = 0.1


@dataclass(frozen=True, slots=True)
class FileCost:
    """Of one file."""

    seconds: float
    """Without the start of a process."""
    peak_bytes: int
    """0 where the system does not tell."""


class MeasuredWorker(Worker):
    """Notes the cost of each file by its path."""

    def __init__(self, costs: dict[Path, FileCost], *, seconds: float, memory_mb: int) -> None:
        super().__init__(seconds=seconds, memory_mb=memory_mb)
        self._costs = costs
        self._peak_bytes = 0

    async def extract(self, job: ExtractJob) -> ExtractOutcome:
        """As always."""
        self._forget_peak()
        began = time.monotonic()
        looking = asyncio.create_task(self._look())
        try:
            return await super().extract(job)
        finally:
            looking.cancel()
            peak_bytes = max(self._peak_bytes, status_bytes(self.pid, "VmHWM"))
            self._costs[job.path] = FileCost(time.monotonic() - began, peak_bytes)

    async def _look(self) -> None:
        """After its death there is nobody to ask."""
        while True:
            self._peak_bytes = max(self._peak_bytes, status_bytes(self.pid, "VmHWM"))
            await asyncio.sleep(_LOOK_SECONDS)

    def _forget_peak(self) -> None:
        """Count its peak from now on, where the system lets us (proc_pid_clear_refs(5))."""
        self._peak_bytes = 0
        try:
            Path(f"/proc/{self.pid}/clear_refs").write_bytes(b"5")
        except OSError:
            return


@asynccontextmanager
async def open_measured(
    count: int, *, seconds: float, memory_mb: int
) -> AsyncGenerator[tuple[ExtractorPool, Mapping[Path, FileCost]]]:
    """The indexer's pool of extractors, and what each file has cost that went through it."""
    costs: dict[Path, FileCost] = {}
    make_worker = partial(MeasuredWorker, costs)
    async with open_pool(count, seconds=seconds, memory_mb=memory_mb, make_worker=make_worker) as pool:
        yield pool, costs
