"""The order in which the lines of a PDF page are read."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import inf
from typing import Final

from indexer.extraction.layout.line import PageLine
from indexer.extraction.layout.runs import in_order_of_runs

_PROSE_CHARS: Final = 20
"""A line as long as this is part of a running text; cells of tables are mostly shorter."""
_PROSE_LINES_A_COLUMN: Final = 5
_PROSE_SHARE: Final = 0.5
"""Of the lines of a column; the rest are headings and ends of paragraphs. Columns of a table have fewer."""
_PROSE_SHARE_OF_STAGGERED: Final = 0.25
"""Likewise where the lines on both sides do not stand in rows."""
_SAME_HEIGHT: Final = 0.15
"""Of a line's height, by which those of one row differ at most."""
_CROSSING_SHARE: Final = 0.1
"""Titles and wide tables may cross a gutter."""
_ZIGZAG_SHARE: Final = 0.2
"""From this share of changes between columns on, the order in the file is not the order of reading."""
_UPWARD_SHARE: Final = 0.2
_BROKEN_ROWS: Final = 3
"""Rows of cells that are apart in the file, from which they are put together."""
_CELLS: Final = 3
_WORDS_A_CELL: Final = 6
"""With more, it is a line of running text that has something beside it."""
_CELL_GAP: Final = 1.2
"""Ems between the cells of a row, at least."""
_FIGURE: Final = re.compile(r"\s*[^\w\s]*\s?(?:[A-Z]{3}\s?)?[-+(]?\d[\d.,:/'’ -]*\)?\s?\D{0,4}$")
"""An amount, a percentage, a date."""


def in_reading_order(lines: Sequence[PageLine]) -> list[PageLine]:
    """The order of the file where it is sound, which is best for columns; else columns, or from top to bottom."""
    gutters = _gutters(lines)
    if gutters:
        return _by_column(lines, gutters) if _zigzags(lines, gutters) else in_order_of_runs(lines)
    upright = [line for line in lines if line.upright]
    turned = [line for line in lines if not line.upright]
    upward = sum(1 for upper, lower in pairwise(upright) if lower.y1 < upper.y0 and lower.shares_width(upper))
    if upward > max(1, _UPWARD_SHARE * len(upright)):
        return _top_down(upright) + turned
    return in_order_of_runs(_with_rows_together(upright)) + turned


def _with_rows_together(lines: Sequence[PageLine]) -> list[PageLine]:
    """A table that the file holds column by column is put in the order of its rows."""
    places = {id(line): at for at, line in enumerate(lines)}
    rows = [row for row in _rows(lines) if len(row) > 1]
    apart = [row for row in rows if not _is_together([places[id(line)] for line in row])]
    broken = [row for row in apart if _is_row_of_cells(row)]
    if len(broken) < max(_BROKEN_ROWS, len(apart) / 2):
        return list(lines)
    top, bottom = broken[0][0].y0, broken[-1][0].y1
    inside = {id(line) for line in lines if top <= line.middle[1] <= bottom}
    first = next(at for at, line in enumerate(lines) if id(line) in inside)
    table = _top_down([line for line in lines if id(line) in inside])
    return [*lines[:first], *table, *(line for line in lines[first:] if id(line) not in inside)]


def _is_row_of_cells(row: Sequence[PageLine]) -> bool:
    """Whether lines side by side are a row of a table, and not of blocks that stand beside each other."""
    if any(len(line.text.split()) > _WORDS_A_CELL for line in row):
        return False
    if any(after.x0 - before.x1 < _CELL_GAP * after.size for before, after in pairwise(row)):
        return False
    return len(row) >= _CELLS or any(_FIGURE.match(line.text) for line in row[1:])


def _is_together(places: Sequence[int]) -> bool:
    return max(places) - min(places) < len(places)


def _gutters(lines: Iterable[PageLine]) -> list[float]:
    """The middles of the white stripes between columns of running text, from left to right."""
    upright = [line for line in lines if line.upright]
    gutters: list[float] = []
    for middle in _stripes(_prose(upright)):
        if _is_between_columns(upright, middle, gutters[-1] if gutters else float("-inf")):
            gutters.append(middle)
    return gutters


def _stripes(lines: Sequence[PageLine]) -> Iterator[float]:
    """Where next to no line covers the page's width: the emptiest place of each such stretch."""
    edges = sorted([(line.x0, 1) for line in lines] + [(line.x1, -1) for line in lines])
    covering = 0
    stretch: list[tuple[int, float, float]] = []
    for (at, step), (following, _) in pairwise(edges):
        covering += step
        if covering <= _CROSSING_SHARE * len(lines):
            stretch.append((covering, at - following, (at + following) / 2))
        elif stretch:
            yield min(stretch)[-1]
            stretch = []


def _is_between_columns(lines: Sequence[PageLine], middle: float, previous: float) -> bool:
    """Whether running text stands on both sides: long lines, most of them, and some at the same height."""
    left = [line for line in lines if previous < line.x0 and line.x1 < middle]
    right = [line for line in lines if line.x0 > middle]
    prose = [_prose(left), _prose(right)]
    if min(len(side) for side in prose) < _PROSE_LINES_A_COLUMN:
        return False
    top, bottom = min(line.y0 for line in prose[1]), max(line.y1 for line in prose[1])
    beside = sum(1 for line in prose[0] if top < line.y1 and line.y0 < bottom)
    if beside < _PROSE_LINES_A_COLUMN:
        return False
    share = min(len(long) / len(side) for side, long in zip((left, right), prose, strict=True))
    return share >= (_PROSE_SHARE if _is_level(left, right) else _PROSE_SHARE_OF_STAGGERED)


def _is_level(left: Sequence[PageLine], right: Sequence[PageLine]) -> bool:
    """Whether the lines on both sides stand in rows; those of a table do, and those of columns sometimes."""
    heights = sorted(line.middle[1] for line in left)
    level = 0
    for line in right:
        at = bisect(heights, line.middle[1])
        nearest = min((abs(height - line.middle[1]) for height in heights[max(0, at - 1) : at + 1]), default=inf)
        level += nearest < _SAME_HEIGHT * line.height
    return 2 * level > len(right)


def _prose(lines: Iterable[PageLine]) -> list[PageLine]:
    return [line for line in lines if len(line.text) >= _PROSE_CHARS]


def _column(line: PageLine, gutters: Sequence[float]) -> int | None:
    """The number of its column from the left; None for a line that crosses a gutter."""
    first = sum(1 for gutter in gutters if gutter < line.x0)
    return first if first == sum(1 for gutter in gutters if gutter < line.x1) else None


def _zigzags(lines: Sequence[PageLine], gutters: Sequence[float]) -> bool:
    columns = [_column(line, gutters) for line in lines if line.upright and len(line.text) >= _PROSE_CHARS]
    inside = [column for column in columns if column is not None]
    changes = sum(1 for before, after in pairwise(inside) if before != after)
    return changes > max(2 * len(gutters), _ZIGZAG_SHARE * len(inside))


def _by_column(lines: Sequence[PageLine], gutters: Sequence[float]) -> list[PageLine]:
    """Column after column; what crosses a gutter ends the columns above it."""
    ordered: list[PageLine] = []
    columns: list[list[PageLine]] = [[] for _ in range(len(gutters) + 1)]
    for line in _top_down([line for line in lines if line.upright]):
        column = _column(line, gutters)
        if column is not None:
            columns[column].append(line)
            continue
        ordered.extend(kept for lines_in_column in columns for kept in lines_in_column)
        columns = [[] for _ in columns]
        ordered.append(line)
    ordered.extend(kept for lines_in_column in columns for kept in lines_in_column)
    return ordered + [line for line in lines if not line.upright]


def _top_down(lines: Sequence[PageLine]) -> list[PageLine]:
    """Row after row, each from left to right."""
    return [line for row in _rows(lines) for line in row]


def _rows(lines: Sequence[PageLine]) -> list[list[PageLine]]:
    rows: list[list[PageLine]] = []
    for line in sorted(lines, key=lambda line: (line.y0, line.x0)):
        if rows and line.beside(rows[-1][0]):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda line: line.x0) for row in rows]
