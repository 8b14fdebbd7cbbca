"""The body of a Word document, walked in reading order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from indexer.extraction.docx_numbering import BULLET_LABEL, Numbering
from indexer.extraction.docx_styles import Styles, numbering_of
from indexer.extraction.html import as_markdown, parsed
from indexer.extraction.ooxml import Element, Package, Relation

_WRAPPERS: Final = frozenset({"sdt", "sdtContent", "customXml", "smartTag", "ins", "moveTo", "Choice", "Fallback"})
"""Elements around paragraphs, tables, rows and cells."""
_NOT_SHOWN: Final = frozenset({"del", "moveFrom", "rPr", "pPr", "instrText", "delText", "rt", "sdtPr"})
"""Deleted text, codes of fields, readings above East Asian characters, properties."""
_CHARACTERS: Final = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "softHyphen": "\xad", "ptab": "\t"}
_MOST_COLUMNS: Final = 63
"""Of a table in Word."""
_LONGEST_CELL_CHARS: Final = 1500
"""A cell longer than this holds a text, and its table is there for the layout."""


@dataclass(frozen=True, slots=True)
class Source:
    """What the text of one part refers to."""

    package: Package
    relations: Mapping[str, Relation]
    styles: Styles
    numbering: Numbering
    notes: Mapping[tuple[str, str], Element]

    def within(self, relations: Mapping[str, Relation]) -> Source:
        """The same document seen from another part."""
        return replace(self, relations=relations)


@dataclass(slots=True)
class Body:
    """Turns elements into blocks of Markdown."""

    source: Source
    _after: list[str] = field(default_factory=list[str])
    """Notes and text boxes met in a paragraph: they follow it."""

    def blocks(self, parent: Element) -> list[str]:
        """The blocks inside `parent`; list items and table rows are lines of one block."""
        blocks: list[str] = []
        in_list = False
        for element in _parts(parent, "p", "tbl", "altChunk"):
            is_item, text = self._block(element)
            after, self._after = self._after, []
            if not text.strip() and not after:
                continue
            if is_item and in_list and text.strip():
                blocks[-1] = f"{blocks[-1]}\n{text}"
            elif text.strip():
                blocks.append(text)
            blocks.extend(after)
            in_list = is_item and not after
        return blocks

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
        text = self._inline(paragraph).strip()
        if not text or self.source.styles.is_contents(style_id):
            return False, ""
        from_style = self.source.styles.numbering(style_id)
        list_id, depth = numbering_of(properties) or from_style or ("", 0)
        label = self.source.numbering.label(list_id or (from_style or ("", 0))[0], depth)
        level = self.source.styles.heading_level(style_id, properties)
        if level is not None:
            number = "" if label == BULLET_LABEL else label
            return False, f"{'#' * level} {' '.join([number, *text.split()]).strip()}"
        return bool(label), f"{'  ' * depth}{label} {text}" if label else text

    def _inline(self, parent: Element) -> str:
        return "".join(self._inline_parts(parent))

    def _inline_parts(self, parent: Element) -> Iterator[str]:
        for element in parent:
            match element.tag:
                case "t":
                    yield element.text or ""
                case "sym":
                    yield _symbol(element)
                case "footnoteReference" | "endnoteReference":
                    self._note(element)
                case "drawing" | "pict" | "object":
                    self._drawing(element)
                case tag if tag in _CHARACTERS:
                    yield _CHARACTERS[tag]
                case tag if tag not in _NOT_SHOWN and not _is_hidden(element):
                    yield from self._inline_parts(_alternative(element) if tag == "AlternateContent" else element)
                case _:
                    pass

    def _note(self, reference: Element) -> None:
        """The note follows the paragraph; a mark in the text would only grow onto a word."""
        kind, number = reference.tag.removesuffix("Reference"), reference.get("id") or ""
        note = self.source.notes.get((kind, number))
        if note is not None:
            inside = replace(self.source, notes={})  # a note that refers to itself must not go round in circles
            text = " ".join(" ".join(Body(inside).blocks(note)).split())
            self._after.append(f"[^{number}]: {text}")

    def _drawing(self, drawing: Element) -> None:
        """Text boxes, and the words of charts and diagrams."""
        for box in _outermost(drawing, "txbxContent"):
            self._after.extend(Body(self.source).blocks(box))
        for pointer in drawing.iter("chart", "relIds"):
            relation = self.source.relations.get(pointer.get("r-id") or pointer.get("r-dm") or "")
            root = self.source.package.xml(relation.part) if relation is not None else None
            if root is not None:
                words = dict.fromkeys((word.text or "").strip() for word in root.iter("t", "v"))
                self._after.append(" · ".join(filter(None, words)))

    def _table(self, table: Element) -> str:
        rows = [self._row(row) for row in _parts(table, "tr")]
        rows = [row for row in rows if any(any(cell) for cell in row)]
        cells = [" ".join(" ".join(cell).split()) for row in rows for cell in row]
        columns = max(map(len, rows), default=0)
        if columns <= 1 or max(map(len, cells), default=0) > _LONGEST_CELL_CHARS:
            return "\n\n".join(block for row in rows for cell in row for block in cell)
        lines = [_row_line(row, columns) for row in rows]
        return "\n".join([lines[0], _row_line([["---"]] * columns, columns), *lines[1:]])

    def _row(self, row: Element) -> list[list[str]]:
        """The blocks of each cell; a cell that spans columns is followed by empty ones."""
        properties = row.find("trPr")
        if properties is not None and properties.find("del") is not None:
            return []
        cells: list[list[str]] = []
        for cell in _parts(row, "tc"):
            cells.append(Body(self.source).blocks(cell))
            span = cell.find("tcPr/gridSpan")
            value = (span.get("val") or "") if span is not None else ""
            cells.extend([[]] * (min(int(value), _MOST_COLUMNS) - 1 if value.isascii() and value.isdigit() else 0))
        return cells

    def _foreign(self, chunk: Element) -> str:
        """A file of another format that Word shows as part of the text; of those, HTML is read."""
        relation = self.source.relations.get(chunk.get("r-id") or "")
        raw = self.source.package.read(relation.part) if relation is not None else None
        if raw is None or b"<" not in raw or raw.startswith(b"PK"):
            return ""
        return as_markdown(parsed(raw))


def _parts(parent: Element, *tags: str) -> Iterator[Element]:
    """The elements of these names in `parent`, through whatever wraps them."""
    for element in parent:
        if element.tag in tags:
            yield element
        elif element.tag == "AlternateContent":
            yield from _parts(_alternative(element), *tags)
        elif element.tag in _WRAPPERS:
            yield from _parts(element, *tags)


def _alternative(element: Element) -> Element:
    """Of several ways to write the same thing, the first; old programs take the last."""
    return next(iter(element), element)


def _outermost(parent: Element, tag: str) -> Iterator[Element]:
    for element in parent:
        if element.tag == tag:
            yield element
        elif element.tag == "AlternateContent":
            yield from _outermost(_alternative(element), tag)
        else:
            yield from _outermost(element, tag)


def _is_hidden(run: Element) -> bool:
    hidden = run.find("rPr/vanish")
    return hidden is not None and hidden.get("val") not in {"0", "false", "off"}


def _symbol(element: Element) -> str:
    """A character of a symbol font; the private use area holds shapes, of which bullets are recognised later."""
    code = element.get("char") or ""
    try:
        return chr(int(code, 16))
    except (ValueError, OverflowError):
        return ""


def _row_line(row: list[list[str]], columns: int) -> str:
    texts = [" ".join(" ".join(cell).split()).replace("|", "\\|") for cell in row]
    return "| " + " | ".join(texts + [""] * (columns - len(texts))) + " |"
