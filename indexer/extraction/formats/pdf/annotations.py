"""Comments on a PDF page, which a viewer shows in bubbles."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

import pymupdf
from pymupdf import mupdf

from indexer.extraction.characters.normalization import cleaned
from indexer.extraction.markdown.literal import literal

_MOST: Final = 500
"""Remarks of one page."""
_COMMENTS: Final = frozenset(
    {
        mupdf.PDF_ANNOT_TEXT,
        mupdf.PDF_ANNOT_HIGHLIGHT,
        mupdf.PDF_ANNOT_UNDERLINE,
        mupdf.PDF_ANNOT_SQUIGGLY,
        mupdf.PDF_ANNOT_STRIKE_OUT,
        mupdf.PDF_ANNOT_CARET,
    }
)
"""Their words are shown in a bubble; those of the others are drawn on the page and come with its text."""


def remarks_of(page: pymupdf.Page, warnings: list[str]) -> list[str]:
    """Each as "Comment (author): …", in the order of the file. Values of forms are drawn: they come with the text."""
    remarks = _remarks(page)
    read = [literal(remark) for remark in islice(remarks, _MOST)]
    if left_out := sum(1 for _ in remarks):
        number = (page.number or 0) + 1
        warnings.append(f"Page {number}: only the first {_MOST} comments were read, {left_out} were left out.")
    return read


def _remarks(page: pymupdf.Page) -> Iterator[str]:
    document = page.parent
    if document is None:
        return
    for xref, kind, _ in page.annot_xrefs():
        if kind in _COMMENTS and (words := _text(document, xref, "Contents")):
            author = _text(document, xref, "T")
            yield f"Comment ({author}): {words}" if author else f"Comment: {words}"


def _text(document: pymupdf.Document, xref: int, key: str) -> str:
    kind, value = document.xref_get_key(xref, key)
    return " ".join(cleaned(value).split()) if kind == "string" else ""
