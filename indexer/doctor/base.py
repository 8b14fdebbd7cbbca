"""What a check finds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Health(StrEnum):
    """How well something is."""

    OK = "ok"
    WARNING = "warning"
    """It works, but not all of it, or not for long."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the doctor's report."""

    about: str
    health: Health
    says: str
    remedy: str = ""
    """What the operator can do; empty when all is well."""


def ok(about: str, says: str) -> Finding:
    """All is well."""
    return Finding(about, Health.OK, says)


def warning(about: str, says: str, remedy: str) -> Finding:
    """It works in part."""
    return Finding(about, Health.WARNING, says, remedy)


def failed(about: str, says: str, remedy: str = "") -> Finding:
    """It does not work. Our own errors tell the remedy themselves."""
    return Finding(about, Health.FAILED, says, remedy)
