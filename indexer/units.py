"""Units: those that settings count in, and how a number is said of a thing."""

from __future__ import annotations

from typing import Final

MB: Final = 1_000_000  # bytes


def counted(number: int, one: str, many: str = "") -> str:
    """A number and what it counts: "1 page", "2 pages"; `many` where it is not `one` with an s."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
