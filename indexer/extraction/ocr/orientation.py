"""A sheet of paper, read whichever way it lay on the scanner."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from indexer.extraction.ocr.skew import tilt_of
from indexer.extraction.ocr.tesseract import SOUND, OcrText, Picture, Recogniser

_TILT: Final = 1.0
"""Degrees from which a sheet that lay askew is read level once more: columns and rows need level lines."""
_WORTH_TURNING: Final = 8
"""Letters and digits; with fewer there is nothing that could stand upside down."""


def read_sheet(recogniser: Recogniser, draw: Callable[[float], Picture]) -> OcrText:
    """The best reading of the sheet that `draw` draws, turned clockwise by so many degrees."""
    turn, reading = _as_it_lies(recogniser, draw)
    if not reading.is_sound and sum(len(word.text) for word in reading.words) >= _WORTH_TURNING:
        turn, reading = _turned(recogniser, draw, turn, reading)
    if reading.is_sound and abs(reading.tilt) >= _TILT:
        level = recogniser.read(draw(turn + reading.tilt))
        if level.confidence * level.characters >= reading.confidence * reading.characters:
            return level
    return reading


def _as_it_lies(recogniser: Recogniser, draw: Callable[[float], Picture]) -> tuple[float, OcrText]:
    """Tesseract sees no lines at all on a sheet that lay very much askew: it is levelled first then."""
    picture = draw(0.0)
    reading = recogniser.read(picture)
    if not reading.words and not reading.is_cut_off and abs(tilt := tilt_of(picture)) >= _TILT:
        return tilt, recogniser.read(draw(tilt))
    return 0.0, reading


def _turned(
    recogniser: Recogniser, draw: Callable[[float], Picture], lies: float, reading: OcrText
) -> tuple[float, OcrText]:
    best = lies, reading
    for quarter in _likely_turns(reading):
        turned = recogniser.read(draw(lies + quarter))
        if turned.is_sound:
            return lies + quarter, turned
        if turned.is_cut_off:
            return best if best[1].is_legible else (lies, turned)
        if turned.confidence > best[1].confidence:
            best = lies + quarter, turned
    return best


def _likely_turns(reading: OcrText) -> tuple[float, ...]:
    """Tesseract reads lines that run down the picture as they should be, and those that run up upside down."""
    if not reading.is_sideways:
        return (180.0, 90.0, 270.0)
    return (270.0, 90.0, 180.0) if reading.confidence >= SOUND else (90.0, 270.0, 180.0)
