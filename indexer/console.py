"""How the indexer writes to a terminal: tables that fit it; in a pipe plain lines that are never cut."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from rag.types import Failure

FAILURES_SHOWN: Final = 50
ALIKE: Final = 5
"""From so many files on that share reason and remedy, these are said once."""
EXAMPLES: Final = 3
"""Files that are named of such a group."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    heading: str
    number: bool = False
    """Numbers stand at the right."""


def say(console: Console, text: str, *, style: str = "") -> None:
    """One line, as it is: markup in it means nothing, and what a terminal would obey is spelt out."""
    console.print(Text(printable(text), style=style), soft_wrap=True, highlight=False)


def show_table(console: Console, title: str, columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> None:
    """The rows under their headings, fitted into a terminal by folding cells; all cells are shown as they are."""
    cells = [[printable(cell) for cell in row] for row in rows]
    if title:
        say(console, title, style="bold")
    if not console.is_terminal:
        _show_plain(console, columns, cells)
        return
    table = Table(show_header=any(column.heading for column in columns))
    for column in columns:
        table.add_column(column.heading, justify="right" if column.number else "left", overflow="fold")
    for row in cells:
        table.add_row(*map(Text, row))
    console.print(table)


def _show_plain(console: Console, columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> None:
    headings = [column.heading for column in columns]
    lines = [headings, *rows] if any(headings) else rows
    widths = [max((cell_len(line[place]) for line in lines), default=0) for place in range(len(columns))]
    for line in lines:
        padded: list[str] = []
        for cell, column, width in zip(line, columns, widths, strict=True):
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


def printable(text: str) -> str:
    """A file's name without anything that a terminal would obey."""
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)


def duration(seconds: float) -> str:
    """As people say it."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes:,} min {rest:02} s" if minutes else f"{seconds:.1f} s"
