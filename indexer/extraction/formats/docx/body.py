"""The body of a Word document, walked in reading order."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from indexer.extraction.container.embedded import EmbeddedFile, inner_text
from indexer.extraction.container.ooxml import Element
from indexer.extraction.container.xml_tree import all_text, count
from indexer.extraction.formats.docx.drawings import drawing_blocks
from indexer.extraction.formats.docx.inline import DocxInline, alternative
from indexer.extraction.formats.docx.numbering import BULLET_LABEL
from indexer.extraction.formats.docx.references import PartReferences
from indexer.extraction.formats.docx.styles import numbering_of
from indexer.extraction.markdown.blocks import Blocks
from indexer.extraction.markdown.pipe_table import nested_table, pipe_table
from rag.errors import ExtractionError

_WRAPPERS: Final = frozenset({"sdt", "sdtContent", "customXml", "smartTag", "ins", "moveTo", "Choice", "Fallback"})
"""Elements around paragraphs, tables, rows and cells."""
_MOST_COLUMNS: Final = 63
"""Of a table in Word."""
_LONGEST_CELL_CHARS: Final = 1500
"""A cell longer than this holds a text, and its table is there for the layout."""
_DEEPEST: Final = 25
"""Tables and text boxes inside one another."""


@dataclass(slots=True)
class DocxBody:
    """Turns elements into blocks of Markdown."""

    source: PartReferences
    depth: int = 0
    """Tables and text boxes around it."""
    in_cell: bool = False
    _after: list[str] = field(default_factory=list[str])
    """Notes, comments and text boxes met in a paragraph: they follow it."""
    _carried: str = ""
    """A paragraph whose end was deleted: it goes on with the next one."""

    def blocks(self, parent: Element) -> list[str]:
        """The blocks inside `parent`; list items and table rows are lines of one block."""
        if self.depth > _DEEPEST:
            return list(filter(None, [all_text(parent)]))
        blocks = Blocks()
        for element in _parts(parent, "p", "tbl", "altChunk"):
            is_item, text = self._block(element)
            blocks.add(text, is_item=is_item)
            after, self._after = self._after, []
            blocks.extend(after)
        blocks.add(self._carried.strip())
        self._carried = ""
        return blocks.texts()

    def _deeper(self, *, in_cell: bool = False, source: PartReferences | None = None) -> DocxBody:
        return DocxBody(source or self.source, self.depth + 1, in_cell)

    def _block(self, element: Element) -> tuple[bool, str]:
        match element.tag:
            case "p":
                return self._paragraph(element)
            case "tbl":
                return False, self._table(element)
            case _:
                return False, self._foreign(element)

    def _paragraph(self, paragraph: Element) -> tuple[bool, str]:
        """Whether it is a list item, and its text."""
        properties = paragraph.find("pPr")
        style = properties.find("pStyle") if properties is not None else None
        style_id = style.get("val") if style is not None else None
        styles = self.source.styles
        text, self._carried = self._carried + DocxInline(styles, self._aside).text(paragraph), ""
        if _mark_is_deleted(properties):
            self._carried = text
            return False, ""
        text = text.strip()
        if not text or styles.is_contents(style_id) or styles.is_hidden(style_id):
            return False, ""
        depth, label = self._number(properties, style_id)
        level = styles.heading_level(style_id, properties)
        if level is not None:
            number = "" if label == BULLET_LABEL else label
            return False, f"{'#' * level} {' '.join([number, *text.split()]).strip()}"
        return bool(label), f"{'  ' * depth}{label} {text}" if label else text

    def _number(self, properties: Element | None, style_id: str | None) -> tuple[int, str]:
        """How deep in a list a paragraph stands, and its label there; it counts as one item."""
        numbering, own = self.source.numbering, numbering_of(properties)
        list_id, depth = self.source.styles.numbering(style_id) or ("", 0)
        if own is None:
            linked = numbering.depth_of(list_id, style_id)
            depth = depth if linked is None else linked
        else:
            list_id, depth = own[0] or list_id, own[1]
        return depth, numbering.label(list_id, depth)

    def _aside(self, element: Element) -> None:
        match element.tag:
            case "footnoteReference" | "endnoteReference" | "commentReference":
                self._note(element.tag.removesuffix("Reference"), element.get("id") or "")
            case "txbxContent":
                self._after.extend(self._deeper().blocks(element))
            case _:
                self._after.extend(drawing_blocks(element, self.source, self._deeper().blocks))

    def _note(self, kind: str, number: str) -> None:
        """The note follows the paragraph; a mark in the text would only grow onto a word."""
        note = self.source.notes.pop((kind, number), None)  # a second mark repeats the number, not the note
        if note is None:
            return
        inside = self._deeper(in_cell=True, source=replace(self.source, notes={}))  # a note may refer to itself
        text = " ".join(" ".join(inside.blocks(note)).split())
        if kind == "comment":
            author = note.get("author")
            self._after.append(f"[Comment{f' by {author}' if author else ''}: {text}]" if text else "")
        else:
            self._after.append(f"[^{number}]: {text}")

    def _table(self, table: Element) -> str:
        elements = [*_parts(table, "tr")]
        is_layout = not self.in_cell and _is_layout(elements)
        rows = [self._row(row, in_cell=not is_layout) for row in elements]
        if is_layout:
            return "\n\n".join(block for row in rows for cell in row for block in cell)
        joined = [[" ".join(cell) for cell in row] for row in rows]
        return nested_table(joined) if self.in_cell else pipe_table(joined)

    def _row(self, row: Element, *, in_cell: bool) -> list[list[str]]:
        """The blocks of each cell; a cell that spans columns is followed by empty ones."""
        properties = row.find("trPr")
        if properties is not None and properties.find("del") is not None:
            return []
        cells: list[list[str]] = [[]] * _span(properties, "gridBefore", 0)
        for cell in _parts(row, "tc"):
            own = cell.find("tcPr")
            is_deleted = own is not None and own.find("cellDel") is not None
            cells.append([] if is_deleted else self._deeper(in_cell=in_cell).blocks(cell))
            cells.extend([[]] * (_span(own, "gridSpan", 1) - 1))
        return cells

    def _foreign(self, chunk: Element) -> str:
        """A file of another format that Word shows as part of the text."""
        relation = self.source.relations.get(chunk.get("r-id") or "")
        raw = self.source.package.read(relation.part) if relation is not None else None
        if relation is None or raw is None:
            return ""
        try:
            return inner_text(
                EmbeddedFile(posixpath.basename(relation.part), raw), self.source.context, self.source.package.warnings
            )
        except ExtractionError as error:
            self.source.package.warnings.append(f"A part of the text was left out. {error.failure.message}")
            return ""


def _parts(parent: Element, *tags: str) -> Iterator[Element]:
    """The elements of these names in `parent`, through whatever wraps them."""
    waiting = list(parent)[::-1]
    while waiting:
        element = waiting.pop()
        if element.tag in tags:
            yield element
        elif element.tag == "AlternateContent":
            waiting.extend(list(alternative(element))[::-1])
        elif element.tag in _WRAPPERS:
            waiting.extend(list(element)[::-1])


def _mark_is_deleted(properties: Element | None) -> bool:
    marks = (properties.find(f"rPr/{name}") for name in ("del", "moveFrom")) if properties is not None else ()
    return any(mark is not None for mark in marks)


def _is_layout(rows: Sequence[Element]) -> bool:
    """Whether a table only places things on the page: it has one column, or a cell that holds a text."""
    cells = [[*_parts(row, "tc")] for row in rows]
    if max(map(len, cells), default=0) <= 1:
        return True
    return any(
        sum(len(text.text or "") for text in cell.iter("t")) > _LONGEST_CELL_CHARS for row in cells for cell in row
    )


def _span(properties: Element | None, name: str, default: int) -> int:
    """How many columns something covers."""
    found = properties.find(name) if properties is not None else None
    return min(count(found.get("val"), default), _MOST_COLUMNS) if found is not None else default
