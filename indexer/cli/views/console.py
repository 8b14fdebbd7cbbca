"""How the indexer writes: in a terminal tables that fit it; in a pipe plain lines that are never cut."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from rag.program import printable
from rag.types.documents import Failure

FAILURES_SHOWN: Final = 50
ALIKE: Final = 5
"""From so many files on that share reason and remedy, these are said once."""
EXAMPLES: Final = 3
"""Files that are named of such a group."""
FOLDED: Final = 12
"""To so few characters a column may be folded; in fewer nobody reads."""
REMARK: Final = 7
"""How far a remark stands in under its row."""
BORDERS: Final = 3
"""Characters that a table adds to each column."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    heading: str
    number: bool = False
    """Numbers stand at the right, and are never folded."""
    is_whole: bool = False
    """Its cells are never folded either: names and dates."""

    @property
    def is_folded(self) -> bool:
        """Whether it may be made narrower than its cells."""
        return not (self.number or self.is_whole)


def say(console: Console, text: str, *, style: str = "") -> None:
    """One line, as it is: markup in it means nothing, and what a terminal would obey is spelt out."""
    console.print(Text(printable(text), style=style), soft_wrap=True, highlight=False)


def say_beside(console: Console, label: str, text: str, *, width: int, style: str = "") -> None:
    """A text beside its label: in a terminal folded between words, and never under the label."""
    if not console.is_terminal:
        say(console, f"{printable(label):{width}} {text}", style=style)
        return
    grid = Table.grid(padding=(0, 1))
    grid.add_column(min_width=width, no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(Text(printable(label), style=style), Text(printable(text), style=style))
    console.print(grid)


def show_table(console: Console, title: str, columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> None:
    """The rows under their headings; all cells are shown as they are.

    It is fitted into a terminal by folding cells; where that is too narrow, each row becomes a list of its own.
    """
    cells = [[printable(cell) for cell in row] for row in rows]
    if title:
        say(console, title, style="bold")
    if not console.is_terminal:
        _show_plain(console, columns, cells)
        return
    widths = _widths(columns, cells)
    least = (min(width, FOLDED) if column.is_folded else width for column, width in zip(columns, widths, strict=True))
    if sum(least) + BORDERS * len(columns) + 1 > console.width:
        _show_as_lists(console, columns, cells)
        return
    table = Table(show_header=any(column.heading for column in columns))
    for column in columns:
        justify = "right" if column.number else "left"
        table.add_column(column.heading, justify=justify, overflow="fold", no_wrap=not column.is_folded)
    for row in cells:
        table.add_row(*map(Text, row))
    console.print(table)


def show_remarked(
    console: Console, title: str, columns: Sequence[Column], rows: Sequence[tuple[Sequence[str], str, str]]
) -> None:
    """Many rows, each with a path and a remark, which `columns` end with.

    In a terminal the path comes last on its line and is not folded, and the remark has lines of its own.
    """
    cells = [(*numbers, path, remark) for numbers, path, remark in rows]
    if not console.is_terminal:
        show_table(console, title, columns, cells)
        return
    say(console, title, style="bold")
    *first, _ = columns
    widths = _widths(first, [map(printable, row[:-1]) for row in cells])
    _say_padded(console, first, [column.heading for column in first], widths)
    for *row, remark in cells:
        _say_padded(console, first, row, widths)
        if remark:
            say_beside(console, "", remark, width=REMARK, style="yellow")


def _widths(columns: Sequence[Column], rows: Iterable[Iterable[str]]) -> list[int]:
    """Of each column, with its heading."""
    lines = [[column.heading for column in columns], *map(list, rows)]
    return [max(cell_len(line[place]) for line in lines) for place in range(len(columns))]


def _show_as_lists(console: Console, columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> None:
    width = max(cell_len(column.heading) for column in columns) + 1
    for row in rows:
        for column, cell in zip(columns, row, strict=True):
            say_beside(console, column.heading, cell, width=width)
        say(console, "")


def _show_plain(console: Console, columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> None:
    headings = [column.heading for column in columns]
    widths = _widths(columns, rows)
    for line in [headings, *rows] if any(headings) else rows:
        _say_padded(console, columns, line, widths)


def _say_padded(console: Console, columns: Sequence[Column], row: Sequence[str], widths: Sequence[int]) -> None:
    padded: list[str] = []
    for cell, column, width in zip(map(printable, row), columns, widths, strict=True):
        padding = " " * (width - cell_len(cell))
        padded.append(padding + cell if column.number else cell + padding)
    say(console, "  ".join(padded).rstrip())


def show_failures(console: Console, title: str, failures: Sequence[tuple[str, Failure]]) -> None:
    """Path, reason and remedy of what could not be read; where many share a reason it is said once."""
    if not failures:
        return
    groups: dict[Failure, list[str]] = {}
    for path, failure in failures:
        groups.setdefault(failure, []).append(path)
    rows: list[tuple[str, str, str]] = []
    for failure, paths in groups.items():
        if len(paths) < ALIKE:
            rows += [(path, failure.message, failure.remedy) for path in paths]
        else:
            some = ", ".join(paths[:EXAMPLES])
            rows.append((f"{len(paths):,} files: {some} …", failure.message, failure.remedy))
    columns = (Column("file"), Column("reason"), Column("what to do"))
    show_table(console, f"{title} ({len(failures):,})", columns, rows[:FAILURES_SHOWN])
    if len(rows) > FAILURES_SHOWN or any(len(paths) >= ALIKE for paths in groups.values()):
        more = f"… and {len(rows) - FAILURES_SHOWN:,} more. " if len(rows) > FAILURES_SHOWN else ""
        say(console, f"{more}`python -m indexer status --files` names every file.")


def duration(seconds: float) -> str:
    """As people say it."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes:,} min {rest:02} s" if minutes else f"{seconds:.1f} s"
