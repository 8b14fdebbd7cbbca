"""New Office files (.docx, .xlsx, .pptx) under a password."""

from __future__ import annotations

from pathlib import Path

from indexer.extraction.base import Aids, Extraction
from indexer.extraction.encrypted import locked
from indexer.extraction.office.encryption import unlocked


class ProtectedOfficeExtractor:
    """Has the file decrypted, and read by the extractor of what comes out."""

    kinds = frozenset({"protected-office"})
    version = 1

    def extract(self, path: Path, aids: Aids) -> Extraction:
        """What the reader of its format makes of it. Raises ExtractionError ("encrypted", "too_large", …)."""
        with unlocked(path, aids.passwords) as plain:
            if plain == path:
                raise locked(aids.passwords)  # by rights management, say, which no password opens
            return aids.inner(plain, aids).whole()
