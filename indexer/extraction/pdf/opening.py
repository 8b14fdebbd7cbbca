"""Opening a PDF: whether it is one, and whether it lets us in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pymupdf
from pymupdf import mupdf

from indexer.extraction.encrypted import locked, spellings
from rag.errors import ExtractionError

LIBRARY_ERRORS: Final = (mupdf.FzErrorBase, RuntimeError, ValueError, AssertionError, IndexError, TypeError)
"""What PyMuPDF raises on damaged files, from any call."""


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


def damaged(detail: str) -> ExtractionError:
    """What to raise for a file that cannot be read."""
    return ExtractionError(
        "damaged", f"The file is damaged: {detail}.", "Copy it again, or print it to a new PDF with any viewer."
    )
