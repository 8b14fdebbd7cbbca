"""A grid of cells as Markdown, so that a passage cut out of a long table still shows what its columns mean."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final, TypeAlias

from indexer.extraction.formats.sheets.grid import Block, CellGrid, blocks_of, is_label

MAX_HEADER_ROWS: Final = 3
GROUP_ROWS: Final = 20
"""After so many rows the header is written again."""
GROUP_CHARS: Final = 700
"""Or after so many characters, if those come first: a passage of the index is not much longer."""
MAX_REPEATED_CHARS: Final = 1_000
"""A longer header stands at the top only: a passage would hold little else."""
_SPARSE_AREA: Final = 5_000
_SPARSE_SHARE: Final = 0.1
"""A large block with fewer filled cells than this is no table: pipes would be all that it shows."""
_HEADER_SHARE: Final = 0.5
"""A header names at least this share of the columns."""
_NOTE_CHARS: Final = 60
_TWO: Final = 2


_Rows: TypeAlias = Sequence[tuple[int, Mapping[int, str]]]


@dataclass(frozen=True, slots=True)
class _GridTable:
    header: Sequence[str]
    """Empty where the first row is data."""
    columns: Sequence[int]


def as_markdown(grid: CellGrid) -> str:
    """All blocks, with a blank line between them; a long table's header is repeated with each group of its rows."""
    parts: list[str] = []
    above: _GridTable | None = None
    for block in blocks_of(grid):
        written, above = _block(block, grid.widths, above)
        parts += written
    return "\n\n".join(parts)


def _block(
    block: Block, widths: Mapping[tuple[int, int], int], above: _GridTable | None
) -> tuple[list[str], _GridTable | None]:
    """The block's parts, and the table that a next block may go on with."""
    rows, columns = list(block.rows), block.columns
    if len(columns) < _TWO or not any(len(cells) >= _TWO for _, cells in rows):
        return ["\n".join(" ".join(cells[column] for column in sorted(cells)) for _, cells in rows)], None
    if sum(len(cells) for _, cells in rows) < _SPARSE_SHARE * len(rows) * len(columns) > _SPARSE_SHARE * _SPARSE_AREA:
        return ["\n".join(" | ".join(cells[column] for column in sorted(cells)) for _, cells in rows)], None
    first = next(place for place, (_, cells) in enumerate(rows) if len(cells) >= _TWO)
    last = max(place for place, (_, cells) in enumerate(rows) if len(cells) >= _TWO)
    notes = _lines(rows[last + 1 :]) if _is_note(rows[last + 1 :]) else []
    body = rows[first : last + 1] if notes else rows[first:]
    table, body = _with_header(body, columns, widths, above)
    return [*_lines(rows[:first]), *_groups(table, body), *notes], table


def _is_note(rows: _Rows) -> bool:
    """Whether what follows the last full row is a sentence; short words are rows that are still to be filled in."""
    return max((len(text) for _, cells in rows for text in cells.values()), default=0) > _NOTE_CHARS


def _lines(rows: _Rows) -> list[str]:
    return ["\n".join(text for _, cells in rows for text in cells.values())] if rows else []


def _with_header(
    body: _Rows, columns: Sequence[int], widths: Mapping[tuple[int, int], int], above: _GridTable | None
) -> tuple[_GridTable, _Rows]:
    """The table's header, or that of the table above which goes on; and the rows below it."""
    own = _header_rows(body, columns)
    if above is not None and not own and set(columns) <= set(above.columns):
        return above, body
    rows, below = body[:own], body[own:]
    if not own:
        return _GridTable((), columns), body
    over: dict[int, list[str]] = {column: [] for column in columns}
    for place, (number, cells) in enumerate(rows, start=1):
        ends = [*sorted(cells)[1:], columns[-1] + 1]
        for column, end in zip(sorted(cells), ends, strict=True):
            width = widths.get((number, column), 1) if place < own else 1
            covered = columns[bisect_left(columns, column) : bisect_left(columns, min(column + width, end))]
            for below_it in covered:
                over[below_it].append(cells[column])
    return _GridTable([" – ".join(over[column]) for column in columns], columns), below


def _header_rows(body: _Rows, columns: Sequence[int]) -> int:
    """How many rows name the columns: those of words above the first number, if the upper ones leave gaps."""
    words = list(takewhile(lambda row: all(map(is_label, row[1].values())), body[: MAX_HEADER_ROWS + 1]))
    if not words or len(body) < _TWO:
        return 0
    if 1 < len(words) <= MAX_HEADER_ROWS and len(words) < len(body):
        gaps = all(len(cells) < len(columns) for _, cells in words[:-1])
        named = {column for _, cells in words for column in cells}
        if gaps and len(named) >= _HEADER_SHARE * len(columns) and len(words[-1][1]) >= _TWO:
            return len(words)
    first = words[0][1]
    is_form = first[min(first)].endswith(":")
    return int(not is_form and len(first) >= max(_TWO, _HEADER_SHARE * len(columns)))


def _groups(table: _GridTable, body: _Rows) -> Iterator[str]:
    """The rows in groups, each below the header; without a header, the first row opens the table."""
    header = _row(table.header) if table.header else ""
    rule = _row(["---"] * len(table.columns))
    limit = max(GROUP_CHARS - len(header) - len(rule), len(header))
    group: list[str] = [header, rule] if header else []
    header = header if len(header) <= MAX_REPEATED_CHARS else ""
    rows = chars = 0
    for _, cells in body:
        row = _row([cells.get(column, "") for column in table.columns])
        if rows and (rows == GROUP_ROWS or chars + len(row) > limit):
            yield "\n".join(group)
            group = [header, rule] if header else []
            rows = chars = 0
        group.append(row)
        if not group[1:]:
            group.append(rule)
        rows, chars = rows + 1, chars + len(row)
    if group:
        yield "\n".join(group)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
