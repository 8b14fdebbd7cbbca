"""What stands on which sheet of a printed document, and which number each sheet carries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from demo.press.blocks import Block, Heading
from demo.press.source import Source

CONTENTS_LINES: Final = 43
"""Lines that a page of the table of contents holds."""
CONTENTS_DEPTH: Final = 2
ROMAN: Final = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the table of contents."""

    level: int
    title: str
    sheet: int
    """Counted from 0, as the printed file counts."""
    label: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """One physical page before it is printed."""

    role: Literal["cover", "contents", "text"]
    label: str
    blocks: tuple[Block, ...] = ()
    entries: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Imposition:
    """All sheets of a document, and its outline."""

    sheets: tuple[Sheet, ...]
    outline: tuple[Entry, ...]
    roman_sheets: int
    """How many sheets at the front carry roman numbers."""


def impose(source: Source) -> Imposition:
    """The sheets of a document: cover, front pages, contents, text."""
    front, text = source.pages[: source.front_pages], source.pages[source.front_pages :]
    contents_sheets = len(_contents(_entries(text, first_sheet=0, first_number=1))) if source.bound else 0
    before = int(source.bound) + len(front) + contents_sheets
    roman = before if source.front_pages else 0
    outline = tuple(_entries(text, first_sheet=before, first_number=before - roman + 1))
    labels = [_roman(number) for number in range(1, roman + 1)]
    labels += [str(number) for number in range(1, before + len(text) - roman + 1)]
    bare = [
        *([Sheet("cover", "")] if source.bound else []),
        *(Sheet("text", "", blocks) for blocks in front),
        *(Sheet("contents", "", entries=part) for part in (_contents(outline) if source.bound else [])),
        *(Sheet("text", "", blocks) for blocks in text),
    ]
    sheets = (Sheet(sheet.role, label, sheet.blocks, sheet.entries) for sheet, label in zip(bare, labels, strict=True))
    return Imposition(tuple(sheets), outline, roman)


def _entries(pages: Sequence[Sequence[Block]], *, first_sheet: int, first_number: int) -> Iterator[Entry]:
    for position, blocks in enumerate(pages):
        for block in blocks:
            if isinstance(block, Heading) and block.level <= CONTENTS_DEPTH:
                yield Entry(block.level, block.text, first_sheet + position, str(first_number + position))


def _contents(entries: Iterator[Entry] | Sequence[Entry]) -> list[tuple[Entry, ...]]:
    """The entries by page of the table of contents. A chapter is not torn apart."""
    chapters: list[list[Entry]] = []
    for entry in entries:
        if entry.level == 1 or not chapters:
            chapters.append([])
        chapters[-1].append(entry)
    pages: list[list[Entry]] = [[]]
    for chapter in chapters:
        if len(pages[-1]) + len(chapter) > CONTENTS_LINES:
            pages.append([])
        pages[-1].extend(chapter)
    return [tuple(page) for page in pages]


def _roman(number: int) -> str:
    numeral = ""
    for value, letters in ROMAN:
        count, number = divmod(number, value)
        numeral += letters * count
    return numeral
