"""How many pages the PDFs of a set have: a page beyond the last is a slip in the set, and would be missed forever."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from lab.evaluation.sets.base import Page


class Lengths:
    """Each file is opened once, and only when one of its pages is named."""

    def __init__(self, drive: Path) -> None:
        self._drive = drive
        self._known: dict[str, int | None] = {}

    def of(self, file: str) -> int | None:
        """Its pages; None where it is no PDF, or one that cannot be opened: the indexer will say so."""
        if file not in self._known:
            self._known[file] = _pages(self._drive / file) if file.lower().endswith(".pdf") else None
        return self._known[file]

    def beyond(self, pages: Iterable[Page]) -> Page | None:
        """The first of these that is beyond the end of its file."""
        return next((page for page in sorted(pages) if page[1] > (self.of(page[0]) or page[1])), None)


def _pages(file: Path) -> int | None:
    import pymupdf  # noqa: PLC0415  # about a second, which sets without PDFs do not need

    pymupdf.TOOLS.mupdf_display_errors(False)  # as it is called
    try:
        with pymupdf.open(file) as document:
            return document.page_count
    except (RuntimeError, ValueError):  # damaged, empty, or under a password
        return None
