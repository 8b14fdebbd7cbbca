"""The order in which a person reads boxes on a slide: what stands close together first, else down and to the right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeVar

T = TypeVar("T")

_OVERLAP_ALLOWED: Final = 0.2
"""Share of the smaller box; boxes drawn by hand rarely stand clear of each other."""
_WIDE_SHARE: Final = 0.5
"""Of the widest gap: those that are nearly as wide part the page at the same time."""
_MOST_CUTS: Final = 40


@dataclass(frozen=True, slots=True)
class Box:
    """Where something stands, in any unit; y grows downwards."""

    left: float
    top: float
    width: float
    height: float


def in_reading_order(items: Sequence[tuple[Box | None, T]]) -> list[T]:
    """The items by their places; what has none comes first, as it is.

    The page is cut at its widest gaps, into bands or columns, and each of these again: so the heading of a column is
    read before its text, and not after the heading of the next one.
    """
    placed = [(box, item) for box, item in items if box is not None]
    return [item for box, item in items if box is None] + [item for _, item in _ordered(placed, 0)]


def _ordered(items: list[tuple[Box, T]], cuts: int) -> list[tuple[Box, T]]:
    if len(items) <= 1:
        return items
    bands = sorted(items, key=lambda item: (item[0].top, item[0].left))
    columns = sorted(items, key=lambda item: (item[0].left, item[0].top))
    down = _gaps([(box.top, box.height) for box, _ in bands])
    right = _gaps([(box.left, box.width) for box, _ in columns])
    if cuts >= _MOST_CUTS or not (down or right):
        return bands
    across = max(down.values(), default=-1.0) >= max(right.values(), default=-1.0)
    gaps, ordered = (down, bands) if across else (right, columns)
    widest = max(gaps.values())
    places = [0, *(at for at, gap in gaps.items() if gap >= _WIDE_SHARE * widest), len(ordered)]
    groups = [ordered[start:end] for start, end in pairwise(places)]
    return [item for group in groups for item in _ordered(group, cuts + 1)]


def _gaps(spans: list[tuple[float, float]]) -> dict[int, float]:
    """The clear gaps in front of the spans (start, length; in ascending order), by the place of the span."""
    gaps: dict[int, float] = {}
    end, length_before = spans[0][0] + spans[0][1], spans[0][1]
    for at, (start, length) in enumerate(spans[1:], start=1):
        gap = start - end
        if gap >= -_OVERLAP_ALLOWED * min(length_before, length):
            gaps[at] = max(gap, 0.0)
        end, length_before = max(end, start + length), length
    return gaps
