"""Plain text, in any encoding."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.characters.encoding import decoded, losses
from indexer.extraction.characters.normalization import cleaned, is_text, tidied
from indexer.extraction.container.source import read_bytes
from indexer.extraction.markdown.literal import literal
from rag.errors import ExtractionError
from rag.types.documents import Page

_SEEN: Final = 32_000
"""Characters by which the kind was told; a program or data may follow a long text."""


class TextExtractor:
    """Gives one page. Lines stay as they are: in plain text they are the layout."""

    def extract(self, path: Path, context: ExtractionContext) -> Extraction:  # noqa: ARG002  # needs none
        """The text; it names no title. Raises ExtractionError."""
        raw = decoded(read_bytes(path))
        if len(raw) > _SEEN and not is_text(raw):
            raise ExtractionError(
                "not_text", "The file begins as text, but most of it is none.", "Save it as PDF, or leave it out."
            )
        text = tidied(literal(cleaned(raw)))
        return Extraction(title="", paged=False, pages=iter([Page(number=1, text=text)]), warnings=[*losses(raw)])
