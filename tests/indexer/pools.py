"""A process that reads files, kept from one run to the next: to start one takes longer than most tests."""

from __future__ import annotations

from functools import partial
from typing import Final

from indexer.extraction.sandbox.extract_job import ExtractJob, ExtractOutcome, Unread
from indexer.extraction.sandbox.pool import DEFAULT_MEMORY_MB, open_pool
from indexer.extraction.sandbox.worker import Worker

_kept: Final[list[Worker]] = []


class KeptWorker(Worker):
    """Like its parent, but that it is put aside and not ended, unless a file has harmed it."""

    is_unharmed = False

    async def extract(self, job: ExtractJob) -> ExtractOutcome:
        self.is_unharmed = False
        outcome = await super().extract(job)
        self.is_unharmed = not isinstance(outcome, Unread)
        return outcome

    def kill(self) -> None:
        if self.is_unharmed:
            self.files = 0
            _kept.append(self)
        else:
            super().kill()


def kept_or_new(*, seconds: float, memory_mb: int) -> Worker:
    return _kept.pop() if _kept else KeptWorker(seconds=seconds, memory_mb=memory_mb)


open_kept_pool = partial(open_pool, 1, seconds=60, memory_mb=DEFAULT_MEMORY_MB, make_worker=kept_or_new)
"""One process, the same as long as nothing harms it."""
open_new_pool = partial(open_pool, 1, seconds=60)
"""One process, started for the run as the program does."""
