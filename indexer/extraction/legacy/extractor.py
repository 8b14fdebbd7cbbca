"""Office files of before 2007 (.doc, .xls, .ppt), by way of LibreOffice."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

from indexer.extraction.base import Aids, Extraction
from indexer.extraction.kinds.kind import kind_of
from indexer.extraction.legacy.libreoffice import converted
from indexer.extraction.office.encryption import unlocked
from indexer.extraction.sheets.xlsb import read_binary_workbook
from rag.errors import ExtractionError

_SUCCESSORS: Final = {"doc": "docx", "xls": "xlsx", "ppt": "pptx"}


class LegacyExtractor:
    """Has the file converted, and the new one read; slides and sheets keep their numbers."""

    kinds = frozenset(_SUCCESSORS)
    version = 2

    def extract(self, path: Path, aids: Aids) -> Extraction:
        """What the reader of the newer format makes of it. Raises ExtractionError, also "needs_libreoffice"."""
        with unlocked(path, aids.passwords) as plain:
            return self._extract(plain, aids)

    def _extract(self, path: Path, aids: Aids) -> Extraction:
        old = kind_of(path) or "doc"
        new = _SUCCESSORS[old]
        if aids.libreoffice is None and old == "xls":
            return read_binary_workbook(path)
        if aids.libreoffice is None:
            raise ExtractionError(
                "needs_libreoffice",
                f"Reading {old.upper()} files needs LibreOffice, which is not installed.",
                f"Install it, name it in FOOTNOTE_LIBREOFFICE, or save the file as {new.upper()}.",
            )
        with tempfile.TemporaryDirectory(prefix="footnote-", ignore_cleanup_errors=True) as folder:
            return aids.inner(converted(aids.libreoffice, path, old, new, Path(folder)), aids).whole()
