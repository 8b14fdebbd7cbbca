"""A circuit breaker: what has just failed is left alone for a while."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

THRESHOLD: Final = 2
"""Failures in a row that open it."""
REST_SECONDS: Final = 30.0
"""How long it then stays open before one caller may try."""


class Breaker:
    """Counts failures in a row, and says whether to try."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures = 0
        self._rests_until = 0.0

    @property
    def is_open(self) -> bool:
        """Whether the last tries all failed; it stays open until one succeeds."""
        return self._failures >= THRESHOLD

    def admits(self) -> bool:
        """Whether to try now. While it is open, one caller in `REST_SECONDS` is let through to find out."""
        if not self.is_open:
            return True
        now = self._clock()
        if now < self._rests_until:
            return False
        self._rests_until = now + REST_SECONDS  # the others do not wait for the same stall at the same time
        return True

    def succeeded(self) -> None:
        """A try went well: all is forgotten."""
        self._failures = 0

    def failed(self) -> None:
        """A try went wrong."""
        self._failures += 1
        self._rests_until = self._clock() + REST_SECONDS
