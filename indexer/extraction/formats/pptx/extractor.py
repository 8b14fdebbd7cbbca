"""PowerPoint presentations (.pptx), slide by slide, as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.characters.normalization import cleaned, tidied
from indexer.extraction.container.embedded import embedded_blocks
from indexer.extraction.container.ooxml import Element, Package, damaged
from indexer.extraction.container.xml_tree import count
from indexer.extraction.formats.office.drawing_text import unescaped
from indexer.extraction.formats.pptx.comments import comments_of
from indexer.extraction.formats.pptx.shapes import SlideText, slide_text
from indexer.extraction.markdown.title import shown_title
from indexer.extraction.ocr.pictures import Pictures
from rag.errors import ExtractionError
from rag.types.documents import Page

_DEFAULT_PART: Final = "ppt/presentation.xml"
_SLIDE_PART: Final = re.compile(r"ppt/slides/slide(\d+)\.xml$", re.IGNORECASE)
_ONCE: Final = frozenset({"dt", "ftr", "hdr"})
"""Placeholders that say the same on every slide."""
_NOT_NOTES: Final = frozenset({"sldImg", "sldNum", "hdr", "ftr", "dt"})


class PptxExtractor:
    """A page is a slide; hidden ones count, as PowerPoint counts them."""

    def extract(self, path: Path, context: ExtractionContext) -> Extraction:
        """The slides with tables, charts, diagrams, notes, comments and embedded files. Raises ExtractionError."""
        with Package.open(path) as package:
            deck = _Deck.of(package)
            title = package.title() or deck.first_title()
        warnings: list[str] = []
        return Extraction(title=title, paged=True, pages=_pages(path, context, warnings), warnings=warnings)


@dataclass(slots=True)
class _Deck:
    package: Package
    slides: Sequence[str]
    """Their parts in order; "" for one that the file names but lacks."""
    first_number: int = 1
    """What is printed on the first slide."""
    seen: set[str] = field(default_factory=set[str])
    """Headers, footers and dates that a slide has shown already."""

    @classmethod
    def of(cls, package: Package) -> _Deck:
        main = package.main_part(_DEFAULT_PART)
        root, relations = package.optional_xml(main), package.relations(main)
        listed = [*root.iter("sldId")] if root is not None else []
        named = [relations.get(slide.get("r-id") or "") for slide in listed]
        slides = [slide.part if slide is not None else "" for slide in named]
        slides = list(
            {slide or at: slide for at, slide in enumerate(slides)}.values()
        )  # each once, however often named
        if not any(package.has(slide) for slide in slides):  # the list is lost; the names of the parts are not
            slides = _numbered_parts(package)
        if root is None and not slides:
            raise damaged("it holds no slides")
        return cls(package, slides, count(root.get("firstSlideNum"), 1) if root is not None else 1)

    def first_title(self) -> str:
        root = self.package.optional_xml(self.slides[0]) if self.slides else None
        return shown_title(slide_text(self.package, self.slides[0], root).title) if root is not None else ""

    def page(self, number: int, part: str, pictures: Pictures) -> Page:
        root = self.package.optional_xml(part) if part else None
        if root is None:
            self.package.warnings.append(f"Slide {number} is missing or damaged.")
            return Page(number=number, text="", label=self._label(number))
        relations = self.package.relations(part).values()
        text = "\n\n".join([*self._blocks(part, root), *embedded_blocks(self.package, relations, pictures.context)])
        text = tidied(cleaned(unescaped(text)))
        read = "" if text else pictures.text(self.package, relations)
        return Page(number=number, text=text or read, label=self._label(number), ocr=bool(read))

    def _label(self, number: int) -> str:
        return "" if self.first_number == 1 else str(self.first_number + number - 1)

    def _blocks(self, part: str, root: Element) -> Iterator[str]:
        slide = slide_text(self.package, part, root)
        is_hidden = root.get("show") in {"0", "false"}
        if slide.title:
            yield f"# {slide.title}{' (hidden slide)' if is_hidden else ''}"
        elif is_hidden:
            yield "(Hidden slide)"
        yield from slide.blocks
        repeated = [text for kind, text in slide.margins if kind in _ONCE and text not in self.seen]
        self.seen.update(repeated)
        yield from repeated
        notes = self._notes(part)
        if notes:
            yield "## Notes"
            yield from notes
        comments = comments_of(self.package, part)
        if comments:
            yield "## Comments"
            yield "\n".join(comments)

    def _notes(self, part: str) -> Sequence[str]:
        relations = self.package.relations(part).values()
        notes = next((relation.part for relation in relations if relation.kind == "notesSlide"), None)
        root = self.package.optional_xml(notes) if notes is not None else None
        if notes is None or root is None:
            return []
        text: SlideText = slide_text(self.package, notes, root, without=_NOT_NOTES)
        return [*filter(None, [text.title]), *text.blocks]


def _numbered_parts(package: Package) -> list[str]:
    found = [(int(name[1]), part) for part in package.members.values() if (name := _SLIDE_PART.search(part))]
    return [part for _, part in sorted(found)]


def _pages(path: Path, context: ExtractionContext, warnings: list[str]) -> Iterator[Page]:
    with Package.open(path) as package:
        deck, pictures = _Deck.of(package), Pictures(context)
        for number, part in enumerate(deck.slides, start=1):
            try:
                page = deck.page(number, part, pictures)
            except ExtractionError as error:
                if error.failure.code == "too_large":
                    raise
                page = Page(number=number, text="", label="")
                package.warnings.append(f"Slide {number}: {error}")
            yield page
        warnings.extend(dict.fromkeys(package.warnings))
