"""What an app shows around its messages: a status while it works, prompts to start from, a thread's title."""

from __future__ import annotations

from tests.slack_emulator.clock import Clock, Timing
from tests.slack_emulator.payload import Json


class Assistant:
    """The state of the assistant surfaces."""

    def __init__(self, clock: Clock, timing: Timing) -> None:
        self._clock = clock
        self._timing = timing
        self._statuses: dict[tuple[str, str], tuple[str, float]] = {}
        self.prompts: dict[str, list[Json]] = {}
        """The suggested prompts by channel."""
        self.titles: dict[tuple[str, str], str] = {}

    def set_status(self, channel: str, thread: str, status: str) -> None:
        """Show a status in a thread; an empty one takes it away."""
        self._statuses[channel, thread] = (status, self._clock.now())

    def status(self, channel: str, thread: str) -> str:
        """What is shown now: an unrenewed status times out."""
        status, set_at = self._statuses.get((channel, thread), ("", 0.0))
        return status if self._clock.now() < set_at + self._timing.status else ""
