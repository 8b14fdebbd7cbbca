"""The rows of a PDF page: lines that stand side by side."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from indexer.extraction.characters.normalization import BULLET, cleaned, is_from_right
from indexer.extraction.layout.cells import belongs_before, belongs_behind
from indexer.extraction.layout.dehyphenation import without_wide_spaces
from indexer.extraction.layout.line import PageLine

LIST_MARK: Final = re.compile(rf"(?:[{BULLET}◦▪■●○‣⁃–—*·-]|\(?(?:\d{{1,3}}|[a-zA-Z]|[ivxIVX]{{1,5}})[.)])\s")
_SPACE_GAP: Final = 0.15
"""Ems between two runs of a row from which there is a space between them."""
_CELL_GAP: Final = 1.5
"""Ems between two runs of a row from which they are cells of a table."""
_WORDS_OF_ONE_LETTER: Final = frozenset({"A", "I"})
_NUL_APOSTROPHE: Final = re.compile(r"(?<=[^\W\d_])\x00(?=[^\W\d_])")
"""Some fonts map the apostrophe to nothing: d<NUL>investimento."""
_ODD_MARK: Final = re.compile("^\\s*[\x00-\x08\x0e-\x1f\ufffd\ue000-\uf8ff]\\s*$")
"""Alone in front of a text, such a character is a bullet of a font that does not say so."""
_SIGN: Final = re.compile(r"(?<=[$€£¥])[ ]?\t[ ]?(?=[\d(—–-])")
_BESIDE_TAB: Final = re.compile(r"[ ]*\t[ ]*")
_DOUBLE_BLANK: Final = re.compile("(?<![ \xa0])[ \xa0]{2}(?![ \xa0])")
_WIDE_BLANKS: Final = re.compile(r"[ \xa0]{3,}")
"""Some programs set the cells of a table apart by spaces."""
_LEADERS: Final = re.compile(r"[ ]?(?:[.·_][ ]?){5,}")
"""The dots between a chapter and its page, the line to write on: each would be a token of a model's window."""


@dataclass(frozen=True, slots=True)
class Row:
    """What stands on one baseline, from margin to margin of its column."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    upright: bool
    ends_with_space: bool
    verbatim: bool
    """A row of a table or of code: its end is a meant one."""
    table: int = 0
    """See Line."""

    @property
    def is_of_cells(self) -> bool:
        """Whether it is a row of a table."""
        return self.table > 0 or "\t" in self.text

    @property
    def character_width(self) -> float:
        """On average, in points."""
        return (self.x1 - self.x0) / max(len(self.text), 1)


def rows_of(lines: Sequence[PageLine]) -> list[Row]:
    """The rows in the order of the lines; those without text are left out."""
    rows: list[list[PageLine]] = []
    for line in lines:
        if rows and not line.table and (line.beside(rows[-1][-1]) or _continues_downward(rows[-1][-1], line)):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [row for group in rows if (row := _row(_from_left(group))).text]


def _from_left(row: list[PageLine]) -> list[PageLine]:
    """In the order of reading; a row with Arabic or Hebrew stays in the order of the file."""
    if not row[0].upright or any(is_from_right(line.text) for line in row):
        return row
    return sorted(row, key=lambda line: line.x0)


def _continues_downward(above: PageLine, line: PageLine) -> bool:
    """Lines of vertical Japanese or Chinese come as one run a character."""
    return not above.upright and not line.upright and max(len(above.text.strip()), len(line.text.strip())) == 1


def _belongs_together(text: str, before: PageLine, line: PageLine) -> bool:
    """Whether a wide gap parts no cells: behind the mark of a list, or between an amount and its sign."""
    is_mark = LIST_MARK.fullmatch(f"{text.strip()} ") is not None
    return is_mark or belongs_before(before.text) or belongs_behind(line.text)


def _em(before: PageLine, line: PageLine) -> float:
    """The size by which a gap is judged: between the two, as raised figures and large initials are set close.

    An initial that may be a word of its own is better kept apart.
    """
    return line.size if before.text.strip() in _WORDS_OF_ONE_LETTER else (before.size + line.size) / 2


def _row(lines: Sequence[PageLine]) -> Row:
    text, has_cells = lines[0].text, False
    if len(lines) > 1:
        text = _ODD_MARK.sub(BULLET, text)
    for before, line in pairwise(lines):
        gap = max(line.x0 - before.x1, before.x0 - line.x1) if line.upright else 0.0
        is_cell = gap > _CELL_GAP * line.size and not _belongs_together(text, before, line)
        has_cells = has_cells or is_cell
        text += "\t" if is_cell else " " if gap > _SPACE_GAP * _em(before, line) else ""
        text += line.text
    text, wide_blanks = _WIDE_BLANKS.subn("\t", _LEADERS.sub(" … ", text).strip())
    text = _BESIDE_TAB.sub("\t", _SIGN.sub(" ", text))
    is_code = all(line.monospaced for line in lines)
    text = text if is_code else _DOUBLE_BLANK.sub(" ", text)
    return Row(
        text=without_wide_spaces(cleaned(_NUL_APOSTROPHE.sub("'", text)).strip()),
        x0=min(line.x0 for line in lines),
        y0=min(line.y0 for line in lines),
        x1=max(line.x1 for line in lines),
        y1=max(line.y1 for line in lines),
        size=max(lines, key=lambda line: len(line.text)).size or 1.0,
        upright=lines[0].upright,
        ends_with_space=lines[-1].text[-1:].isspace(),
        table=lines[0].table,
        verbatim=lines[0].table > 0 or has_cells or wide_blanks > 0 or is_code,
    )
