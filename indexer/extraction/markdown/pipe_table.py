"""Tables as Markdown writes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_MOST_CELLS: Final = 1_000_000
"""Beyond this, short rows stay short: one wide row among many would otherwise fill the memory with bars."""


def pipe_table(rows: Sequence[Sequence[str]]) -> str:
    """The rows, the first as their header; a cell in one line, short rows filled up, empty rows left out."""
    kept = [[_cell(text) for text in row] for row in rows]
    kept = [row for row in kept if any(row)]
    columns = max((at + 1 for row in kept for at, text in enumerate(row) if text), default=0)
    if not columns:
        return ""
    filled = columns if columns * len(kept) <= _MOST_CELLS else 0
    lines = [_line(row[:columns], filled) for row in kept]
    return "\n".join([_line(kept[0][:columns], columns), _line(["---"] * columns, columns), *lines[1:]])


def nested_table(rows: Sequence[Sequence[str]]) -> str:
    """A table inside a cell of another, in one line."""
    return "; ".join(" · ".join(filter(None, (" ".join(text.split()) for text in row))) for row in rows if any(row))


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _line(row: Sequence[str], columns: int) -> str:
    return f"| {' | '.join([*row, *[''] * (columns - len(row))])} |"
