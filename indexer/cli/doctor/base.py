"""What a check finds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class CheckStatus(StrEnum):
    """How well something is."""

    OK = "ok"
    WARNING = "warning"
    """It works, but not all of it, or not for long."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One line of the doctor's report."""

    about: str
    health: CheckStatus
    says: str
    remedy: str = ""
    """What the operator can do; empty when all is well."""


def ok(about: str, says: str) -> CheckResult:
    """All is well."""
    return CheckResult(about, CheckStatus.OK, says)


def warning(about: str, says: str, remedy: str) -> CheckResult:
    """It works in part."""
    return CheckResult(about, CheckStatus.WARNING, says, remedy)


def failed(about: str, says: str, remedy: str = "") -> CheckResult:
    """It does not work. Our own errors tell the remedy themselves."""
    return CheckResult(about, CheckStatus.FAILED, says, remedy)
