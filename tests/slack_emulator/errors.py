"""What Slack answers when it refuses a call."""

from __future__ import annotations

from collections.abc import Sequence


class SlackError(Exception):
    """A refusal: `ok: false` with a code, and for some codes the reasons."""

    def __init__(self, code: str, reasons: Sequence[str] = ()) -> None:
        super().__init__(code)
        self.code = code
        self.reasons = tuple(reasons)


class RateLimitedError(SlackError):
    """Too many calls: status 429, to be tried again after so many seconds."""

    def __init__(self, retry_after: int) -> None:
        super().__init__("ratelimited")
        self.retry_after = retry_after
