"""The lines of a PDF page in reading order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, cast

import pymupdf

FLAGS: Final = pymupdf.TEXTFLAGS_TEXT  # without pictures, which cost seconds on some pages

_PROSE_CHARS: Final = 20
"""A line as long as this is part of a running text; cells of tables are mostly shorter."""
_PROSE_LINES_A_COLUMN: Final = 5
_CROSSING_SHARE: Final = 0.1
"""Titles and wide tables may cross a gutter."""
_ZIGZAG_SHARE: Final = 0.2
"""From this share of changes between columns on, the order in the file is not the order of reading."""
_UPWARD_SHARE: Final = 0.2
_LEVEL: Final = 0.99
"""The cosine of a tilt that nobody sees."""
_LEAST_SIZE: Final = 0.5
"""Of a line's height: type that is scaled up by other means states a size near nothing."""
_ALL_MONOSPACED: Final = pymupdf.TEXT_FONT_MONOSPACED


@dataclass(frozen=True, slots=True)
class Line:
    """A run of text on one baseline, in points from the top left corner of the page."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    """Of most of its characters."""
    upright: bool
    """Set from left to right (or right to left), not turned and not from top to bottom."""
    monospaced: bool

    @property
    def height(self) -> float:
        """Never nothing, so that it can divide."""
        return max(self.y1 - self.y0, 1.0)

    def beside(self, other: Line) -> bool:
        """Whether the two stand in one row."""
        overlap = min(self.y1, other.y1) - max(self.y0, other.y0)
        return self.upright and other.upright and overlap > 0.5 * min(self.height, other.height)

    def shares_width(self, other: Line) -> bool:
        """Whether one stands above the other."""
        return min(self.x1, other.x1) > max(self.x0, other.x0)


def lines_of(page: pymupdf.Page) -> list[Line]:
    """The lines in the order of reading, as far as it can be told."""
    content = cast("dict[str, Any]", page.get_text("dict", flags=FLAGS))
    lines = [line for block in content["blocks"] for raw in block.get("lines", ()) if (line := _line(raw)) is not None]
    return in_reading_order(lines)


def in_reading_order(lines: Sequence[Line]) -> list[Line]:
    """The order of the file where it is sound, which is best for columns; else columns, or from top to bottom."""
    gutters = _gutters(lines)
    if gutters:
        return _by_column(lines, gutters) if _zigzags(lines, gutters) else list(lines)
    upright = [line for line in lines if line.upright]
    upward = sum(1 for upper, lower in pairwise(upright) if lower.y1 < upper.y0 and lower.shares_width(upper))
    if upward > max(1, _UPWARD_SHARE * len(upright)):
        return _top_down(upright) + [line for line in lines if not line.upright]
    return list(lines)


def _line(raw: Any) -> Line | None:
    spans = [span for span in raw["spans"] if span["text"]]
    text = "".join(span["text"] for span in spans)
    if not text.strip():
        return None
    largest = max(spans, key=lambda span: len(span["text"]))
    x0, y0, x1, y1 = raw["bbox"]
    upright = raw["wmode"] == 0 and raw["dir"][0] > _LEVEL
    return Line(
        text=text,
        x0=x0, y0=y0, x1=x1, y1=y1,
        size=max(largest["size"], _LEAST_SIZE * (y1 - y0)) if upright else largest["size"],
        upright=upright,
        monospaced=all(span["flags"] & _ALL_MONOSPACED for span in spans),
    )  # fmt: skip


def _gutters(lines: Iterable[Line]) -> list[float]:
    """The middles of the white stripes between columns of running text, from left to right."""
    prose = [line for line in lines if line.upright and len(line.text) >= _PROSE_CHARS]
    gutters: list[float] = []
    for middle in _stripes(prose):
        if _is_between_columns(prose, middle, gutters[-1] if gutters else float("-inf")):
            gutters.append(middle)
    return gutters


def _stripes(lines: Sequence[Line]) -> Iterator[float]:
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


def _is_between_columns(prose: Sequence[Line], middle: float, previous: float) -> bool:
    left = [line for line in prose if previous < line.x0 and line.x1 < middle]
    right = [line for line in prose if line.x0 > middle]
    if min(len(left), len(right)) < _PROSE_LINES_A_COLUMN:
        return False
    top, bottom = min(line.y0 for line in right), max(line.y1 for line in right)
    return sum(1 for line in left if top < line.y1 and line.y0 < bottom) >= _PROSE_LINES_A_COLUMN


def _column(line: Line, gutters: Sequence[float]) -> int | None:
    """The number of its column from the left; None for a line that crosses a gutter."""
    first = sum(1 for gutter in gutters if gutter < line.x0)
    return first if first == sum(1 for gutter in gutters if gutter < line.x1) else None


def _zigzags(lines: Sequence[Line], gutters: Sequence[float]) -> bool:
    columns = [_column(line, gutters) for line in lines if line.upright and len(line.text) >= _PROSE_CHARS]
    inside = [column for column in columns if column is not None]
    changes = sum(1 for before, after in pairwise(inside) if before != after)
    return changes > max(2 * len(gutters), _ZIGZAG_SHARE * len(inside))


def _by_column(lines: Sequence[Line], gutters: Sequence[float]) -> list[Line]:
    """Column after column; what crosses a gutter ends the columns above it."""
    ordered: list[Line] = []
    columns: list[list[Line]] = [[] for _ in range(len(gutters) + 1)]
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


def _top_down(lines: Sequence[Line]) -> list[Line]:
    """Row after row, each from left to right."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: (line.y0, line.x0)):
        if rows and line.beside(rows[-1][0]):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [line for row in rows for line in sorted(row, key=lambda line: line.x0)]
