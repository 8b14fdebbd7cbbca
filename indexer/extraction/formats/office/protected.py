"""New Office files (.docx, .xlsx, .pptx) under a password."""

from __future__ import annotations

from pathlib import Path

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.container.encryption import unlocked
from indexer.extraction.container.passwords import locked


class ProtectedOfficeExtractor:
    """Has the file decrypted, and read by the extractor of what comes out."""

    def extract(self, path: Path, context: ExtractionContext) -> Extraction:
        """What the reader of its format makes of it. Raises ExtractionError ("encrypted", "too_large", …)."""
        with unlocked(path, context.passwords) as plain:
            if plain == path:
                raise locked(context.passwords)  # by rights management, say, which no password opens
            return context.inner(plain, context).whole()
