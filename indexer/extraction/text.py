"""Plain text, in any encoding."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from indexer.extraction.base import Aids, Extraction
from indexer.extraction.characters import cleaned, tidied
from indexer.extraction.encoding import decoded
from indexer.extraction.source import read_bytes
from rag.types import Page

_LOOKS_LIKE_MARKDOWN: Final = re.compile(r"^[ ]{0,3}(?=#{1,6}[ \t]|`{3}|~{3})", re.MULTILINE)


class TextExtractor:
    """Gives one page. Lines stay as they are: in plain text they are the layout."""

    kinds = frozenset({"text"})
    version = 1

    def extract(self, path: Path, aids: Aids) -> Extraction:  # noqa: ARG002  # needs none
        """The text; it names no title. Raises ExtractionError."""
        text = tidied(literal(cleaned(decoded(read_bytes(path)))))
        return Extraction(title="", paged=False, pages=iter([Page(number=1, text=text)]))


def literal(text: str) -> str:
    """The text with lines indented that Markdown would take for headings or fences: comments of a script, mostly."""
    return _LOOKS_LIKE_MARKDOWN.sub("    ", text)
