"""The lines of a PDF page in reading order."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

import pymupdf

from indexer.extraction.formats.pdf.arabic import in_logical_order, may_hold_turned_ligatures
from indexer.extraction.formats.pdf.glyphs import Glyph, glyphs_of, turn_of, turn_of_direction, turned
from indexer.extraction.formats.pdf.overprint import without_doubles
from indexer.extraction.formats.pdf.right_to_left import from_right, is_mixed
from indexer.extraction.formats.pdf.spacing import looks_torn, respaced
from indexer.extraction.formats.pdf.tables import with_tables
from indexer.extraction.layout.line import PageLine, PageLines
from indexer.extraction.layout.order import in_reading_order

FLAGS: Final = pymupdf.TEXTFLAGS_TEXT | pymupdf.TEXT_COLLECT_VECTORS  # no pictures, which cost seconds on some pages

_DINGBATS: Final = str.maketrans("3456789lnuqo", "✓✔✕✖✗✘✙●■◆❑❏")
"""PDF Reference 1.7, appendix D.6."""
_VECTOR: Final = 3
"""The type of a block that is drawn."""

_LEVEL: Final = 0.99
"""The cosine of a tilt that nobody sees."""
_LEAST_SIZE: Final = 0.5
"""Of a line's height, or of its letters' width: type that is scaled up by other means states a size near nothing."""
_WIDTHS_A_SIZE: Final = 1.8
"""How many letters side by side are as wide as their line is high, about."""
_ALL_MONOSPACED: Final = pymupdf.TEXT_FONT_MONOSPACED


def lines_of(page: pymupdf.Page, textpage: pymupdf.TextPage | None = None) -> Sequence[PageLine]:
    """The lines in the order of reading, as far as it can be told; of another text page where OCR made one."""
    return sheet_of(page, textpage).lines


def sheet_of(page: pymupdf.Page, textpage: pymupdf.TextPage | None = None) -> PageLines:
    """Likewise, with the box of the page round them."""
    source = textpage or page.get_textpage(flags=FLAGS)
    blocks = source.extractDICT()["blocks"]
    turn = turn_of(blocks)
    by_character = _ByCharacter(source, turn)
    drawn = without_doubles(line for at, raw in enumerate(_raw_lines(blocks)) if (line := _line(raw, at, turn)))
    lines = [by_character.mended(line) for line in drawn]
    boxes = [turned(block["bbox"], turn) for block in blocks if block["type"] == _VECTOR and block["isrect"]]
    ordered = in_reading_order(with_tables(lines, boxes, by_character.cut) if boxes else lines)
    size = page.cropbox
    return PageLines(ordered, turned((0.0, 0.0, size.width, size.height), turn))


def _raw_lines(blocks: Sequence[Any]) -> list[Any]:
    return [raw for block in blocks for raw in block.get("lines", ())]


class _ByCharacter:
    """Looks at lines that are doubtful character by character, which costs too much for all."""

    def __init__(self, source: pymupdf.TextPage, turn: int) -> None:
        self._source = source
        self._turn = turn
        self._lines: list[Any] | None = None

    def mended(self, line: PageLine) -> PageLine:
        """The line with its letters in order and its spaces told anew."""
        if not line.upright:
            return line
        if is_mixed(line.text):
            return replace(line, text=in_logical_order(from_right(self._glyphs(line))))
        if may_hold_turned_ligatures(line.text):
            return replace(line, text=in_logical_order(self._glyphs(line)))
        if not looks_torn(line.text):
            return line
        glyphs = self._glyphs(line)
        if any(after.x0 < before.x0 for before, after in pairwise(glyphs)):
            return line  # from right to left, or in no order at all
        return replace(line, text=respaced(glyphs, line.size))

    def cut(self, line: PageLine, places: Sequence[float]) -> list[PageLine]:
        """The parts of the line between those places, from left to right."""
        parts: dict[int, list[Glyph]] = {}
        for glyph in self._glyphs(line):
            parts.setdefault(bisect(places, (glyph.x0 + glyph.x1) / 2), []).append(glyph)
        return [
            replace(line, text=text, x0=min(glyph.x0 for glyph in part), x1=max(glyph.x1 for glyph in part))
            for _, part in sorted(parts.items())
            if (text := "".join(glyph.character for glyph in part)).strip()
        ]

    def _glyphs(self, line: PageLine) -> list[Glyph]:
        if self._lines is None:
            self._lines = _raw_lines(self._source.extractRAWDICT()["blocks"])
        return glyphs_of(self._lines[line.order], self._turn)


def _line(raw: Any, order: int, turn: int) -> PageLine | None:
    spans = [span for span in raw["spans"] if span["text"]]
    text = "".join(_as_drawn(span) for span in spans)
    if not text.strip():
        return None
    largest = max(spans, key=lambda span: len(span["text"]))
    x0, y0, x1, y1 = turned(raw["bbox"], turn)
    size = largest["size"]
    upright = raw["wmode"] == 0 and turn_of_direction(raw["dir"]) == turn and _is_level(raw["dir"])
    if upright and size < _LEAST_SIZE * max(y1 - y0, width := (x1 - x0) / len(text)):
        size = max(_LEAST_SIZE * (y1 - y0), _WIDTHS_A_SIZE * width)
        y0 = min(y0, y1 - size)
    return PageLine(
        text=text,
        x0=x0, y0=y0, x1=x1, y1=y1,
        size=size,
        upright=upright,
        monospaced=all(span["flags"] & _ALL_MONOSPACED for span in spans),
        order=order,
    )  # fmt: skip


def _is_level(direction: tuple[float, float]) -> bool:
    return max(abs(direction[0]), abs(direction[1])) > _LEVEL


def _as_drawn(span: Any) -> str:
    """The text, with the signs that the standard font of signs draws for letters: a box of a form is ticked by a 3."""
    return span["text"].translate(_DINGBATS) if span["font"] == "ZapfDingbats" else span["text"]
