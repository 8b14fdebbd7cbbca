"""OpenDocument texts (.odt), as Markdown."""

from __future__ import annotations

from pathlib import Path

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.characters.normalization import cleaned, tidied
from indexer.extraction.container.ooxml import Package
from indexer.extraction.container.xml_tree import Element
from indexer.extraction.formats.markup.markdown import first_heading
from indexer.extraction.formats.odf.package import OdfDocument
from rag.types.documents import Page


class OdtExtractor:
    """Gives one page: where a page ends depends on the printer."""

    def extract(self, path: Path, context: ExtractionContext) -> Extraction:  # noqa: ARG002  # needs none
        """The text as the final version shows it, with notes, text boxes and headers. Raises ExtractionError."""
        with Package.open(path) as package:
            document = OdfDocument.of(package)
            return writing(document, document.content.find("body/text"), package.warnings)


def writing(document: OdfDocument, root: Element | None, warnings: list[str]) -> Extraction:
    """The text below this element, and the headers and footers of its pages."""
    blocks = document.body().blocks(root) if root is not None else []
    text = tidied(cleaned("\n\n".join([*blocks, *document.headers_and_footers()])))
    title = document.title() or first_heading(text)
    pages = iter([Page(number=1, text=text)])
    return Extraction(title=title, paged=False, pages=pages, warnings=list(dict.fromkeys(warnings)))
