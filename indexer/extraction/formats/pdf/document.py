"""The pages of a PDF, one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, takewhile
from pathlib import Path
from typing import Final

import pymupdf

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.formats.pdf.annotations import remarks_of
from indexer.extraction.formats.pdf.fonts import FontMender
from indexer.extraction.formats.pdf.headers_footers import RunningLines
from indexer.extraction.formats.pdf.lines import sheet_of
from indexer.extraction.formats.pdf.ocr import PdfOcr
from indexer.extraction.formats.pdf.opening import LIBRARY_ERRORS, damaged, is_cut_off, opened
from indexer.extraction.formats.pdf.structure import reveal_text
from indexer.extraction.layout.headings import Headings, OutlineEntry, outline_by_page
from indexer.extraction.layout.line import PageLine, PageLines
from indexer.extraction.layout.paragraphs import as_text, body_size, paragraphs_of
from indexer.extraction.markdown.page_ranges import pages_named
from indexer.extraction.markdown.title import shown_title
from rag.types.documents import Page

_SAMPLED_PAGES: Final = 8
"""Enough to tell the size of the body's type, and what every page bears."""
_OPENING_PARAGRAPHS: Final = 20
_TITLE_PARAGRAPHS: Final = 2
"""A title and its second line: "Contoso" may stand above "Benefits" in type of one size."""
_TITLE_SIZE: Final = 1.4
"""How many times the body's size a title is set in at least."""
_CUT_OFF: Final = "The file is cut off, and only what is left of it was read. Copy it again from where it came from."


def extraction_of(path: Path, context: ExtractionContext) -> Extraction:
    """The file, opened; its pages are read as they are asked for. Raises ExtractionError ("encrypted", "damaged")."""
    pymupdf.TOOLS.mupdf_display_errors(False)
    document = opened(path, context.passwords)
    reveal_text(document)
    mender = FontMender(document)
    samples = _samples(document, mender)
    if not samples:
        document.close()
        raise damaged("its pages cannot be read")
    headings = Headings(_outline(document), body_size([sheet.lines for sheet in samples.values()]))
    running = RunningLines(len(document), headings.body_size)
    for number, sheet in samples.items():
        running.sample(number, sheet)
    warnings = [_CUT_OFF] if is_cut_off(path, document) else []
    return Extraction(
        title=_title(document, headings, samples.get(1)),
        paged=True,
        pages=_pages(mender, headings, running, PdfOcr(context, warnings), warnings),
        warnings=warnings,
    )


def _pages(
    mender: FontMender, headings: Headings, running: RunningLines, ocr: PdfOcr, warnings: list[str]
) -> Iterator[Page]:
    """Each page stands for itself: one that cannot be read comes out empty, and is named in the warnings."""
    unread: list[int] = []
    with mender.document as document, ocr:
        for number in range(1, len(document) + 1):
            try:
                page = mender.page(number)
                read = _page(page, number, headings, running, ocr)
                text = "\n\n".join(filter(None, [read.text, *remarks_of(page, warnings)]))
                yield replace(read, text=text)
            except LIBRARY_ERRORS:
                unread.append(number)
                yield Page(number=number, text="")
    if unread:
        warnings.append(f"{pages_named(unread)}: damaged, no text could be read. Print the file to a new PDF.")


def _page(page: pymupdf.Page, number: int, headings: Headings, running: RunningLines, ocr: PdfOcr) -> Page:
    sheet = sheet_of(page)
    if not sheet.lines and _is_missing(page):
        raise ValueError(number)
    lines, printed = running.without(number, sheet)
    recognised = _recognised(page, number, sheet, ocr)
    if recognised is not None:
        lines, printed = recognised, ""
    paragraphs = paragraphs_of(lines)
    path, levels = headings.read(number, paragraphs, body_size=0.0 if recognised is None else body_size([recognised]))
    text = as_text(paragraphs, levels)
    return Page(number=number, text=text, label=_label(page) or printed, headings=path, ocr=recognised is not None)


def _is_missing(page: pymupdf.Page) -> bool:
    """Whether the file has lost the page's own record: the library gives a blank page then."""
    document = page.parent
    return document is not None and document.xref_object(page.xref) == "null"


def _recognised(page: pymupdf.Page, number: int, sheet: PageLines, ocr: PdfOcr) -> Sequence[PageLine] | None:
    try:
        return ocr.lines(page, number, sheet.lines)
    except LIBRARY_ERRORS:
        if not sheet.lines:
            raise
        return None  # the text that the page has is better than none


def _label(page: pymupdf.Page) -> str:
    try:
        return str(page.get_label() or "")
    except LIBRARY_ERRORS:  # labels are a convenience: broken ones lose no text
        return ""


def _outline(document: pymupdf.Document) -> dict[int, list[OutlineEntry]]:
    try:
        return outline_by_page(document.get_toc())
    except LIBRARY_ERRORS:  # likewise
        return {}


def _samples(document: pymupdf.Document, mender: FontMender) -> dict[int, PageLines]:
    """Some pages from the whole of the document, by number; those that cannot be read are left out."""
    samples: dict[int, PageLines] = {}
    step = len(document) // _SAMPLED_PAGES | 1  # odd, so that left and right pages are among them
    for at in range(0, len(document), step):
        try:
            samples[at + 1] = sheet_of(mender.page(at + 1))
        except LIBRARY_ERRORS as error:
            if "page tree" in str(error):  # then no page can be told from another
                document.close()
                raise damaged("its list of pages is broken") from error
    return samples


def _title(document: pymupdf.Document, headings: Headings, first_page: PageLines | None) -> str:
    """From the metadata, else the outline's only root, else what is set largest on the first page, if it is large."""
    if title := shown_title(_metadata_title(document)):
        return title
    roots = [entry.title for entries in headings.outline.values() for entry in entries if entry.level == 1]
    if len(roots) == 1:
        return shown_title(roots[0])
    opening = paragraphs_of(first_page.lines if first_page else ())[:_OPENING_PARAGRAPHS]
    sizes = [paragraph.size if paragraph.upright else 0.0 for paragraph in opening]
    largest = max(sizes, default=0.0)
    if not largest >= _TITLE_SIZE * headings.body_size > 0:
        return ""
    first = sizes.index(largest)
    large = takewhile(lambda at: sizes[at] >= _TITLE_SIZE * headings.body_size, range(first, len(sizes)))
    return shown_title(" – ".join(opening[at].text for at in islice(large, _TITLE_PARAGRAPHS)))


def _metadata_title(document: pymupdf.Document) -> str:
    try:
        return str((document.metadata or {}).get("title") or "")
    except (*LIBRARY_ERRORS, UnicodeError):
        return ""
