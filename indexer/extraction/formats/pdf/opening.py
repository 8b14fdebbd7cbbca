"""Opening a PDF: whether it is one, and whether it lets us in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pymupdf
from pymupdf import mupdf

from indexer.extraction.container.passwords import locked, spellings
from indexer.extraction.container.source import size_of
from rag.errors import ExtractionError

LIBRARY_ERRORS: Final = (mupdf.FzErrorBase, RuntimeError, ValueError, AssertionError, IndexError, TypeError)
"""What PyMuPDF raises on damaged files, from any call."""
_END_BYTES: Final = 64 * 1024
"""The mark of the end need not come last: some files are filled up to a block, or have a web page's words behind."""


def opened(path: Path, passwords: Sequence[str]) -> pymupdf.Document:
    """The document, with one page at least. Raises ExtractionError ("encrypted", "damaged").

    A file that forbids no more than printing or copying has an empty password, and opens without any.
    """
    try:
        document = pymupdf.open(path, filetype="pdf")
    except LIBRARY_ERRORS as error:
        raise damaged("it cannot be opened") from error
    try:
        is_locked = bool(document.needs_pass) and not any(map(document.authenticate, spellings(passwords)))
        pages = len(document) if document.is_pdf and not is_locked else 0
    except LIBRARY_ERRORS as error:
        document.close()
        raise damaged("its list of pages is broken") from error
    if is_locked or pages == 0:
        document.close()
        raise locked(passwords) if is_locked else damaged("it is cut off, or no PDF at all")
    return document


def is_cut_off(path: Path, document: pymupdf.Document) -> bool:
    """Whether the file lacks its end, so that its pages had to be sought: those behind the cut are lost.

    What is made for the web ("linearized") has a mark of an end behind its first page, too (ISO 32000-1, annex F.3).
    """
    if not document.is_repaired:
        return False
    with path.open("rb") as file:
        file.seek(max(size_of(path) - _END_BYTES, 0))
        tail = file.read()
    return tail.count(b"%%EOF") < (2 if b"/Linearized" in tail else 1)


def damaged(detail: str) -> ExtractionError:
    """What to raise for a file that cannot be read."""
    return ExtractionError(
        "damaged", f"The file is damaged: {detail}.", "Copy it again, or print it to a new PDF with any viewer."
    )
