"""Chunks along the structure of a text: headings first, then paragraphs, lines and sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from indexer.chunking.base import Piece, Ruler
from indexer.chunking.boundaries import trimmed
from indexer.chunking.limits import Limits, checked_overlap
from indexer.chunking.outline import Outline
from indexer.chunking.structure import HeadedSection
from indexer.chunking.windows import Windows
from rag.types.documents import Page

OVERLAP: Final = 120


@dataclass(frozen=True, slots=True)
class _Group:
    """Neighbouring sections that are to be one chunk, or a single one that may have to be split."""

    sections: tuple[HeadedSection, ...]
    path: tuple[str, ...]
    """The headings that all of them stand under."""

    @property
    def start(self) -> int:
        return self.sections[0].start

    @property
    def end(self) -> int:
        return self.sections[-1].end


class MarkdownChunker:
    """Gives each section its own chunk; small neighbours share one, long sections are split with an overlap.

    Rows of tables and lines of code are cut only when a single one is too long, no chunk ends with a heading that has
    text under it, and a part of a table is given the names of its columns.
    """

    def __init__(self, ruler: Ruler, *, size: int = 800, overlap: int | None = None) -> None:
        self._ruler = ruler
        self._size = size
        self._overlap = checked_overlap(size, overlap, usual=OVERLAP)

    @property
    def recipe(self) -> str:
        """Changes with every parameter."""
        return f"markdown-2/{self._size}/{self._overlap}/{self._ruler.max_tokens}"

    def cut(self, pages: Sequence[Page], *, title: str) -> list[Piece]:
        """The pieces in reading order."""
        limits = Limits(self._size, self._ruler, title)
        outlines = ((page, Outline.of(page, limits)) for page in pages)
        return [
            piece
            for page, outline in outlines
            for group in self._groups(page, outline)
            for piece in self._pieces(page, group, outline)
        ]

    def _groups(self, page: Page, outline: Outline) -> Iterator[_Group]:
        """Sections, small ones merged with neighbours under the same heading while all fit."""
        group: _Group | None = None
        for section in outline.sections:
            if group is not None and (merged := self._merged(page, group, section, outline.limits)) is not None:
                group = merged
                continue
            if group is not None:
                yield group
            group = _Group((section,), section.path)
        if group is not None:
            yield group

    def _merged(self, page: Page, group: _Group, section: HeadedSection, limits: Limits) -> _Group | None:
        if section.end - group.start > 2 * self._size:
            return None
        if min(group.end - group.start, section.end - section.start) > self._size // 2:
            return None  # two sections that are worth a chunk each
        common = tuple(ours for ours, _ in takewhile(_are_equal, zip(group.path, section.path, strict=False)))
        if len(common) + 1 < max(len(group.path), len(section.path)):
            return None
        start, end = trimmed(page.text, group.start, section.end)
        if not limits.fits(page.text[start:end], limits.headings(common)):
            return None
        return _Group((*group.sections, section), common)

    def _pieces(self, page: Page, group: _Group, outline: Outline) -> Iterator[Piece]:
        headings = outline.limits.headings(group.path)
        start, end = trimmed(page.text, group.start, group.end)
        if start == end:
            return
        if outline.limits.fits(page.text[start:end], headings):
            yield Piece(page, start, end, headings)
            return

        def headings_at(place: int) -> tuple[str, ...]:
            return outline.with_columns(headings, place)

        windows = Windows(page.text, outline.limits, self._overlap, headings_at, outline.places(group.sections))
        for window_start, window_end in windows.of(start, end):
            yield Piece(page, window_start, window_end, headings_at(window_start))


def _are_equal(pair: tuple[str, str]) -> bool:
    return pair[0] == pair[1]
