"""Grids that are drawn on a PDF page: the rules of its tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from indexer.extraction.formats.pdf.glyphs import Box

_THIN: Final = 3.0
"""Points: a box thinner than this is a rule."""
_SAME: Final = 3.0
"""Points between two rules that are one: double, or drawn piece by piece."""
_SHORTEST: Final = 5.0
"""Points: shorter ones are marks."""
_MOST_BOXES: Final = 4000
_MOST_EDGES: Final = 300
"""A page with more is a drawing."""
_LEAST_BOUNDARIES: Final = 3
"""Two rows, or two columns."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A straight rule, across the page or down."""

    at: float
    """y of a rule across, x of one down."""
    start: float
    end: float
    number: int = 0
    """Of the row below it or the column to its right, counted from 0."""

    def reaches(self, place: float) -> bool:
        """Whether the rule is drawn at that place along its course."""
        return self.start - _SAME <= place <= self.end + _SAME


@dataclass(frozen=True, slots=True)
class RuledGrid:
    """Rules that cross each other, from the top and from the left."""

    across: tuple[Edge, ...]
    down: tuple[Edge, ...]
    box: Box
    """What they enclose."""

    def row(self, x: float, y: float) -> int:
        """The row of a place, counted from the top; of cells that were merged, the uppermost."""
        return max((edge.number for edge in self.across if edge.at < y and edge.reaches(x)), default=0)

    def column(self, x: float, y: float) -> int:
        """Likewise its column, from the left; of cells that were merged, the one at the left."""
        return max((edge.number for edge in self.down if edge.at < x and edge.reaches(y)), default=0)

    def cuts(self, x0: float, x1: float, y: float) -> list[float]:
        """Where rules stand between two places of one height."""
        return sorted({edge.at for edge in self.down if x0 < edge.at < x1 and edge.reaches(y)})

    def encloses(self, x: float, y: float) -> bool:
        """Whether the place is inside."""
        x0, y0, x1, y1 = self.box
        return x0 < x < x1 and y0 < y < y1


def grids_of(boxes: Sequence[Box]) -> list[RuledGrid]:
    """The grids that drawn boxes make up: thin ones as rules, others by their four sides."""
    if len(boxes) > _MOST_BOXES:
        return []
    across = _merged(edge for box in boxes for edge in _across(box))
    down = _merged(edge for box in boxes for edge in _down(box))
    if len(across) + len(down) > _MOST_EDGES:
        return []
    return [grid for group in _crossing(across, down) if (grid := _grid(*group)) is not None]


def _across(box: Box) -> Iterator[Edge]:
    x0, y0, x1, y1 = box
    if x1 - x0 < _SHORTEST:
        return
    if y1 - y0 < _THIN:
        yield Edge((y0 + y1) / 2, x0, x1)
    elif y1 - y0 > _SHORTEST and x1 - x0 > _SHORTEST:
        yield Edge(y0, x0, x1)
        yield Edge(y1, x0, x1)


def _down(box: Box) -> Iterator[Edge]:
    x0, y0, x1, y1 = box
    return _across((y0, x0, y1, x1))


def _merged(edges: Iterable[Edge]) -> list[Edge]:
    """Pieces of one rule as one. Pieces that are apart stay apart."""
    lines: list[list[Edge]] = []
    for edge in sorted(edges, key=lambda edge: edge.at):
        if lines and edge.at - lines[-1][0].at < _SAME:
            lines[-1].append(edge)
        else:
            lines.append([edge])
    return [piece for line in lines for piece in _pieces(line)]


def _pieces(line: Sequence[Edge]) -> Iterator[Edge]:
    at = line[0].at
    start, end = float("inf"), float("-inf")
    for edge in sorted(line, key=lambda edge: edge.start):
        if edge.start > end + _SAME and end > start:
            yield Edge(at, start, end)
            start, end = edge.start, edge.end
        start, end = min(start, edge.start), max(end, edge.end)
    yield Edge(at, start, end)


def _crossing(across: Sequence[Edge], down: Sequence[Edge]) -> Iterator[tuple[list[Edge], list[Edge]]]:
    """Rules that hang together, group by group."""
    edges = [*across, *down]
    parent = list(range(len(edges)))

    def root(at: int) -> int:
        while parent[at] != at:
            parent[at] = at = parent[parent[at]]
        return at

    for at, rule in enumerate(across):
        for below, other in enumerate(down, len(across)):
            if rule.reaches(other.at) and other.reaches(rule.at):
                parent[root(at)] = root(below)
    groups: dict[int, tuple[list[Edge], list[Edge]]] = {}
    for at, edge in enumerate(edges):
        groups.setdefault(root(at), ([], []))[at >= len(across)].append(edge)
    yield from groups.values()


def _grid(across: Sequence[Edge], down: Sequence[Edge]) -> RuledGrid | None:
    if not across or not down:
        return None
    x0, x1 = min(edge.start for edge in across), max(edge.end for edge in across)
    y0, y1 = min(edge.start for edge in down), max(edge.end for edge in down)
    x0, x1 = min(x0, down[0].at), max(x1, down[-1].at)
    y0, y1 = min(y0, across[0].at), max(y1, across[-1].at)
    rows = _boundaries([y0, y1, *(edge.at for edge in across)])
    columns = _boundaries([x0, x1, *(edge.at for edge in down)])
    if min(rows, columns) < _LEAST_BOUNDARIES:
        return None
    return RuledGrid(_numbered(across, y0), _numbered(down, x0), (x0, y0, x1, y1))


def _numbered(edges: Sequence[Edge], start: float) -> tuple[Edge, ...]:
    """The edges numbered by where they stand; the outer one, which not all rows need have, is none."""
    places = sorted({edge.at for edge in edges})
    first = 0 if places[0] - start < _SAME else 1
    numbers = {at: number for number, at in enumerate(places, first)}
    return tuple(replace(edge, number=numbers[edge.at]) for edge in edges)


def _boundaries(places: Sequence[float]) -> int:
    ordered = sorted(places)
    return 1 + sum(1 for before, after in pairwise(ordered) if after - before >= _SAME)
