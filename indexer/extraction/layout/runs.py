"""Stretches of lines that the file holds from top to bottom, put in the order in which they are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from indexer.extraction.layout.line import PageLine

_MOST_RUNS: Final = 80
"""With more, the order of the file says nothing."""
_ROOM: Final = 0.5
"""Of a line's height that is white between two lines, where another may stand."""
_NEAR: Final = 5
"""Lines on either side of that place, of which one at least stands above or below the other line."""
_OVERLAP: Final = 2.0
"""Points by which a run may reach into the one below."""


@dataclass(frozen=True, slots=True)
class _LineRun:
    """Lines and the box round them."""

    lines: Sequence[PageLine]
    x0: float
    y0: float
    x1: float
    y1: float

    def is_above(self, other: _LineRun) -> bool:
        """Whether it is read first wherever the file has it: it ends before the other begins, in the same width."""
        return self.y1 <= other.y0 + _OVERLAP and self.x0 < other.x1 and other.x0 < self.x1


def in_order_of_runs(lines: Sequence[PageLine]) -> list[PageLine]:
    """A run that stands above another comes first; where neither does, the order of the file is kept."""
    runs = _runs(lines)
    if not 1 < len(runs) <= _MOST_RUNS:
        return list(lines)
    ordered: list[PageLine] = []
    waiting = list(runs)
    while waiting:
        free = (run for run in waiting if not any(other.is_above(run) for other in waiting if other is not run))
        first = next(free, waiting[0])
        waiting.remove(first)
        ordered.extend(first.lines)
    return ordered


def _runs(lines: Sequence[PageLine]) -> list[_LineRun]:
    groups: list[list[PageLine]] = []
    for line in lines:
        if groups and line.y1 > groups[-1][-1].y0 and line.upright == groups[-1][-1].upright:
            groups[-1].append(line)
        else:
            groups.append([line])
    if 1 < len(groups) <= _MOST_RUNS:
        groups = [part for group in groups for part in _parts(group, lines)]
    return [
        _LineRun(
            group,
            min(line.x0 for line in group),
            min(line.y0 for line in group),
            max(line.x1 for line in group),
            max(line.y1 for line in group),
        )
        for group in groups
    ]


def _parts(group: Sequence[PageLine], lines: Sequence[PageLine]) -> Iterator[list[PageLine]]:
    """The run cut where a line of another one fits in between: a heading that was drawn last."""
    own = {id(line) for line in group}
    others = [line for line in lines if id(line) not in own]
    part = [group[0]]
    for at, (above, below) in enumerate(pairwise(group), 1):
        near = group[max(0, at - _NEAR) : at], group[at : at + _NEAR]
        if below.y0 - above.y1 > _ROOM * below.height and any(_fits(line, *near) for line in others):
            yield part
            part = []
        part.append(below)
    yield part


def _fits(line: PageLine, above: Sequence[PageLine], below: Sequence[PageLine]) -> bool:
    is_between = above[-1].y1 - _OVERLAP <= line.y0 and line.y1 <= below[0].y0 + _OVERLAP
    return is_between and any(map(line.shares_width, above)) and any(map(line.shares_width, below))
