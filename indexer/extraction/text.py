"""Plain text, in any encoding."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from indexer.extraction.base import Aids, Extraction
from indexer.extraction.characters import cleaned, is_text, tidied
from indexer.extraction.encoding import decoded, losses
from indexer.extraction.source import read_bytes
from rag.errors import ExtractionError
from rag.types import Page

_LOOKS_LIKE_MARKDOWN: Final = re.compile(r"^[ ]{0,3}(?=#{1,6}[ \t]|`{3}|~{3})", re.MULTILINE)

_SEEN: Final = 32_000
"""Characters by which the kind was told; a program or data may follow a long text."""


class TextExtractor:
    """Gives one page. Lines stay as they are: in plain text they are the layout."""

    kinds = frozenset({"text"})
    version = 3

    def extract(self, path: Path, aids: Aids) -> Extraction:  # noqa: ARG002  # needs none
        """The text; it names no title. Raises ExtractionError."""
        raw = decoded(read_bytes(path))
        if len(raw) > _SEEN and not is_text(raw):
            raise ExtractionError(
                "not_text", "The file begins as text, but most of it is none.", "Save it as PDF, or leave it out."
            )
        text = tidied(literal(cleaned(raw)))
        return Extraction(title="", paged=False, pages=iter([Page(number=1, text=text)]), warnings=[*losses(raw)])


def literal(text: str) -> str:
    """The text with lines indented that Markdown would take for headings or fences: comments of a script, mostly."""
    return _LOOKS_LIKE_MARKDOWN.sub("    ", text)
