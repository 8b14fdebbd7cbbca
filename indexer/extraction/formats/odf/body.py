"""The text of an OpenDocument file, walked in reading order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from indexer.extraction.container.xml_tree import Element, all_text, count
from indexer.extraction.formats.odf.inline import SHAPES, OdfInline
from indexer.extraction.formats.odf.lists import ListCounters, OdfLists
from indexer.extraction.formats.odf.rows import is_layout, repetitions, rows_of
from indexer.extraction.formats.odf.styles import OdfStyles
from indexer.extraction.markdown.blocks import Blocks
from indexer.extraction.markdown.pipe_table import nested_table, pipe_table

_WRAPPERS: Final = frozenset(
    {"section", "index-body", "index-title", "alphabetical-index", "bibliography", "illustration-index", "table-index"}
    | {"object-index", "user-index", "text-box", "numbered-paragraph"}
)
"""Elements around paragraphs; the table of contents is left out, since it only repeats the headings."""
_MAX_HEADING_LEVEL: Final = 6
_MOST_COLUMNS: Final = 100
_MOST_REPEATED_ROWS: Final = 20
_DEEPEST: Final = 40


@dataclass(slots=True)
class OdfBody:
    """Turns elements into blocks of Markdown."""

    styles: OdfStyles
    object_blocks: Callable[[str], list[str]]
    """The blocks of an embedded object, by its address inside the file."""
    depth: int = 0
    """Tables, notes and text boxes around it."""
    in_cell: bool = False
    _asides: list[str] = field(default_factory=list[str])
    """Notes, comments and text boxes met in a paragraph: they follow it."""
    _headings: ListCounters = field(default_factory=ListCounters)
    _lists: OdfLists = field(default_factory=OdfLists)

    def blocks(self, parent: Element) -> list[str]:
        """The blocks inside `parent`; the items of a list are lines of one block."""
        if self.depth > _DEEPEST:
            return list(filter(None, [all_text(parent)]))
        blocks = Blocks()
        for element in parent:
            found = self.block(element)
            if element.tag == "list" and found:  # some programs make each item a list of its own
                first = found.pop(0)
                blocks.add(first, is_item=not first.startswith("#"))
            blocks.extend(found)
        return blocks.texts()

    def block(self, element: Element) -> list[str]:
        """The blocks of one element, and behind them what is anchored in it."""
        found = [*self._block(element)]
        asides, self._asides = self._asides, []
        return [block for block in [*found, *asides] if block.strip()]

    def shape(self, shape: Element) -> list[str]:
        """The blocks of a frame, a drawn shape or a group."""
        inside = self._deeper()
        if inside.depth > _DEEPEST:
            return list(filter(None, [all_text(shape)]))
        blocks: list[str] = []
        for element in shape:
            match element.tag:
                case "object" | "object-ole":
                    blocks.extend(self.object_blocks(element.get("href") or "") or inside.blocks(element))
                    if blocks:
                        break  # what follows is a picture of it
                case "text-box":
                    blocks.extend(inside.blocks(element))
                case tag if tag in SHAPES:
                    blocks.extend(inside.shape(element))
                case "p" | "h" | "list" | "table":
                    blocks.extend(inside.block(element))
                case _:
                    pass
        return blocks

    def row(self, row: Element) -> list[list[str]]:
        """The blocks of each cell; what a merged cell covers is empty."""
        cells: list[list[str]] = []
        for cell in row:
            if cell.tag in {"table-cell", "covered-table-cell"}:
                blocks = self.blocks(cell) if cell.tag == "table-cell" else []
                repeated = repetitions(cell.get("number-columns-repeated"), [blocks])
                cells.extend([blocks] * min(repeated, _MOST_COLUMNS - len(cells)))
        while cells and not cells[-1]:
            cells.pop()
        return cells

    def comment(self, comment: Element) -> str:
        """A reader's remark, with its author."""
        author = comment.find("creator")
        name = (author.text or "").strip() if author is not None else ""
        parts = [block for part in comment if part.tag in {"p", "list"} for block in self._deeper().block(part)]
        text = " ".join(" ".join(parts).split())
        return f"[Comment{f' by {name}' if name else ''}: {text}]" if text else ""

    def _deeper(self, *, in_cell: bool = False) -> OdfBody:
        return OdfBody(self.styles, self.object_blocks, self.depth + 1, in_cell)

    def _aside(self, element: Element) -> None:
        match element.tag:
            case "note":
                mark, body = element.find("note-citation"), element.find("note-body")
                text = " ".join(" ".join(self._deeper().blocks(body)).split()) if body is not None else ""
                name = (mark.text or "").strip() if mark is not None else ""
                self._asides.extend([f"[^{name}]: {text}"] if text else [])
            case "annotation":
                self._asides.append(self.comment(element))
            case tag if tag in SHAPES:
                self._asides.extend(self.shape(element))
            case _:
                self._asides.extend(self._deeper().block(element))

    def _block(self, element: Element) -> Iterator[str]:
        if element.get("display") == "none" or self.styles.is_hidden(element.get("style-name")):
            return
        match element.tag:
            case "p" | "h" if level := self._level(element):
                yield self._heading(element, level)
            case "p":
                yield self._text(element)
            case "list":
                yield from self._list(element)
            case "table":
                yield self._table(element)
            case "annotation":
                yield self.comment(element)
            case tag if tag in _WRAPPERS:
                yield from self._deeper_blocks(element)
            case tag if tag in SHAPES:
                yield from self.shape(element)
            case _:
                pass

    def _deeper_blocks(self, section: Element) -> list[str]:
        """The blocks of a section, which counts headings and lists on."""
        self.depth += 1
        blocks = self.blocks(section)
        self.depth -= 1
        return blocks

    def _text(self, paragraph: Element) -> str:
        return OdfInline(self.styles, self._aside).text(paragraph)

    def _level(self, paragraph: Element) -> int:
        """The level of a heading, counted from 1; 0 for what is none."""
        style = paragraph.get("style-name") or ""
        level = count(paragraph.get("outline-level"), 0) or self.styles.outline_level(style)
        return min(max(level, int(paragraph.tag == "h" or style == "Title")), _MAX_HEADING_LEVEL)

    def _heading(self, element: Element, level: int, label: str | None = None) -> str:
        text = " ".join(self._text(element).split())
        if not text:
            return ""
        if label is None and element.tag == "h" and element.get("is-list-header") != "true" and self.styles.outline:
            label = self._headings.label(self.styles.outline, level - 1)
        return " ".join(filter(None, ["#" * level, "" if label == "-" else label, text]))

    def _list(self, root: Element) -> Iterator[str]:
        """Its items as lines of one block; headings, which some programs put into lists, stand alone."""
        lines: list[str] = []
        for is_heading, text in self._items(root, root.get("style-name"), self._lists.counters(root), 0):
            if is_heading:
                yield "\n".join(lines)
                yield text
                lines = []
            else:
                lines.append(text)
        yield "\n".join(lines)

    def _items(
        self, root: Element, style: str | None, counters: ListCounters, depth: int
    ) -> Iterator[tuple[bool, str]]:
        """Whether it is a heading, and its text."""
        if self.depth + depth > _DEEPEST:
            yield False, all_text(root)
            return
        for item in root:
            mark: str | None = None if item.tag == "list-item" else ""
            for element in item:
                if element.tag == "list":
                    yield from self._items(element, element.get("style-name") or style, counters, depth + 1)
                    continue
                if mark is None and element.tag in {"p", "h"}:
                    levels = self.styles.lists.get(style or self.styles.list_style(element.get("style-name")) or "", {})
                    start = count(item.get("start-value"), -1)
                    mark = counters.label(levels, depth, start if start >= 0 else None)
                level = self._level(element) if element.tag in {"p", "h"} else 0
                if level:
                    yield True, self._heading(element, level, mark or "")
                else:
                    for block in filter(None, self._block(element)):
                        yield False, f"{'  ' * depth}{mark or ' '} {block}"
                mark = ""

    def _table(self, table: Element) -> str:
        elements = [*rows_of(table)]
        only_places = not self.in_cell and is_layout(elements)
        inside = self._deeper(in_cell=not only_places)
        rows: list[list[list[str]]] = []
        for row in elements:
            cells = inside.row(row)
            if any(cells):
                rows.extend([cells] * min(repetitions(row.get("number-rows-repeated"), cells), _MOST_REPEATED_ROWS))
        if only_places:
            return "\n\n".join(block for row in rows for cell in row for block in cell)
        joined = [[" ".join(cell) for cell in row] for row in rows]
        return nested_table(joined) if self.in_cell else pipe_table(joined)
