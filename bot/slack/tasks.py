"""Work that goes on after Slack has had its acknowledgement, and that a shutdown waits for."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Coroutine
from typing import Any, Final

log = logging.getLogger(__name__)

APOLOGY_SECONDS: Final = 5.0
"""How long a cancelled task may take to say so to its reader."""


class Tasks:
    """All running answers of a program."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._running)

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start the work. Its failure is logged with its traceback; nobody needs to await the task."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        task.add_done_callback(log_failure)
        return task

    async def drain(self, seconds: float) -> None:
        """Let the running work finish for `seconds`, then cancel it and give it a moment to apologise.

        Work that is started in the meantime counts as running.
        """
        until = time.monotonic() + seconds
        await asyncio.sleep(0)  # what was started just now gets to where it can apologise
        while self._running and (left := until - time.monotonic()) > 0:
            await asyncio.wait(self._running, timeout=left)
        late = set(self._running)
        for task in late:
            task.cancel()
        if late:
            _, lost = await asyncio.wait(late, timeout=APOLOGY_SECONDS)
            log.warning("answers cut off", extra={"cancelled": len(late), "lost": len(lost)})


def log_failure(task: asyncio.Task[None]) -> None:
    """Log what a finished task died of; to be added as its callback."""
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("task failed", exc_info=error)
