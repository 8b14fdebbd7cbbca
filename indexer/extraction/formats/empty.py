"""Files of no bytes: placeholders, and files whose copying has not begun."""

from __future__ import annotations

from pathlib import Path

from indexer.extraction.base import Extraction, ExtractionContext


class EmptyExtractor:
    """Gives no pages: such a file is no mistake of anybody's."""

    def extract(self, path: Path, context: ExtractionContext) -> Extraction:  # noqa: ARG002  # there is nothing to read
        """Nothing, and why."""
        return Extraction(title="", paged=False, pages=iter(()), warnings=["The file is empty (0 bytes)."])
