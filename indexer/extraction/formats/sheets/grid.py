"""The cells of a sheet, and how they fall into blocks: tables, and lines that stand by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, TypeAlias

from indexer.extraction.characters.normalization import cleaned

MAX_CELL_CHARS: Final = 32_767  # Excel specifications and limits: total number of characters that a cell can contain
_WORD: Final = re.compile(r"[^\W\d_]{2}|^[^\W\d_]\d")
"""Two letters in a row, or a name such as Q1."""
_DASHES: Final = re.compile(r"[-–—]+")
"""How tables write "nothing"."""
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_HEADER_ROWS: Final = 3
_GAP_BELOW_HEADER: Final = 2
_TABLE_COLUMNS: Final = 2
_TABLE_ROWS: Final = 2
_MAX_CUTS: Final = 20
_MOSTLY: Final = 0.5


_Row: TypeAlias = tuple[int, Mapping[int, str]]
_Rows: TypeAlias = Sequence[_Row]
"""Numbers of rows and what their cells show, from top to bottom; no row is blank."""


@dataclass(frozen=True, slots=True)
class CellGrid:
    """A sheet without its blank cells: what its cells show, by row and column, both counted from 1."""

    rows: Mapping[int, Mapping[int, str]]
    widths: Mapping[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])
    """How many columns a merged cell spans, by its place."""


@dataclass(frozen=True, slots=True)
class Block:
    """Neighbouring cells: rows one below the other, and the columns that they fill, blank ones left out."""

    rows: _Rows
    columns: Sequence[int]


def shown(text: str) -> str:
    """A cell's text in one line, as it may stand in a table."""
    if not (text.isascii() and text.isprintable()):
        text = cleaned(text[:MAX_CELL_CHARS])
    return " ".join(text[:MAX_CELL_CHARS].split())


def is_number(text: str) -> bool:
    """Whether a cell shows a number, an amount, a share or a date, rather than words."""
    if any(map(str.isdigit, text)):
        return _WORD.search(text) is None
    return _DASHES.fullmatch(text) is not None


def is_label(text: str) -> bool:
    """Whether a cell may name a column: words, or a year."""
    return not is_number(text) or _YEAR.fullmatch(text) is not None


def blocks_of(grid: CellGrid) -> Iterator[Block]:
    """The blocks from top to bottom, and from left to right where several stand side by side."""
    yield from _blocks([(number, grid.rows[number]) for number in sorted(grid.rows) if grid.rows[number]], 0)


def _blocks(rows: _Rows, depth: int) -> Iterator[Block]:
    for band in _bands(rows):
        columns = _side_by_side(band)
        if len(columns) == 1 or depth == _MAX_CUTS:
            yield Block(band, sorted(column for group in columns for column in group))
            continue
        for group in columns:
            yield from _blocks(_within(band, group), depth + 1)


def _bands(rows: _Rows) -> Iterator[_Rows]:
    """Rows without a blank one between them, other than one that sets a header off from its table."""
    start = 0
    for place in range(1, len(rows) + 1):
        if place < len(rows) and rows[place][0] == rows[place - 1][0] + 1:
            continue
        if place == len(rows) or not _heads(rows[start:place], rows[place]):
            yield rows[start:place]
            start = place


def _heads(upper: _Rows, below: _Row) -> bool:
    """Whether the rows are the header of the table that begins below them."""
    number, cells = below
    if len(upper) > _HEADER_ROWS or number - upper[-1][0] - 1 > _GAP_BELOW_HEADER or len(upper[-1][1]) < _TABLE_COLUMNS:
        return False
    if all(map(is_label, cells.values())) or not all(is_label(text) for _, row in upper for text in row.values()):
        return False
    return len(cells.keys() & upper[-1][1].keys()) >= _MOSTLY * len(upper[-1][1])


def _side_by_side(band: _Rows) -> list[list[int]]:
    """The columns of the band, cut at blank ones where a table of its own begins behind them.

    A blank column often only spaces a table out: what follows it is part of the table unless it has labels of its own,
    or a header that stands in another row.
    """
    filled = sorted({column for _, cells in band for column in cells})
    groups: list[list[int]] = [[filled[0]]]
    for left, right in pairwise(filled):
        if right > left + 1:
            groups.append([])
        groups[-1].append(right)
    tables: list[list[int]] = []
    first = 0  # row of the table so far that holds a number
    for group in groups:
        rows = _within(band, group)
        own = _first_number(rows)
        if not tables or (len(tables[-1]) >= _TABLE_COLUMNS and _stands_alone(rows, group, is_level=own == first)):
            tables.append(group)
            first = own
        else:
            tables[-1].extend(group)
            first = min(filter(None, (first, own)), default=0)
    return tables


def _within(band: _Rows, columns: Sequence[int]) -> _Rows:
    chosen = set(columns)
    rows = [(number, _chosen(cells, columns, chosen)) for number, cells in band]
    return [(number, cells) for number, cells in rows if cells]


def _chosen(cells: Mapping[int, str], columns: Sequence[int], chosen: AbstractSet[int]) -> dict[int, str]:
    """The cells in some columns, by whichever are fewer: a wide sheet may be cut into a thousand tables."""
    if len(columns) < len(cells):
        return {column: cells[column] for column in columns if column in cells}
    return {column: text for column, text in cells.items() if column in chosen}


def _stands_alone(rows: _Rows, columns: Sequence[int], *, is_level: bool) -> bool:
    """Whether the rows are a table of their own, rather than more columns of the one before, level with its numbers."""
    if len(columns) < _TABLE_COLUMNS or len(rows) < _TABLE_ROWS:
        return False
    if all(map(is_label, rows[0][1].values())) and not is_level:
        return True
    labels = [cells[columns[0]] for _, cells in rows[1:] if columns[0] in cells]
    return sum(_WORD.search(label) is not None for label in labels) >= max(_MOSTLY * len(labels), 1)


def _first_number(rows: _Rows) -> int:
    return next((number for number, cells in rows if not all(map(is_label, cells.values()))), 0)
