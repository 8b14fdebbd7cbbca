"""The paragraphs of a PDF page, rebuilt from where its lines stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import inf
from typing import Final

from indexer.extraction.characters.normalization import tidied
from indexer.extraction.layout.dehyphenation import joined
from indexer.extraction.layout.line import PageLine
from indexer.extraction.layout.rows import LIST_MARK, Row, rows_of
from indexer.extraction.markdown.literal import literal

_LINE_GAP: Final = 0.7
"""Ems of white between two lines of one paragraph, at most."""
_ROW_GAP: Final = 3.0
"""Likewise between two rows of one table."""
_PROSE_CHARS: Final = 80
"""A paragraph as long as this is running text, which may go on in the next column."""
_SENTENCE_ENDS: Final = ".!?:;…"
_SAME_SIZE: Final = 0.08
_INDENT: Final = 0.7
"""Ems from which a line is set in."""
_FARTHEST_INDENT: Final = 6.0
_BROKEN_WORD: Final = re.compile(r"[^\W\d_][-\u2010\xad]$")
_WORDS: Final = re.compile(r"[^\W_]+(?:-[^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines that belong together."""

    text: str
    size: float
    upright: bool
    gap_above: float
    """Ems of white above it; infinite at the top of a column."""
    is_row: bool = False
    """Of a table."""


def paragraphs_of(lines: Sequence[PageLine]) -> list[Paragraph]:
    """The paragraphs in the order of the lines; rows of tables and lines of code stand alone."""
    rows = rows_of(lines)
    page_words = frozenset(word.lower() for row in rows for word in _WORDS.findall(row.text))
    spaces_are_kept = any(row.ends_with_space for row in rows)
    paragraphs: list[Paragraph] = []
    above: Row | None = None
    for run in _runs(rows):
        for group in _split_where_meant(run):
            text = _joined(group, page_words, spaces_are_kept=spaces_are_kept)
            gap, is_row = _gap(above, group[0]), group[0].is_of_cells
            if gap == inf and not is_row and _runs_on(paragraphs, text, group[0]):
                upper = paragraphs.pop()
                text, gap = joined(upper.text, text, page_words=page_words), upper.gap_above
            paragraphs.append(Paragraph(text, group[0].size, group[0].upright, gap, is_row))
            above = group[-1]
    return paragraphs


def _gap(above: Row | None, row: Row) -> float:
    """Ems of white above the row. Rows of one table are never apart, and a table is from what is not of it."""
    gap = (row.y0 - above.y1) / row.size if above is not None else inf
    if above is None or gap <= -1:
        return inf
    if above.table != row.table:
        return max(gap, _ROW_GAP)
    if above.table or (above.is_of_cells and row.is_of_cells and gap < _ROW_GAP):
        return 0.0
    return gap


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


def _runs_on(paragraphs: Sequence[Paragraph], text: str, row: Row) -> bool:
    """Whether a sentence goes on at the top of the next column."""
    if not paragraphs or not row.upright or row.verbatim or not text[0].islower():
        return False
    above = paragraphs[-1]
    is_open = (
        not above.is_row and above.upright and len(above.text) > _PROSE_CHARS and above.text[-1] not in _SENTENCE_ENDS
    )
    return is_open and abs(above.size - row.size) <= _SAME_SIZE * row.size


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
    if LIST_MARK.match(row.text):
        return True
    if _BROKEN_WORD.search(above.text) and row.text[0].islower():
        return False
    first_word_width = len(row.text.split(maxsplit=1)[0]) * row.character_width
    had_room = right - above.x1 > first_word_width + row.size
    set_in = len(group) > 1 and row.x0 - above.x0 > _INDENT * row.size
    return had_room or set_in


def body_size(pages: Sequence[Sequence[PageLine]]) -> float:
    """The size, in points, that most characters are set in; 0 where there is no text."""
    sizes = sorted((round(line.size * 2) / 2, len(line.text)) for lines in pages for line in lines)
    totals = {size: sum(chars for _, chars in group) for size, group in groupby(sizes, key=lambda entry: entry[0])}
    return max(totals, key=lambda size: totals[size], default=0.0)
