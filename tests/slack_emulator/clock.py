"""Time as the stand-in sees it: real, and moved forward when a test has no patience."""

from __future__ import annotations

import time
from dataclasses import dataclass


class Clock:
    """Seconds since 1970."""

    def __init__(self) -> None:
        self._skipped = 0.0

    def now(self) -> float:
        """Real time plus everything that was skipped."""
        return time.time() + self._skipped

    def skip(self, seconds: float) -> None:
        """Let so much time pass at once: whatever expires by then has expired."""
        self._skipped += seconds


@dataclass(frozen=True, slots=True)
class Timing:
    """How long Slack's periods last, in seconds; a test shortens those that it would have to wait for."""

    minute: float = 60.0
    """The minute over which calls are counted: a Retry-After is never longer."""
    ack: float = 3.0
    """How long an app may take to acknowledge a delivery."""
    retries: tuple[float, ...] = (0.0, 60.0, 300.0)
    """How long Slack waits before each redelivery of an event."""
    stream: float = 300.0
    """How long a stream stays open."""
    trigger: float = 3.0
    response_url: float = 1800.0
    status: float = 120.0
    """How long an assistant status is shown."""
