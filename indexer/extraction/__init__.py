"""The file formats. To add one: write its file, add its line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from indexer.extraction.base import Extractor
from indexer.extraction.docx import DocxExtractor
from indexer.extraction.html import HtmlExtractor
from indexer.extraction.markdown import MarkdownExtractor
from indexer.extraction.pdf import PdfExtractor
from indexer.extraction.text import TextExtractor
from rag.errors import ExtractionError

EXTRACTORS: Final[Sequence[Extractor]] = (
    PdfExtractor(),
    MarkdownExtractor(),
    TextExtractor(),
    HtmlExtractor(),
    DocxExtractor(),
)


def extractor_for(kind: str | None) -> Extractor:
    """The extractor of a kind, as `kind_of` tells it. Raises ExtractionError ("not_text", "unsupported")."""
    if kind is None:
        raise ExtractionError(
            "not_text", "The file is neither text nor in a known format.", "Save it as PDF, or leave it out."
        )
    for extractor in EXTRACTORS:
        if kind in extractor.kinds:
            return extractor
    readable = ", ".join(sorted(known for extractor in EXTRACTORS for known in extractor.kinds))
    raise ExtractionError(
        "unsupported", f"Files of the kind {kind} are not read yet.", f"Save it in one of these formats: {readable}."
    )
