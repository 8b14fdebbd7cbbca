"""The shapes of a slide, as blocks of Markdown in reading order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from indexer.extraction.container.ooxml import Element, Package, Relation
from indexer.extraction.formats.office.drawing_chart import chart_blocks
from indexer.extraction.formats.office.drawing_diagram import diagram_blocks
from indexer.extraction.formats.office.drawing_text import paragraphs, plain
from indexer.extraction.formats.office.reading_order import Box, in_reading_order
from indexer.extraction.formats.pptx.lists import ShapeLists
from indexer.extraction.formats.pptx.placeholders import Pattern, Placeholder, box_of, placeholder_of
from indexer.extraction.markdown.blocks import Blocks
from indexer.extraction.markdown.pipe_table import pipe_table

_TITLES: Final = frozenset({"title", "ctrTitle"})
_MARGINS: Final = frozenset({"dt", "ftr", "hdr"})
_TEXTLESS: Final = frozenset({"sldNum", "sldImg"})

_Placed: TypeAlias = tuple[Box | None, list[str]]


@dataclass(slots=True)
class SlideText:
    """What stands on a slide."""

    title: str = ""
    blocks: list[str] = field(default_factory=list[str])
    margins: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Date, header and footer: the type of the placeholder, and its text."""


def slide_text(package: Package, part: str, root: Element, *, without: frozenset[str] = frozenset()) -> SlideText:
    """The text of a slide or of its notes, but for the placeholders of the types in `without`."""
    reader = _ShapeReader(package, package.relations(part), Pattern.of(package, part), without)
    tree = root.find("cSld/spTree")
    if tree is not None:
        reader.text.blocks = reader.blocks(tree)
    return reader.text


@dataclass(slots=True)
class _ShapeReader:
    package: Package
    relations: Mapping[str, Relation]
    pattern: Pattern
    without: frozenset[str]
    text: SlideText = field(default_factory=SlideText)

    def blocks(self, tree: Element) -> list[str]:
        """Those of a slide or a group: what lacks a place first, then by position."""
        placed = [item for shape in tree for item in self._shape(shape)]
        return [block for blocks in in_reading_order(placed) for block in blocks]

    def _shape(self, shape: Element) -> Iterator[_Placed]:
        if _is_hidden(shape):
            return
        match shape.tag:
            case "sp":
                yield from self._text_shape(shape)
            case "grpSp":
                yield from self._if_any(shape, self.blocks(shape))
            case "graphicFrame":
                yield from self._if_any(shape, [*self._frame(shape)])
            case "AlternateContent":
                for way in shape:  # the first is the newest; the last, a picture of it, is for old programs
                    found = [item for inner in way for item in self._shape(inner)]
                    yield from found
                    if found:
                        break
            case _:  # pictures, lines, films, and what later versions may add
                pass

    def _if_any(self, shape: Element, blocks: list[str]) -> Iterator[_Placed]:
        if blocks:
            yield box_of(shape) or self.pattern.box(placeholder_of(shape)), blocks

    def _text_shape(self, shape: Element) -> Iterator[_Placed]:
        placeholder, body = placeholder_of(shape), shape.find("txBody")
        kind = placeholder.kind if placeholder is not None else ""
        if body is None or kind in _TEXTLESS | self.without:
            return
        if kind in _MARGINS:
            self.text.margins.append((kind, plain(body)))
        elif kind in _TITLES and not self.text.title:
            self.text.title = plain(body)
        else:
            yield from self._if_any(shape, self._paragraphs(body, placeholder))

    def _paragraphs(self, body: Element, placeholder: Placeholder | None) -> list[str]:
        lists = ShapeLists(
            [style for style in (body.find("lstStyle"), *self.pattern.styles(placeholder)) if style is not None]
        )
        blocks = Blocks()
        for paragraph in paragraphs(body):
            label = lists.label(paragraph)
            indent = "  " * paragraph.level
            lines = "\n".join(line.strip() for line in paragraph.text.split("\n"))
            blocks.add(f"{indent}{label} {lines}" if label else lines, is_item=bool(label))
        return blocks.texts()

    def _frame(self, frame: Element) -> Iterator[str]:
        """A table, a chart or a diagram."""
        for table in frame.iter("tbl"):
            rows = [[self._cell(cell) for cell in row.findall("tc")] for row in table.findall("tr")]
            yield from filter(None, [pipe_table(rows)])
            return
        for pointer in frame.iter("chart", "relIds"):
            relation = self.relations.get(pointer.get("r-id") or pointer.get("r-dm") or "")
            root = self.package.optional_xml(relation.part) if relation is not None else None
            if root is not None:
                is_chart = pointer.tag == "chart"
                yield from chart_blocks(root, self.package.warnings) if is_chart else diagram_blocks(root)

    def _cell(self, cell: Element) -> str:
        body = cell.find("txBody")
        return plain(body) if body is not None else ""


def _is_hidden(shape: Element) -> bool:
    names = (element.find("cNvPr") for element in shape if element.tag.startswith("nv"))
    return any(name is not None and name.get("hidden") in {"1", "true"} for name in names)
