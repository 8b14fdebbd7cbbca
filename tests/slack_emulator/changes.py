"""Waiting for something to become true, without polling."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Changes:
    """Wakes those who wait whenever something has changed."""

    def __init__(self) -> None:
        self._next = asyncio.Event()

    def announce(self) -> None:
        """Something changed: every waiter looks again."""
        changed, self._next = self._next, asyncio.Event()
        changed.set()

    async def until(self, holds: Callable[[], bool], *, timeout: float, what: str) -> None:  # noqa: ASYNC109  # the message names what did not happen
        """Return once `holds()`; raise TimeoutError that names `what` when it does not in time."""
        try:
            async with asyncio.timeout(timeout):
                while not holds():
                    await self._next.wait()
        except TimeoutError as error:
            raise TimeoutError(f"{what}: not within {timeout} s") from error
