"""Office files of before 2007 (.doc, .xls, .ppt), by way of LibreOffice."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.container.encryption import unlocked
from indexer.extraction.detect.kind import kind_of
from indexer.extraction.formats.legacy.libreoffice import converted
from indexer.extraction.formats.sheets.xlsb import read_binary_workbook
from rag.errors import ExtractionError

_SUCCESSORS: Final = {"doc": "docx", "xls": "xlsx", "ppt": "pptx"}


class LegacyExtractor:
    """Has the file converted, and the new one read; slides and sheets keep their numbers."""

    def extract(self, path: Path, context: ExtractionContext) -> Extraction:
        """What the reader of the newer format makes of it. Raises ExtractionError, also "needs_libreoffice"."""
        with unlocked(path, context.passwords) as plain:
            return self._extract(plain, context)

    def _extract(self, path: Path, context: ExtractionContext) -> Extraction:
        old = kind_of(path) or "doc"
        new = _SUCCESSORS[old]
        if context.libreoffice is None and old == "xls":
            return read_binary_workbook(path)
        if context.libreoffice is None:
            raise ExtractionError(
                "needs_libreoffice",
                f"Reading {old.upper()} files needs LibreOffice, which is not installed.",
                f"Install it, name it in FOOTNOTE_LIBREOFFICE, or save the file as {new.upper()}.",
            )
        with tempfile.TemporaryDirectory(prefix="footnote-", ignore_cleanup_errors=True) as folder:
            return context.inner(converted(context.libreoffice, path, old, new, Path(folder)), context).whole()
