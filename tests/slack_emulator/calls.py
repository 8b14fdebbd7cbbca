"""The record of everything that the app asked of the Web API."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tests.slack_emulator.payload import Json


@dataclass(frozen=True, slots=True)
class Call:
    """One call as it arrived, and how it ended."""

    method: str
    arguments: Json
    """Without the token; what a form carried as JSON text stays text."""
    at: float
    """Seconds since 1970."""
    error: str | None = None
    """The code that it was refused with; None where it went through."""
    status: int = 0
    """The answer's HTTP status; 0 while there is none, or when the answer was lost."""

    @property
    def ok(self) -> bool:
        """Whether the app was told that it went through."""
        return self.status == 200 and self.error is None


class CallLog:
    """All calls in order of arrival."""

    def __init__(self) -> None:
        self._calls: list[Call] = []

    def arrived(self, call: Call) -> int:
        """Record a call; its number completes it later."""
        self._calls.append(call)
        return len(self._calls) - 1

    def answered(self, number: int, *, error: str | None, status: int) -> None:
        """Record how a call ended."""
        self._calls[number] = replace(self._calls[number], error=error, status=status)

    def all(self) -> list[Call]:
        """Every call so far."""
        return list(self._calls)
