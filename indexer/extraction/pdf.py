"""PDF, page by page."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, takewhile
from pathlib import Path
from typing import Final

import pymupdf
from pymupdf import mupdf

from indexer.extraction.base import Aids, Extraction
from indexer.extraction.pdf_headings import Entry, Headings, outline_by_page
from indexer.extraction.pdf_lines import lines_of
from indexer.extraction.pdf_paragraphs import as_text, body_size, paragraphs_of
from indexer.extraction.title import shown_title
from rag.errors import ExtractionError
from rag.types import Page

_LIBRARY_ERRORS: Final = (mupdf.FzErrorBase, RuntimeError, ValueError, AssertionError, IndexError, TypeError)
"""What PyMuPDF raises on damaged files, from any call."""
_SAMPLED_PAGES: Final = 8
"""Enough to tell the size of the body's type."""
_OPENING_PARAGRAPHS: Final = 20
_TITLE_PARAGRAPHS: Final = 2
"""A title and its second line: "Contoso" may stand above "Benefits" in type of one size."""
_TITLE_SIZE: Final = 1.4
"""How many times the body's size a title is set in at least."""


class PdfExtractor:
    """Real pages; one without a text layer comes out with an empty text."""

    kinds = frozenset({"pdf"})
    version = 1

    def extract(self, path: Path, aids: Aids) -> Extraction:  # noqa: ARG002
        """Pages are read as they are asked for. Raises ExtractionError ("encrypted", "damaged")."""
        pymupdf.TOOLS.mupdf_display_errors(False)
        document = _opened(path)
        try:
            headings = Headings(_outline(document), _body_size(document))
            title = _title(document, headings)
        except _LIBRARY_ERRORS as error:
            document.close()
            raise _damaged("its pages cannot be read") from error
        return Extraction(title=title, paged=True, pages=_pages(document, headings))


def _opened(path: Path) -> pymupdf.Document:
    try:
        document = pymupdf.open(path, filetype="pdf")
    except _LIBRARY_ERRORS as error:
        raise _damaged("it cannot be opened") from error
    try:
        is_locked, pages = bool(document.needs_pass), len(document) if document.is_pdf else 0
    except _LIBRARY_ERRORS as error:
        document.close()
        raise _damaged("its list of pages is broken") from error
    if is_locked or pages == 0:
        document.close()
        raise _locked() if is_locked else _damaged("it is cut off, or no PDF at all")
    return document


def _locked() -> ExtractionError:
    return ExtractionError(
        "encrypted", "The file is protected by a password.", "Save it without a password, or leave it out."
    )


def _damaged(detail: str) -> ExtractionError:
    return ExtractionError(
        "damaged", f"The file is damaged: {detail}.", "Copy it again, or print it to a new PDF with any viewer."
    )


def _pages(document: pymupdf.Document, headings: Headings) -> Iterator[Page]:
    with document:
        for number in range(1, len(document) + 1):
            try:
                page = document[number - 1]
                paragraphs = paragraphs_of(lines_of(page))
                label = _label(page)
            except _LIBRARY_ERRORS as error:
                raise _damaged(f"page {number} cannot be read") from error
            path, levels = headings.read(number, paragraphs)
            yield Page(number=number, text=as_text(paragraphs, levels), label=label, headings=path)


def _label(page: pymupdf.Page) -> str:
    try:
        return str(page.get_label() or "")
    except _LIBRARY_ERRORS:  # labels are a convenience: broken ones lose no text
        return ""


def _outline(document: pymupdf.Document) -> dict[int, list[Entry]]:
    try:
        return outline_by_page(document.get_toc())
    except _LIBRARY_ERRORS:  # likewise
        return {}


def _body_size(document: pymupdf.Document) -> float:
    step = max(1, len(document) // _SAMPLED_PAGES)
    return body_size([lines_of(document[at]) for at in range(0, len(document), step)])


def _title(document: pymupdf.Document, headings: Headings) -> str:
    """From the metadata, else the outline's only root, else what is set largest on the first page, if it is large."""
    if title := shown_title((document.metadata or {}).get("title")):
        return title
    roots = [entry.title for entries in headings.outline.values() for entry in entries if entry.level == 1]
    if len(roots) == 1:
        return shown_title(roots[0])
    opening = paragraphs_of(lines_of(document[0]))[:_OPENING_PARAGRAPHS]
    sizes = [paragraph.size if paragraph.upright else 0.0 for paragraph in opening]
    largest = max(sizes, default=0.0)
    if not largest >= _TITLE_SIZE * headings.body_size > 0:
        return ""
    first = sizes.index(largest)
    large = takewhile(lambda at: sizes[at] >= _TITLE_SIZE * headings.body_size, range(first, len(sizes)))
    return shown_title(" – ".join(opening[at].text for at in islice(large, _TITLE_PARAGRAPHS)))
