"""The paragraphs of a PDF page, rebuilt from where its lines stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final

from indexer.extraction.characters import BULLET, cleaned, tidied
from indexer.extraction.lines import joined, without_wide_spaces
from indexer.extraction.pdf_lines import Line
from indexer.extraction.text import literal

_SPACE_GAP: Final = 0.15
"""Ems between two runs of a row from which there is a space between them."""
_CELL_GAP: Final = 1.5
"""Ems between two runs of a row from which they are cells of a table."""
_LINE_GAP: Final = 0.7
"""Ems of white between two lines of one paragraph, at most."""
_SAME_SIZE: Final = 0.08
_INDENT: Final = 0.7
"""Ems from which a line is set in."""
_FARTHEST_INDENT: Final = 6.0
_LIST_MARK: Final = re.compile(rf"(?:[{BULLET}◦▪■●○‣⁃–—*·-]|\(?(?:\d{{1,3}}|[a-zA-Z]|[ivxIVX]{{1,5}})[.)])\s")
_NUL_APOSTROPHE: Final = re.compile(r"(?<=[^\W\d_])\x00(?=[^\W\d_])")
"""Some fonts map the apostrophe to nothing: d<NUL>investimento."""
_WIDE_BLANKS: Final = re.compile(r"[ \xa0]{3,}")
"""Some programs set the cells of a table apart by spaces."""
_LEADERS: Final = re.compile(r"[ ]?(?:[.·_][ ]?){5,}")
"""The dots between a chapter and its page, the line to write on: each would be a token of a model's window."""
_BROKEN_WORD: Final = re.compile(r"[^\W\d_][-\u2010\xad]$")
_FROM_RIGHT: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_WORDS: Final = re.compile(r"[^\W_]+(?:-[^\W_]+)*")


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

    @property
    def character_width(self) -> float:
        """On average, in points."""
        return (self.x1 - self.x0) / max(len(self.text), 1)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines that belong together."""

    text: str
    size: float
    upright: bool
    gap_above: float
    """Ems of white above it; infinite at the top of a column."""


def paragraphs_of(lines: Sequence[Line]) -> list[Paragraph]:
    """The paragraphs in the order of the lines; rows of tables and lines of code stand alone."""
    rows = _rows(lines)
    page_words = frozenset(word.lower() for row in rows for word in _WORDS.findall(row.text))
    spaces_are_kept = any(row.ends_with_space for row in rows)
    paragraphs: list[Paragraph] = []
    above: Row | None = None
    for run in _runs(rows):
        for group in _split_where_meant(run):
            text = _joined(group, page_words, spaces_are_kept=spaces_are_kept)
            gap = (group[0].y0 - above.y1) / group[0].size if above is not None else float("inf")
            paragraphs.append(Paragraph(text, group[0].size, group[0].upright, gap if gap > -1 else float("inf")))
            above = group[-1]
    return paragraphs


def as_text(paragraphs: Sequence[Paragraph], headings: Sequence[int | None]) -> str:
    """The page as Markdown; `headings` holds each paragraph's level, None for text."""
    parts: list[str] = []
    for paragraph, level in zip(paragraphs, headings, strict=True):
        apart = bool(parts) and (paragraph.gap_above > _LINE_GAP or level is not None)
        after_heading = bool(parts) and parts[-1].startswith("#")
        separator = "" if not parts else "\n\n" if apart or after_heading else "\n"
        parts.append(separator)
        parts.append(f"{'#' * level} {' '.join(paragraph.text.split())}" if level else literal(paragraph.text))
    return tidied("".join(parts))


def _joined(rows: Sequence[Row], page_words: frozenset[str], *, spaces_are_kept: bool) -> str:
    text = rows[0].text
    for above, row in pairwise(rows):
        upper = f"{text} " if above.ends_with_space else text
        text = joined(upper, row.text, page_words=page_words, spaces_are_kept=spaces_are_kept)
    return text


def _rows(lines: Sequence[Line]) -> list[Row]:
    rows: list[list[Line]] = []
    for line in lines:
        if rows and (line.beside(rows[-1][-1]) or _continues_downward(rows[-1][-1], line)):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [row for group in rows if (row := _row(_from_left(group))).text]


def _from_left(row: list[Line]) -> list[Line]:
    """In the order of reading; a row with Arabic or Hebrew stays in the order of the file."""
    if not row[0].upright or any(_FROM_RIGHT.search(line.text) for line in row):
        return row
    return sorted(row, key=lambda line: line.x0)


def _continues_downward(above: Line, line: Line) -> bool:
    """Lines of vertical Japanese or Chinese come as one run a character."""
    return not above.upright and not line.upright and max(len(above.text.strip()), len(line.text.strip())) == 1


def _row(lines: Sequence[Line]) -> Row:
    text, has_cells = lines[0].text, False
    for before, line in pairwise(lines):
        gap = max(line.x0 - before.x1, before.x0 - line.x1) / line.size if line.upright else 0.0
        has_cells = has_cells or gap > _CELL_GAP
        text += "\t" if gap > _CELL_GAP else " " if gap > _SPACE_GAP else ""
        text += line.text
    text, wide_blanks = _WIDE_BLANKS.subn("\t", _LEADERS.sub(" … ", text).strip())
    return Row(
        text=without_wide_spaces(cleaned(_NUL_APOSTROPHE.sub("'", text)).strip()),
        x0=min(line.x0 for line in lines),
        y0=min(line.y0 for line in lines),
        x1=max(line.x1 for line in lines),
        y1=max(line.y1 for line in lines),
        size=max(lines, key=lambda line: len(line.text)).size or 1.0,
        upright=lines[0].upright,
        ends_with_space=lines[-1].text[-1:].isspace(),
        verbatim=has_cells or wide_blanks > 0 or all(line.monospaced for line in lines),
    )


def _runs(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Rows under one another in one size with little white between: one paragraph or several."""
    run: list[Row] = []
    for row in rows:
        if run and not _goes_on(run[-1], row):
            yield run
            run = []
        run.append(row)
    if run:
        yield run


def _goes_on(above: Row, row: Row) -> bool:
    if above.verbatim or row.verbatim or not (above.upright and row.upright):
        return False
    if abs(above.size - row.size) > _SAME_SIZE * max(above.size, row.size):
        return False
    below = above.y0 < row.y0 and row.y0 - above.y1 < _LINE_GAP * row.size
    return below and abs(above.x0 - row.x0) < _FARTHEST_INDENT * row.size


def _split_where_meant(run: Sequence[Row]) -> Iterator[list[Row]]:
    """The run's paragraphs: one ends where its last line had room for the next word, or the next is set in."""
    right = max(row.x1 for row in run)
    group = [run[0]]
    for row in run[1:]:
        if _begins_anew(group, row, right):
            yield group
            group = []
        group.append(row)
    yield group


def _begins_anew(group: Sequence[Row], row: Row, right: float) -> bool:
    above = group[-1]
    if _LIST_MARK.match(row.text):
        return True
    if _BROKEN_WORD.search(above.text) and row.text[0].islower():
        return False
    first_word_width = len(row.text.split(maxsplit=1)[0]) * row.character_width
    had_room = right - above.x1 > first_word_width + row.size
    set_in = len(group) > 1 and row.x0 - above.x0 > _INDENT * row.size
    return had_room or set_in


def body_size(pages: Sequence[Sequence[Line]]) -> float:
    """The size, in points, that most characters are set in; 0 where there is no text."""
    sizes = sorted((round(line.size * 2) / 2, len(line.text)) for lines in pages for line in lines)
    totals = {size: sum(chars for _, chars in group) for size, group in groupby(sizes, key=lambda entry: entry[0])}
    return max(totals, key=lambda size: totals[size], default=0.0)
