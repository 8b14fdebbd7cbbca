"""What may come of OCR but a text: how a warning about it goes on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from indexer.extraction.ocr.tesseract import PICTURE_SECONDS

NO_LETTERS: Final = "OCR finds no letters in the picture."
GIVEN_UP: Final = (
    f"given up by OCR after {PICTURE_SECONDS} seconds: scan it again without shades and patterns, or in smaller parts."
)
LATE: Final = "not read by OCR, which has used its time: raise FOOTNOTE_FILE_SECONDS, or split the file."


def in_full(end: str, languages: Sequence[str]) -> str:
    """The words, and where no letters were found, what its reader may try."""
    if not end.endswith(NO_LETTERS):
        return end
    return f"{end} It reads {', '.join(languages)}; another language is set by FOOTNOTE_OCR_LANGUAGES."
