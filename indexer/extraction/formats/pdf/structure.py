"""The structure of a tagged PDF, which may say that words a person sees are to be read as nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pymupdf

from indexer.extraction.formats.pdf.opening import LIBRARY_ERRORS

_MOST_OBJECTS: Final = 200_000
"""A file with more would take seconds to look through."""


def reveal_text(document: pymupdf.Document) -> None:
    """Takes away readings that are blank, in memory: those of spaces, which an editor may have stretched over a page.

    The library puts an element's reading in the place of what is drawn, so that a blank one costs its words.
    """
    for xref in _elements(document):
        try:
            kind, reading = document.xref_get_key(xref, "ActualText")
            if kind == "string" and not reading.strip():
                document.xref_set_key(xref, "ActualText", "null")
        except LIBRARY_ERRORS:  # an object that is broken has no reading either
            continue


def _elements(document: pymupdf.Document) -> Iterator[int]:
    """The objects among which the elements of the structure are; none where there is no structure."""
    try:
        is_tagged = document.xref_get_key(document.pdf_catalog(), "StructTreeRoot")[0] != "null"
        last = min(document.xref_length(), _MOST_OBJECTS) if is_tagged else 0
    except LIBRARY_ERRORS:
        return
    yield from range(1, last)
