"""The words of a picture, read by Tesseract."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from math import atan2, degrees
from statistics import median
from typing import Final, Self

from tesserocr import PSM, PT, RIL, PyTessBaseAPI, WritingDirection, iterate_level

from indexer.extraction.base import ExtractionContext
from indexer.extraction.layout.line import PageLine
from indexer.extraction.ocr.languages import data_folder
from indexer.extraction.ocr.lines import OcrWord, confidence_of, lines_of_words

DPI: Final = 200
"""Recall of words on pages in common sizes: .93 at 150, .98 at 200, and no more at 300 for a fifth more time."""
MAX_PIXELS: Final = 12_000_000
"""A sheet of A3 at DPI has 8 million; larger ones are read at a coarser scale."""
PICTURE_SECONDS: Final = 30
"""A dense page takes one or two; noise that looks like letters is given up after this."""
SOUND: Final = 0.7
"""The confidence from which a reading is one. Text upside down has 0.3, a page read as it stands 0.9."""
LEGIBLE: Final = 0.5
"""The confidence from which a reading is better than nothing."""
_TEXTS: Final = frozenset(
    {PT.FLOWING_TEXT, PT.HEADING_TEXT, PT.PULLOUT_TEXT, PT.TABLE, PT.VERTICAL_TEXT, PT.CAPTION_TEXT, PT.EQUATION}
)


@dataclass(frozen=True, slots=True)
class Picture:
    """Grey pixels, a byte each, row after row."""

    samples: bytes
    width: int
    height: int
    stride: int
    """Bytes a row."""
    dpi: float


@dataclass(frozen=True, slots=True)
class OcrText:
    """What stands on a picture."""

    words: tuple[OcrWord, ...]
    confidence: float
    """From 0 to 1, on average over the characters; 0 where there are none."""
    tilt: float
    """Degrees that its lines rise by towards the right."""
    is_sideways: bool
    """Whether most of it runs up or down the picture."""
    dpi: float
    is_cut_off: bool = False
    """Whether it was given up, for want of time: there are no words then."""

    @property
    def is_legible(self) -> bool:
        """Whether this is better than nothing."""
        return self.confidence >= LEGIBLE

    @property
    def is_sound(self) -> bool:
        """Whether this is a text, upright, rather than what shadows and strokes happen to look like."""
        return self.confidence >= SOUND and not self.is_sideways

    @property
    def characters(self) -> int:
        """How many letters and digits it has."""
        return sum(word.characters for word in self.words)

    @property
    def lines(self) -> list[PageLine]:
        """In reading order, in points, without what is hardly a word."""
        return lines_of_words(self.words, self.dpi)

    @property
    def text(self) -> str:
        """The lines as they stand."""
        return "\n".join(line.text for line in self.lines)


@dataclass(frozen=True, slots=True)
class _Lie:
    tilt: float
    """In radians."""
    is_sideways: bool


class Recogniser:
    """Tesseract with its languages loaded, once for a file. To be closed."""

    def __init__(self, context: ExtractionContext) -> None:
        """Raises ConfigurationError for a language that is not installed."""
        self._aids = context
        with ExitStack() as opening:
            folder = opening.enter_context(data_folder(context.ocr_languages))
            self._api = PyTessBaseAPI(path=f"{folder}/", lang="+".join(context.ocr_languages), psm=PSM.AUTO)
            opening.callback(self._api.End)
            self._opened = opening.pop_all()

    def read(self, picture: Picture) -> OcrText:
        """The words as the picture stands; none, and `is_cut_off`, where it takes too long."""
        seconds = min(PICTURE_SECONDS, self._aids.ocr_seconds_left)
        self._api.SetImageBytes(picture.samples, picture.width, picture.height, 1, picture.stride)  # pyright: ignore[reportArgumentType]  # its stub says str
        self._api.SetSourceResolution(round(picture.dpi))
        is_read = seconds > 0 and self._api.Recognize(max(1, round(1000 * seconds)))
        found = tuple(self._words()) if is_read else ()
        words = tuple(word for word, _ in found)
        lies = [lie for _, lie in found]
        return OcrText(
            words=words,
            confidence=confidence_of(words),
            tilt=degrees(median(lie.tilt for lie in lies)) if lies else 0.0,
            is_sideways=2 * sum(lie.is_sideways for lie in lies) > len(lies),
            dpi=picture.dpi,
            is_cut_off=not is_read,
        )

    def close(self) -> None:
        """Give the memory back."""
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _words(self) -> Iterator[tuple[OcrWord, _Lie]]:
        """Each word in reading order, and how its line lies."""
        line = 0
        for at in iterate_level(self._api.GetIterator(), RIL.WORD):
            line += at.IsAtBeginningOf(RIL.TEXTLINE)
            text = at.GetUTF8Text(RIL.WORD).strip() if at.BlockType() in _TEXTS else ""
            baseline = at.Baseline(RIL.TEXTLINE)
            if not text or baseline is None:
                continue
            (left, rise), (right, fall) = baseline
            x0, _, x1, _ = at.BoundingBox(RIL.WORD)
            size = at.RowAttributes()["row_height"]
            word = OcrWord(text, at.Confidence(RIL.WORD) / 100, line, x0, x1, (rise + fall) / 2, size)
            direction = at.Orientation()[1]
            yield word, _Lie(atan2(rise - fall, right - left), direction == WritingDirection.TOP_TO_BOTTOM)
