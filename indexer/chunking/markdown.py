"""Chunks along the structure of a text: headings first, then paragraphs, lines and sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, takewhile

from indexer.chunking.base import Piece, Ruler
from indexer.chunking.boundaries import trimmed
from indexer.chunking.limits import Limits
from indexer.chunking.structure import LineKind, Section, sections_of
from indexer.chunking.windows import Places, Windows
from rag.errors import ConfigurationError
from rag.types import Page


@dataclass(frozen=True, slots=True)
class _Group:
    """Neighbouring sections that are to be one chunk, or a single one that may have to be split."""

    sections: tuple[Section, ...]
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

    Rows of tables and lines of code are cut only when a single one is too long, and no chunk ends with a heading
    that has text under it.
    """

    def __init__(self, ruler: Ruler, *, size: int = 800, overlap: int = 120) -> None:
        if size < 1 or not 0 <= overlap < size:
            raise ConfigurationError(
                f"FOOTNOTE_CHUNK_SIZE ({size}) must be 1 at least, and more than FOOTNOTE_CHUNK_OVERLAP ({overlap}), "
                "which must not be negative"
            )
        self._ruler = ruler
        self._size = size
        self._overlap = overlap

    @property
    def recipe(self) -> str:
        """Changes with every parameter."""
        return f"markdown-1/{self._size}/{self._overlap}/{self._ruler.max_tokens}"

    def cut(self, pages: Sequence[Page], *, title: str) -> list[Piece]:
        """The pieces in reading order."""
        limits = Limits(self._size, self._ruler, title)
        return [
            piece
            for page in pages
            for group in self._groups(page, limits)
            for piece in self._pieces(page, group, limits)
        ]

    def _groups(self, page: Page, limits: Limits) -> Iterator[_Group]:
        """Sections, small ones merged with neighbours under the same heading while all fit."""
        group: _Group | None = None
        for section in sections_of(page.text, page.headings):
            if group is not None and (merged := self._merged(page, group, section, limits)) is not None:
                group = merged
                continue
            if group is not None:
                yield group
            group = _Group((section,), section.path)
        if group is not None:
            yield group

    def _merged(self, page: Page, group: _Group, section: Section, limits: Limits) -> _Group | None:
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

    def _pieces(self, page: Page, group: _Group, limits: Limits) -> Iterator[Piece]:
        headings = limits.headings(group.path)
        start, end = trimmed(page.text, group.start, group.end)
        if start == end:
            return
        if limits.fits(page.text[start:end], headings):
            yield Piece(page, start, end, headings)
            return
        places = _places(group.sections)
        windows = Windows(page.text, limits, self._overlap, lambda _: headings, places)
        for window_start, window_end in windows.of(start, end):
            yield Piece(page, window_start, window_end, headings)


def _are_equal(pair: tuple[str, str]) -> bool:
    return pair[0] == pair[1]


def _places(sections: Sequence[Section]) -> Places:
    """Where the lines of the sections may be parted, and where not."""
    lines = list(chain.from_iterable(section.lines for section in sections))
    opening = list(takewhile(lambda line: line.kind in {LineKind.HEADING, LineKind.BLANK}, lines))
    return Places(
        paragraphs=[line.end for line in lines if line.kind is LineKind.BLANK],
        lines=[line.end for line in lines],
        whole=[(line.start, line.end) for line in lines if line.kind is LineKind.WHOLE],
        opening=opening[-1].end if opening and len(opening) < len(lines) else 0,
    )
