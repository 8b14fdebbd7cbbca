"""A page in the smallest stretches that stay whole: sentences, rows of tables, lines of code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, pairwise

from indexer.chunking.boundaries import trimmed
from indexer.chunking.outline import Outline
from indexer.chunking.structure import WHOLE, LineKind
from rag.text.sentences import begins_afresh, sentence_starts


@dataclass(frozen=True, slots=True)
class TextUnit:
    """text[start:end], without white space at its ends. Headings belong to the first unit below them."""

    start: int
    end: int
    opens: bool
    """Whether it begins with a heading."""


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Lines that belong together: a paragraph, a heading, a row with the head of its table, a line of code."""

    start: int
    end: int
    kind: LineKind


def units_of(outline: Outline) -> Iterator[TextUnit]:
    """The units in order; together they cover all that is not white space."""
    text = outline.text
    opening: int | None = None  # where headings begin that have nothing under them so far
    for stretch in _stretches(outline):
        if stretch.kind is LineKind.HEADING:
            opening = trimmed(text, stretch.start, stretch.end)[0] if opening is None else opening
            continue
        cuts = sentence_starts(text, stretch.start, stretch.end) if stretch.kind is LineKind.TEXT else ()
        for unit_start, unit_end in pairwise([stretch.start, *cuts, stretch.end]):
            start, end = trimmed(text, unit_start, unit_end)
            if start < end:
                yield TextUnit(start if opening is None else opening, end, opens=opening is not None)
                opening = None
    if opening is not None:
        yield TextUnit(opening, trimmed(text, opening, len(text))[1], opens=True)


def _stretches(outline: Outline) -> Iterator[_Stretch]:
    paragraph: int | None = None
    head: int | None = None  # where the head of a table begins, whose first row has not come yet
    for line in chain.from_iterable(section.lines for section in outline.sections):
        if paragraph is not None and (line.kind is not LineKind.TEXT or begins_afresh(outline.text, line.start)):
            yield _Stretch(paragraph, line.start, LineKind.TEXT)
            paragraph = None
        if line.kind is LineKind.TEXT:
            paragraph = line.start if paragraph is None else paragraph
        elif line.kind in WHOLE and outline.is_head(line):
            head = line.start if head is None else head
        elif line.kind is not LineKind.BLANK:
            yield _Stretch(line.start if head is None else head, line.end, line.kind)
            head = None
    if paragraph is not None:
        yield _Stretch(paragraph, len(outline.text), LineKind.TEXT)
