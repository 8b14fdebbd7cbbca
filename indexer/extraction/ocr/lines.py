"""Lines as a PDF has them, made of the words that were read off a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final

from indexer.extraction.layout.line import PageLine

_LEAST_CONFIDENCE: Final = 0.3
"""Of a word among others as bad; what is less is mostly the grain of a photograph."""
_LEAST_OF_MARKS: Final = 0.6
"""Of a word without letters and digits: specks look like dots and dashes."""
_LEAST_OF_A_LINE: Final = 0.45
_GOOD_LINE: Final = 0.65
"""One in which a blurred word is a word."""
_CLEAR_LINE: Final = 0.85
_SAME_SIZE: Final = 0.25
"""By how much the height of a line of body type, as it was measured, may differ from the others'."""
_CELL_GAP: Final = 1.5
"""Times the size between two words from which they stand in two cells."""
_LEADER_GAP: Final = 6.0
"""Likewise over what is no word: the dots between a chapter and its page are read as anything."""
_LETTERS_OF_A_WORD: Final = 4
_ASCENT: Final = 0.8
"""The share of a line's height above its baseline."""


@dataclass(frozen=True, slots=True)
class OcrWord:
    """A word on a picture, in pixels from its top left corner."""

    text: str
    confidence: float
    """From 0 to 1."""
    line: int
    """The number of the line that it stands in."""
    x0: float
    x1: float
    baseline: float
    size: float
    """From the tops of tall letters to the feet of those that hang."""

    @property
    def characters(self) -> int:
        """How many letters and digits it has."""
        return sum(1 for character in self.text if character.isalnum())


def lines_of_words(words: Sequence[OcrWord], dpi: float) -> list[PageLine]:
    """The lines in the order of the words, in points; cells that stand apart are lines of their own."""
    rows = [list(row) for _, row in groupby(words, key=lambda word: word.line)]
    body = _body_size(rows)
    points = 72 / dpi
    return [_line(cell, points, body) for row in rows for cell in _cells(row)]


def confidence_of(words: Sequence[OcrWord]) -> float:
    """The average over the characters; 0 where there are none."""
    return sum(word.confidence * word.characters for word in words) / max(sum(word.characters for word in words), 1)


def _body_size(rows: Sequence[Sequence[OcrWord]]) -> float:
    """The size that the middle one of all characters is set in."""
    sizes = sorted((row[0].size, sum(word.characters for word in row)) for row in rows)
    half = sum(characters for _, characters in sizes) / 2
    for size, characters in sizes:
        half -= characters
        if half <= 0:
            return size
    return 0.0


def _cells(row: Sequence[OcrWord]) -> Iterator[list[OcrWord]]:
    """The runs of words that stand apart, without the words that are none."""
    is_good = confidence_of(row) >= _GOOD_LINE
    likely = [word for word in row if _is_likely(word, is_good=is_good)]
    if not confidence_of(likely) >= _LEAST_OF_A_LINE:
        return
    cell: list[OcrWord] = []
    for before, word in pairwise([row[0], *row]):
        stands_apart = word.x0 - before.x1 > _CELL_GAP * word.size
        if cell and (stands_apart or word.x0 - cell[-1].x1 > _LEADER_GAP * word.size):
            yield cell
            cell = []
        if word in likely:
            cell.append(word)
    if cell:
        yield cell


def _is_likely(word: OcrWord, *, is_good: bool) -> bool:
    """Whether it is a word: in a good line a blurred one is, but a number that may be another is worse than none."""
    least = _LEAST_CONFIDENCE if word.characters else _LEAST_OF_MARKS
    return word.confidence >= least or (is_good and sum(map(str.isalpha, word.text)) >= _LETTERS_OF_A_WORD)


def _line(cell: Sequence[OcrWord], points: float, body: float) -> PageLine:
    """Lines of body type are given one size: as they are measured, each differs a little.

    So are those that were hard to read: a signature is no heading.
    """
    is_body = abs(cell[0].size - body) <= _SAME_SIZE * body or confidence_of(cell) < _CLEAR_LINE
    size = body if is_body else cell[0].size
    baseline = cell[0].baseline
    return PageLine(
        text=" ".join(word.text for word in cell),
        x0=cell[0].x0 * points,
        y0=(baseline - _ASCENT * size) * points,
        x1=cell[-1].x1 * points,
        y1=(baseline + (1 - _ASCENT) * size) * points,
        size=size * points,
        upright=True,
        monospaced=False,
    )
