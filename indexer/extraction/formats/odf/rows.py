"""The rows of an OpenDocument table, and what it is there for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from indexer.extraction.container.xml_tree import Element, all_text, count

_ROW_GROUPS: Final = frozenset({"table-header-rows", "table-rows", "table-row-group"})
_LONGEST_CELL_CHARS: Final = 1500
"""A cell longer than this holds a text, and its table is there for the layout."""
_DEEPEST: Final = 40


def is_layout(rows: Sequence[Element]) -> bool:
    """Whether a table only places things on the page: it has one column, or a cell that holds a text."""
    cells = [[cell for cell in row if cell.tag == "table-cell"] for row in rows]
    columns = (sum(count(cell.get("number-columns-repeated"), 1) for cell in row) for row in cells)
    return max(columns, default=0) <= 1 or any(
        len(all_text(cell)) > _LONGEST_CELL_CHARS for row in cells for cell in row
    )


def repetitions(stated: str | None, cells: Sequence[Sequence[str]]) -> int:
    """How often a cell or a row stands there; a long one is taken once, or tables in tables would grow without end."""
    is_long = sum(len(block) for blocks in cells for block in blocks) > _LONGEST_CELL_CHARS
    return 1 if is_long else count(stated, 1)


def rows_of(table: Element, depth: int = 0) -> Iterator[Element]:
    """The rows of a table, through the groups around them."""
    for element in table:
        if element.tag == "table-row":
            yield element
        elif element.tag in _ROW_GROUPS and depth < _DEEPEST:
            yield from rows_of(element, depth + 1)
