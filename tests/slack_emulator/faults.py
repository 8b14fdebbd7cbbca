"""Faults on demand: what the next calls of a method meet in place of, or on top of, an answer."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """One call's misfortune."""

    error: str = ""
    """The code that it is refused with; empty when the call goes through."""
    status: int = 200
    retry_after: int | None = None
    delay: float = 0.0
    """Seconds before anything else happens."""
    reply_lost: bool = False
    """Whether the call takes effect but the connection breaks before the answer."""


class Faults:
    """The misfortunes that are planned, each used up by one call."""

    def __init__(self) -> None:
        self._planned: defaultdict[str, list[Fault]] = defaultdict(list[Fault])

    def plan(self, method: str, fault: Fault, *, times: int, after: int) -> None:
        """Let `times` calls of `method` meet `fault`, once `after` more calls went through."""
        self._planned[method] += [Fault()] * after + [fault] * times

    def next(self, method: str) -> Fault:
        """What this call meets; a fault that does nothing where none is planned."""
        planned = self._planned[method]
        return planned.pop(0) if planned else Fault()
