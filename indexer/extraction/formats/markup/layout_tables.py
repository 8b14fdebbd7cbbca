"""Tables that only place things on a web page, made plain blocks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from bs4 import BeautifulSoup, Tag

_CELLS: Final = frozenset({"td", "th"})
_PARTS: Final = _CELLS | {"tbody", "thead", "tfoot", "tr"}
_BLOCKS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "pre", "form", "article"})
"""As tables inside of them, what no table of data holds."""


@dataclass(slots=True)
class _OwnTable:
    """A table as far as it is its own, without the tables inside."""

    tag: Tag
    around: _OwnTable | None
    parts: list[Tag] = field(default_factory=list[Tag])
    cells: int = 0
    has_blocks: bool = False
    """Itself, or somewhere inside."""

    @property
    def is_layout(self) -> bool:
        """Whether it only places things: it is one cell, or holds what no table of data does."""
        return self.cells <= 1 or self.has_blocks or self.tag.get("role") == "presentation"


def without_layout_tables(soup: BeautifulSoup) -> None:
    """Changes the tree; in two walks, however many tables lie inside one another."""
    for table in reversed(_tables(soup)):  # the inner ones first
        is_layout = table.is_layout
        if table.around is not None:
            table.around.has_blocks |= table.has_blocks or not is_layout
        if is_layout:
            for part in (table.tag, *table.parts):
                part.name = "div"


def children_of(element: Tag) -> list[Tag]:
    """The elements directly inside."""
    return [child for child in element.contents if isinstance(child, Tag)]


def _tables(soup: BeautifulSoup) -> list[_OwnTable]:
    """In the order in which they begin."""
    found: list[_OwnTable] = []
    waiting: list[tuple[Tag, _OwnTable | None]] = [(soup, None)]
    while waiting:
        element, table = waiting.pop()
        if element.name == "table":
            table = _OwnTable(element, table)
            found.append(table)
        elif table is not None and element.name in _PARTS:
            table.parts.append(element)
            table.cells += element.name in _CELLS
        elif table is not None and element.name in _BLOCKS:
            table.has_blocks = True
        waiting.extend((child, table) for child in reversed(children_of(element)))
    return found
