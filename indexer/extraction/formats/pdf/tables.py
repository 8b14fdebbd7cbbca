"""The tables of a PDF page that are drawn with rules: lines of text put into the cells where they stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from indexer.extraction.characters.normalization import is_from_right
from indexer.extraction.formats.pdf.glyphs import Box
from indexer.extraction.formats.pdf.grids import RuledGrid, grids_of
from indexer.extraction.layout.cells import with_signs_joined
from indexer.extraction.layout.dehyphenation import joined
from indexer.extraction.layout.line import PageLine

_LEAST_CELLS: Final = 4
_LEAST_FULL_ROWS: Final = 2
_MOST_CELL_CHARS: Final = 600
"""A cell with more, on average, is a column of a page that has a frame round it."""
_LEAST_LINES: Final = 3
"""From this many lines side by side on, a row without rules inside is several."""
_WRAPPED_CHARS: Final = 8
_FULL_LINE: Final = 0.75
_FULL_SHARE: Final = 0.7
_GAP: Final = 1.5
"""Ems between two lines that are cells of their own."""
_GAPS_SHARE: Final = 0.15
"""Where more lines than this have such gaps inside of one cell, the rules are those of something else."""
_FILLED_SHARE: Final = 0.35
"""Of the cells; a drawing leaves more of them empty."""

Cells = Mapping[int, Sequence[PageLine]]
"""The lines of one row, by column."""
Cut = Callable[[PageLine, Sequence[float]], list[PageLine]]
"""Gives the parts of a line between places."""


def with_tables(lines: Sequence[PageLine], boxes: Sequence[Box], cut: Cut) -> list[PageLine]:
    """The lines, those of each table replaced by one a row, at the place of the table's first."""
    kept = list(lines)
    for number, grid in enumerate(grids_of(boxes), 1):
        inside = [at for at, line in enumerate(kept) if line.upright and not line.table and grid.encloses(*line.middle)]
        if len(inside) < _LEAST_CELLS:
            continue
        rows = list(_rows([part for at in inside for part in _parts(kept[at], grid, cut)], grid))
        if _is_table(rows):
            written = [replace(row, table=number) for row in _written(rows)]
            gone = set(inside)
            below = [line for at, line in enumerate(kept) if at > inside[0] and at not in gone]
            kept = [*kept[: inside[0]], *written, *below]
    return kept


def _parts(line: PageLine, grid: RuledGrid, cut: Cut) -> list[PageLine]:
    """A line that runs over several cells, in its parts."""
    places = grid.cuts(line.x0 + line.size, line.x1 - line.size, line.middle[1])
    return cut(line, places) if places else [line]


def _rows(parts: Sequence[PageLine], grid: RuledGrid) -> Iterator[Cells]:
    """The rows from the top."""
    rows: dict[int, dict[int, list[PageLine]]] = {}
    for part in sorted(parts, key=lambda part: (part.y0, part.x0)):
        x, y = part.middle
        rows.setdefault(grid.row(x, y), {}).setdefault(grid.column(x, y), []).append(part)
    for _, cells in sorted(rows.items()):
        yield from _unruled(cells)


def _unruled(cells: Cells) -> Iterator[Cells]:
    """The rows that have no rules between them: as many lines in each column, side by side, none of them full."""
    by_line = {column: _by_line(lines) for column, lines in cells.items()}
    counts = sorted(len(lines) for lines in by_line.values())
    is_one = len(counts) < _LEAST_FULL_ROWS or counts[-1] < _LEAST_LINES or counts[-2] < counts[-1]
    if is_one or any(_is_wrapped(lines) for lines in by_line.values()):
        yield cells
        return
    leader = max(by_line.values(), key=len)
    rows: list[dict[int, list[PageLine]]] = [{} for _ in leader]
    for column, lines in by_line.items():
        for line in lines:
            distances = [abs(other[0].middle[1] - line[0].middle[1]) for other in leader]
            rows[distances.index(min(distances))].setdefault(column, []).extend(line)
    yield from rows


def _is_wrapped(lines: Sequence[Sequence[PageLine]]) -> bool:
    """Whether the lines are one text: long, and all about as long as the column is wide, but for the last."""
    widths = [max(line.x1 for line in row) - min(line.x0 for line in row) for row in lines]
    chars = sum(len(line.text) for row in lines for line in row)
    full = sum(1 for width in widths[:-1] if width > _FULL_LINE * max(widths))
    return len(lines) > 1 and chars > _WRAPPED_CHARS * len(lines) and full >= _FULL_SHARE * (len(lines) - 1)


def _by_line(lines: Sequence[PageLine]) -> list[list[PageLine]]:
    grouped: list[list[PageLine]] = []
    for line in lines:
        if grouped and line.beside(grouped[-1][0]):
            grouped[-1].append(line)
        else:
            grouped.append([line])
    return grouped


def _is_table(rows: Sequence[Cells]) -> bool:
    cells = [lines for row in rows for lines in row.values()]
    chars = sum(len(line.text) for lines in cells for line in lines)
    full = sum(1 for row in rows if len(row) > 1)
    if len(cells) < _LEAST_CELLS or full < _LEAST_FULL_ROWS or chars > _MOST_CELL_CHARS * len(cells):
        return False
    columns = {column for row in rows for column in row}
    if len(cells) < _FILLED_SHARE * len(rows) * len(columns):
        return False
    printed = [line for lines in cells for line in _by_line(lines)]
    return sum(1 for line in printed if _has_gaps(line)) <= _GAPS_SHARE * len(printed)


def _has_gaps(row: Sequence[PageLine]) -> bool:
    ordered = sorted(row, key=lambda line: line.x0)
    return any(after.x0 - before.x1 > _GAP * after.size for before, after in pairwise(ordered))


def _written(rows: Sequence[Cells]) -> Iterator[PageLine]:
    """One line a row: cells apart by tabs, or a table of Markdown where cells hold several lines each.

    The first column holds names: those of two lines are told as well without Markdown.
    """
    texts = with_signs_joined([{column: _text(lines) for column, lines in row.items()} for row in rows])
    columns = sorted({column for row in texts for column in row})
    if sum(1 for row in texts for text in row.values() if is_from_right(text)) > len(rows):
        columns.reverse()
    names = min(columns)
    is_simple = all(column == names or len(_by_line(lines)) == 1 for row in rows for column, lines in row.items())
    has_head = False
    for row, cells in zip(rows, texts, strict=True):
        if is_simple or (len(cells) == 1 and not has_head):
            text = "\t".join(cells.get(column, "") for column in columns).strip("\t")
        else:
            text = "| " + " | ".join(cells.get(column, "").replace("|", "\\|") for column in columns) + " |"
            text = text if has_head else f"{text}\n|{' --- |' * len(columns)}"
            has_head = True
        yield _line(text, [line for lines in row.values() for line in lines])


def _text(lines: Sequence[PageLine]) -> str:
    text = ""
    spaces_are_kept = any(line.text[-1:].isspace() for line in lines)
    for row in _by_line(lines):
        ordered = row if any(is_from_right(line.text) for line in row) else sorted(row, key=lambda line: line.x0)
        printed = " ".join(" ".join(line.text.split()) for line in ordered)
        text = joined(text, printed, spaces_are_kept=spaces_are_kept) if text else printed
        text += " " if row[-1].text[-1:].isspace() else ""
    return text.rstrip()


def _line(text: str, lines: Sequence[PageLine]) -> PageLine:
    return replace(
        max(lines, key=lambda line: len(line.text)),
        text=text,
        x0=min(line.x0 for line in lines),
        y0=min(line.y0 for line in lines),
        x1=max(line.x1 for line in lines),
        y1=max(line.y1 for line in lines),
    )
