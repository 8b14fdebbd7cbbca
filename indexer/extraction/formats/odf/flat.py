"""OpenDocument files that are one XML file (.fodt, .fodp, .fods)."""

from __future__ import annotations

from pathlib import Path

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.container.ooxml import MAX_PART_BYTES, damaged
from indexer.extraction.container.source import read_bytes
from indexer.extraction.container.xml_tree import parsed_xml
from indexer.extraction.formats.odf.changes import drop_deleted
from indexer.extraction.formats.odf.odp import presentation
from indexer.extraction.formats.odf.ods import sheet_pages
from indexer.extraction.formats.odf.odt import writing
from indexer.extraction.formats.odf.package import OdfDocument


class FlatOdfExtractor:
    """A presentation has its slides as pages, a spreadsheet its sheets; a text is one page."""

    def extract(self, path: Path, context: ExtractionContext) -> Extraction:  # noqa: ARG002  # needs none
        """What the packaged file would give, but for charts. Raises ExtractionError."""
        warnings: list[str] = []
        raw = read_bytes(path, limit=MAX_PART_BYTES)
        root = parsed_xml(raw, warnings)
        body = root.find("body") if root is not None else None
        if root is None or body is None:
            raise damaged("it is no valid XML, or cut off")
        drop_deleted(body)
        document = OdfDocument(content=root, styles_part=None, meta=root)
        slides = body.find("presentation")
        if slides is not None:
            return presentation(document, slides, warnings)
        if body.find("spreadsheet") is not None:
            return Extraction(document.title(), paged=True, pages=sheet_pages(raw, warnings), warnings=warnings)
        return writing(document, next(iter(body), None), warnings)
