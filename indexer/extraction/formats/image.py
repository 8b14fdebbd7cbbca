"""Pictures: photographs of paper, screenshots, scans; their text is read by OCR."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from enum import Enum
from functools import partial
from pathlib import Path

from PIL import Image

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.layout.headings import Headings
from indexer.extraction.layout.paragraphs import as_text, body_size, paragraphs_of
from indexer.extraction.markdown.page_ranges import pages_named
from indexer.extraction.ocr.frames import LIBRARY_ERRORS, damaged, drawn, frame, opened, pages_in
from indexer.extraction.ocr.orientation import read_sheet
from indexer.extraction.ocr.outcomes import GIVEN_UP, LATE, NO_LETTERS, in_full
from indexer.extraction.ocr.tesseract import Recogniser
from rag.types.documents import Page


class _FrameOutcome(Enum):
    """Why a page has no text; its value is how a warning goes on."""

    EMPTY = NO_LETTERS
    BROKEN = "damaged, no text could be read. Scan it again."
    GIVEN_UP = GIVEN_UP
    LATE = LATE


class ImageExtractor:
    """One page, or one a frame of a TIFF; a picture without letters gives an empty page."""

    def extract(self, path: Path, context: ExtractionContext) -> Extraction:
        """Pages are read as they are asked for. Raises ExtractionError ("damaged", "too_large")."""
        image = opened(path)
        count = pages_in(image)
        warnings: list[str] = []
        pages = _pages(image, count, context, warnings) if context.ocr_languages else _unread(image, count, warnings)
        return Extraction(title="", paged=count > 1, pages=pages, warnings=warnings)


def _unread(image: Image.Image, count: int, warnings: list[str]) -> Iterator[Page]:
    with image:
        warnings.append("The picture is not read: OCR is switched off. Name languages in FOOTNOTE_OCR_LANGUAGES.")
        yield from (Page(number=number, text="") for number in range(1, count + 1))


def _pages(image: Image.Image, count: int, context: ExtractionContext, warnings: list[str]) -> Iterator[Page]:
    ends: dict[_FrameOutcome, list[int]] = defaultdict(list)
    recogniser: Recogniser | None = None
    with image, ExitStack() as closing:
        for number in range(1, count + 1):
            if context.ocr_is_late:
                read = _FrameOutcome.LATE
            else:
                recogniser = recogniser or closing.enter_context(Recogniser(context))
                read = _read(recogniser, image, number, context)
            if isinstance(read, _FrameOutcome):
                if read is _FrameOutcome.BROKEN and count == 1:
                    raise damaged()
                ends[read].append(number)
                read = ""
            yield Page(number=number, text=read, ocr=bool(read))
    warnings.extend(
        f"{pages_named(ends[end])}: {in_full(end.value, context.ocr_languages)}" for end in _FrameOutcome if ends[end]
    )


def _read(recogniser: Recogniser, image: Image.Image, number: int, context: ExtractionContext) -> str | _FrameOutcome:
    try:
        grey = frame(image, number)
        low, high = grey.getextrema()
    except LIBRARY_ERRORS:
        return _FrameOutcome.BROKEN
    if low == high:
        return ""
    reading = read_sheet(recogniser, partial(drawn, grey))
    if reading.is_cut_off:
        return _FrameOutcome.LATE if context.ocr_is_late else _FrameOutcome.GIVEN_UP
    if not reading.is_legible or not reading.lines:
        return _FrameOutcome.EMPTY
    paragraphs = paragraphs_of(reading.lines)
    _, levels = Headings({}, body_size([reading.lines])).read(number, paragraphs)
    return as_text(paragraphs, levels)
