"""The headings of a PDF: from its outline where it has one, else from the size of the type."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from indexer.extraction.characters.normalization import cleaned
from indexer.extraction.layout.paragraphs import Paragraph

MAX_DEPTH: Final = 6
"""Of headings in Markdown; an outline that goes deeper loses its outermost."""
_LONGEST_HEADING_CHARS: Final = 150
_SIZES: Final = ((1.7, 1), (1.35, 2), (1.15, 3))
"""How many times the size of the body a heading is set in at least, and its level then."""
_MOST_HEADINGS_SHARE: Final = 0.5
"""A page on which more paragraphs than this are large has no headings: a title page, or a slide."""
_NOT_COMPARED: Final = re.compile(r"[\W_]+")
_LETTERS: Final = re.compile(r"[^\W\d_]{2}|[\u3040-\u9fff\uac00-\ud7af]")


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """One line of the outline."""

    level: int
    title: str


@dataclass(slots=True)
class Headings:
    """Follows the headings from page to page."""

    outline: Mapping[int, Sequence[OutlineEntry]]
    """By page, counted from 1; empty where the file has no outline."""
    body_size: float
    in_force: list[OutlineEntry] = field(default_factory=list[OutlineEntry])

    def read(
        self, number: int, paragraphs: Sequence[Paragraph], *, body_size: float = 0.0
    ) -> tuple[tuple[str, ...], list[int | None]]:
        """The path in force where the page begins, and the level of each of its paragraphs that is a heading.

        A page that was scanned has a `body_size` of its own.
        Levels are depths in the path: no level is skipped, so that the next page can go on from the path alone.
        """
        size = body_size or self.body_size
        levels = self._from_outline(number, paragraphs) if self.outline else self._from_size(paragraphs, size)
        path = tuple(entry.title for entry in self.in_force)
        return path, [
            self._enter(OutlineEntry(level, " ".join(paragraph.text.split()))) if level is not None else None
            for paragraph, level in zip(paragraphs, levels, strict=True)
        ]

    def _from_outline(self, number: int, paragraphs: Sequence[Paragraph]) -> list[int | None]:
        """Entries that are found in the text mark it; one that is not (a picture, other words) counts from the top."""
        levels: list[int | None] = [None] * len(paragraphs)
        texts = [_compared(paragraph.text) for paragraph in paragraphs]
        start = 0
        for entry in self.outline.get(number, ()):
            at = _place(_compared(entry.title), texts, start)
            if at is not None:
                levels[at] = entry.level
                start = at + 1
            elif start == 0:
                self._enter(entry)
        return levels

    def _from_size(self, paragraphs: Sequence[Paragraph], body_size: float) -> list[int | None]:
        levels = [_level_by_size(paragraph, body_size) for paragraph in paragraphs]
        found = sum(1 for level in levels if level is not None)
        return levels if found <= max(1, _MOST_HEADINGS_SHARE * len(levels)) else [None] * len(levels)

    def _enter(self, entry: OutlineEntry) -> int:
        """Puts the entry in force and gives its depth."""
        while self.in_force and self.in_force[-1].level >= entry.level:
            self.in_force.pop()
        self.in_force.append(entry)
        del self.in_force[:-MAX_DEPTH]
        return len(self.in_force)


def outline_by_page(entries: Sequence[Sequence[object]]) -> dict[int, list[OutlineEntry]]:
    """From PyMuPDF's table of contents: rows of level, title and page."""
    pages: dict[int, list[OutlineEntry]] = {}
    for level, title, page in entries:
        text = " ".join(cleaned(str(title)).split())
        if isinstance(level, int) and isinstance(page, int) and text:
            pages.setdefault(page, []).append(OutlineEntry(level, text))
    return pages


def _place(title: str, texts: Sequence[str], start: int) -> int | None:
    """The paragraph that is the heading, which may have a number in front that the outline lacks, or lack its own."""
    if not title:
        return None
    for at in range(start, len(texts)):
        text = texts[at]
        if text and (text.endswith(title) or title.endswith(text)) and _is_about_as_long(text, title):
            return at
    return None


def _is_about_as_long(text: str, title: str) -> bool:
    slack = max(8, len(title) // 4)
    return abs(len(text) - len(title)) <= slack and 2 * len(text) >= len(title)


def _compared(text: str) -> str:
    return _NOT_COMPARED.sub("", text).casefold()


def _level_by_size(paragraph: Paragraph, body_size: float) -> int | None:
    text = paragraph.text
    if (
        not body_size
        or not paragraph.upright
        or len(text) > _LONGEST_HEADING_CHARS
        or not _LETTERS.search(text)
        or paragraph.is_row
    ):
        return None
    return next((level for ratio, level in _SIZES if paragraph.size >= ratio * body_size), None)
