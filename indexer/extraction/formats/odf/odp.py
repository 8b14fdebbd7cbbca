"""OpenDocument presentations (.odp), slide by slide, as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.characters.normalization import cleaned, tidied
from indexer.extraction.container.ooxml import Package
from indexer.extraction.container.xml_tree import Element
from indexer.extraction.formats.odf.inline import SHAPES
from indexer.extraction.formats.odf.package import OdfDocument
from indexer.extraction.formats.office.reading_order import Box, in_reading_order
from indexer.extraction.markdown.title import shown_title
from rag.types.documents import Page

_LENGTH: Final = re.compile(r"(?P<number>-?\d+(?:\.\d+)?)(?P<unit>cm|mm|in|pt|pc|px)?$")
_INCHES: Final = {"cm": 1 / 2.54, "mm": 1 / 25.4, "in": 1.0, "pt": 1 / 72, "pc": 1 / 6, "px": 1 / 96}
_REPEATED: Final = frozenset({"header", "footer", "date-time", "page-number", "page"})
"""Placeholders that say the same on every slide, or nothing."""


class OdpExtractor:
    """A page is a slide; hidden ones count."""

    def extract(self, path: Path, context: ExtractionContext) -> Extraction:  # noqa: ARG002  # needs none
        """The slides with their tables, charts, notes and comments. Raises ExtractionError."""
        with Package.open(path) as package:
            document = OdfDocument.of(package)
            return presentation(document, document.content.find("body/presentation"), package.warnings)


def presentation(document: OdfDocument, root: Element | None, warnings: list[str]) -> Extraction:
    """The slides below this element, and what was left out of them."""
    slides = root.findall("page") if root is not None else []
    pages = [_page(document, number, slide) for number, slide in enumerate(slides, start=1)]
    title = document.title() or shown_title(_title(document, slides[0]) if slides else "")
    return Extraction(title=title, paged=True, pages=iter(pages), warnings=list(dict.fromkeys(warnings)))


def _page(document: OdfDocument, number: int, slide: Element) -> Page:
    return Page(number=number, text=tidied(cleaned("\n\n".join(_blocks(document, slide)))))


def _blocks(document: OdfDocument, slide: Element) -> Iterator[str]:
    is_hidden = document.styles.is_hidden(slide.get("style-name"))
    title = _title(document, slide)
    if title:
        yield f"# {title}{' (hidden slide)' if is_hidden else ''}"
    elif is_hidden:
        yield "(Hidden slide)"
    heading = _title_shape(slide)
    yield from _in_order(document, [shape for shape in slide if shape is not heading])
    notes = slide.find("notes")
    told = _in_order(document, list(notes)) if notes is not None else []
    if told:
        yield "## Notes"
        yield from told
    comments = [document.body().comment(comment) for comment in slide.findall("annotation")]
    if any(comments):
        yield "## Comments"
        yield from filter(None, comments)


def _in_order(document: OdfDocument, shapes: list[Element]) -> list[str]:
    body = document.body()
    read = [(_box(shape), body.shape(shape)) for shape in shapes if shape.tag in SHAPES and _is_read(shape)]
    return [block for blocks in in_reading_order(read) for block in blocks]


def _is_read(shape: Element) -> bool:
    return shape.get("class") not in _REPEATED


def _title_shape(slide: Element) -> Element | None:
    return next((shape for shape in slide if shape.get("class") == "title"), None)


def _title(document: OdfDocument, slide: Element) -> str:
    shape = _title_shape(slide)
    return " ".join(" ".join(document.body().shape(shape)).split()) if shape is not None else ""


def _box(shape: Element) -> Box | None:
    lengths = [_inches(shape.get(name)) for name in ("x", "y", "width", "height")]
    left, top, width, height = lengths
    if left is None or top is None:
        return None
    return Box(left, top, width or 0.0, height or 0.0)


def _inches(length: str | None) -> float | None:
    found = _LENGTH.match(length or "")
    return float(found["number"]) * _INCHES[found["unit"] or "in"] if found is not None else None
