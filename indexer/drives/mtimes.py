"""When files were changed: file systems and servers claim dates that neither the ledger nor a calendar can hold."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

_LAST: Final = (1 << 63) - 1
"""As many nanoseconds as the store's numbers hold: from 1677 to 2262, which `datetime` holds too."""


def storable(nanoseconds: int) -> int:
    """The time in nanoseconds, or the nearest that can be stored."""
    return min(max(nanoseconds, -_LAST), _LAST)


def date_of(nanoseconds: int) -> datetime:
    """The day and hour, or the nearest that can be stored."""
    return datetime.fromtimestamp(storable(nanoseconds) / 1e9, UTC)
