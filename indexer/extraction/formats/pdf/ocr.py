"""OCR of those pages of a PDF whose text layer is missing, or is not what is printed on them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from contextlib import ExitStack
from enum import Enum
from functools import partial
from typing import Final, Self

import pymupdf

from indexer.extraction.base import ExtractionContext
from indexer.extraction.formats.pdf.text_quality import is_unmapped, lacks_words, looks_garbled, odd_words
from indexer.extraction.layout.line import PageLine
from indexer.extraction.markdown.page_ranges import pages_named
from indexer.extraction.ocr.orientation import read_sheet
from indexer.extraction.ocr.outcomes import GIVEN_UP, LATE, NO_LETTERS, in_full
from indexer.extraction.ocr.tesseract import DPI, MAX_PIXELS, OcrText, Picture, Recogniser

_FINEST_DPI: Final = 300
"""Small sheets are scanned finely, for small type; beyond this nothing is gained."""
_POINTS: Final = 72
_STAMP_CHARACTERS: Final = 200
"""A page-filling picture with less text than this may be a scan under a stamp, or a running header."""
_SCAN_SHARE: Final = 0.6
"""Of the page, covered by pictures, from which it may be a scan."""
_SLOPPY: Final = 0.06
"""The share of odd words from which a text layer under a scan is bad OCR. Real pages have 0.01 in the middle."""
_SAME_TEXT: Final = 0.3
"""The share of the words read that the text layer has, from which the layer is right."""
_FALSE_ALARMS: Final = 3
"""So often a file's text layer is looked into and found right; then it is trusted."""
_WORD: Final = re.compile(r"\w{3,}")


class Fault(Enum):
    """What is wrong with a text layer."""

    MISSING = "no text"
    COVERED = "a stamp or a header over a scan"
    UNMAPPED = "glyphs without characters"
    GARBLED = "characters that make no text"
    SLOPPY = "bad OCR under a scan"


_UNREAD: Final = frozenset({Fault.MISSING, Fault.COVERED, Fault.UNMAPPED})
"""Without OCR, what a person reads on such a page is lost."""


class _PageOutcome(Enum):
    """What came of a page; its value is how a warning goes on."""

    SCANNED = "scanned; read by OCR."
    REPLACED = "the text layer is garbage; read by OCR."
    KEPT = "the text layer looks like garbage, and OCR finds nothing better; it is kept as it is."
    NOTHING = f"no text layer, and {NO_LETTERS}"
    OFF = "no text layer, and OCR is switched off: name languages in FOOTNOTE_OCR_LANGUAGES."
    OFF_GARBAGE = "the text layer looks like garbage, and OCR is switched off; it is kept as it is."
    GIVEN_UP = GIVEN_UP
    LATE = LATE


class PdfOcr:
    """Looks at the pages of one file in their order. To be closed, which tells what happened."""

    def __init__(self, context: ExtractionContext, warnings: list[str]) -> None:
        self._aids = context
        self._warnings = warnings
        self._closing = ExitStack()
        self._recogniser: Recogniser | None = None
        self._ends: dict[_PageOutcome, list[int]] = defaultdict(list)
        self._false_alarms = 0

    def lines(self, page: pymupdf.Page, number: int, layer: Sequence[PageLine]) -> list[PageLine] | None:
        """The page's lines by OCR; None where its text layer is to be used, whether good or the best there is."""
        text = "\n".join(line.text for line in layer)
        fault = self._fault(page, text)
        if fault is None or (fault is Fault.MISSING and _is_blank(page)):
            return None
        end, reading = self._read(page, fault, text)
        if end is not None:
            self._ends[end].append(number)
        return None if reading is None else reading.lines

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()
        for end in _PageOutcome:
            if numbers := self._ends.get(end):
                self._warnings.append(f"{pages_named(numbers)}: {in_full(end.value, self._aids.ocr_languages)}")

    def _fault(self, page: pymupdf.Page, text: str) -> Fault | None:
        characters = _characters(text)
        if not characters:
            return Fault.MISSING
        if is_unmapped(page, text):
            return Fault.UNMAPPED
        if self._false_alarms < _FALSE_ALARMS and (doubt := _doubt(page, text)) is not None:
            return doubt
        is_covered = characters < _STAMP_CHARACTERS and _picture_share(page) >= _SCAN_SHARE
        return Fault.COVERED if is_covered else None

    def _read(self, page: pymupdf.Page, fault: Fault, text: str) -> tuple[_PageOutcome | None, OcrText | None]:
        if not self._aids.ocr_languages:
            ends = {
                Fault.MISSING: _PageOutcome.OFF,
                Fault.UNMAPPED: _PageOutcome.OFF_GARBAGE,
                Fault.GARBLED: _PageOutcome.OFF_GARBAGE,
            }
            return ends.get(fault), None
        if self._aids.ocr_is_late:
            return (_PageOutcome.LATE if fault in _UNREAD else None), None
        reading = read_sheet(self._opened(), partial(picture_of, page))
        if _is_better(reading, fault, text):
            return (_PageOutcome.SCANNED if fault in {Fault.MISSING, Fault.COVERED} else _PageOutcome.REPLACED), reading
        self._false_alarms += fault in {Fault.GARBLED, Fault.SLOPPY}
        if reading.is_cut_off and fault in _UNREAD:
            return (_PageOutcome.LATE if self._aids.ocr_is_late else _PageOutcome.GIVEN_UP), None
        return {Fault.MISSING: _PageOutcome.NOTHING, Fault.UNMAPPED: _PageOutcome.KEPT}.get(fault), None

    def _opened(self) -> Recogniser:
        if self._recogniser is None:
            self._recogniser = self._closing.enter_context(Recogniser(self._aids))
        return self._recogniser


def _doubt(page: pymupdf.Page, text: str) -> Fault | None:
    """What may be wrong with a text layer that consists of characters."""
    if looks_garbled(text) or lacks_words(page, text):
        return Fault.GARBLED
    return Fault.SLOPPY if odd_words(text) >= _SLOPPY and _picture_share(page) >= _SCAN_SHARE else None


def _is_better(reading: OcrText, fault: Fault, text: str) -> bool:
    """Whether it, rather than the text layer, is what a person sees on the page."""
    characters = _characters(text)
    if not reading.lines:
        return False
    match fault:
        case Fault.MISSING | Fault.UNMAPPED:
            return reading.is_legible
        case Fault.COVERED:
            return reading.is_legible and reading.characters >= 2 * characters
        case Fault.GARBLED:
            read = set(map(str.lower, _WORD.findall(reading.text)))
            known = read & set(map(str.lower, _WORD.findall(text)))
            return reading.is_sound and 2 * reading.characters >= characters and len(known) < _SAME_TEXT * len(read)
        case Fault.SLOPPY:
            return reading.is_sound and 2 * odd_words(reading.text) <= odd_words(text)


def _characters(text: str) -> int:
    return sum(map(str.isalnum, text))


def _is_blank(page: pymupdf.Page) -> bool:
    samples: bytes = page.get_pixmap(dpi=_POINTS // 2, colorspace=pymupdf.csGRAY, alpha=False).samples
    return samples.count(samples[:1]) == len(samples)  # Pixmap.is_unicolor asks pixel by pixel


def _picture_share(page: pymupdf.Page) -> float:
    """How much of the page its pictures cover; a scan may be cut into stripes."""
    pictures = [pymupdf.Rect(picture["bbox"]) & page.rect for picture in page.get_image_info()]
    return sum(abs(picture) for picture in pictures) / max(abs(page.rect), 1.0)


def picture_of(page: pymupdf.Page, turn: float) -> Picture:
    """The page, turned clockwise by so many degrees."""
    zoom = _zoom(page)
    matrix = pymupdf.Matrix(zoom, zoom).prerotate(turn)
    pixels = page.get_pixmap(matrix=matrix, colorspace=pymupdf.csGRAY, alpha=False)
    return Picture(pixels.samples, pixels.width, pixels.height, pixels.stride, zoom * _POINTS)


def _zoom(page: pymupdf.Page) -> float:
    """As fine as the page was scanned, within limits; a page of any size is drawn with so many pixels at most."""
    scans = [
        picture["width"] / pymupdf.Rect(picture["bbox"]).width
        for picture in page.get_image_info()
        if abs(pymupdf.Rect(picture["bbox"])) >= _SCAN_SHARE * abs(page.rect)
    ]
    finest = min(max([DPI / _POINTS, *scans]), _FINEST_DPI / _POINTS)
    return min(finest, (MAX_PIXELS / max(abs(page.rect), 1.0)) ** 0.5)
