"""The Markdown that the texts are written in, a small part of the language, parsed into blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

BLANK_LINES: Final = re.compile(r"\n[ \t]*\n+")
STEP: Final = re.compile(r"\d+\. ")
EMPHASIS: Final = re.compile(r"\*\*(.+?)\*\*")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is a chapter."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text."""

    text: str


@dataclass(frozen=True, slots=True)
class Listing:
    """Items under each other: bullets, or steps that are numbered from 1."""

    numbered: bool
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A header and rows of as many cells."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Callout:
    """A warning or a note, set apart from the text."""

    text: str


Block: TypeAlias = Heading | Paragraph | Listing | Table | Callout


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text in one weight."""

    text: str
    weight: Literal["plain", "bold"]


def parse(text: str) -> tuple[Block, ...]:
    """The blocks of a text, in order; a blank line ends a block. Raises ValueError where a table's row is uneven."""
    return tuple(_block(group.strip()) for group in BLANK_LINES.split(text) if group.strip())


def runs(text: str) -> Iterator[Run]:
    """A block's text, cut where its weight changes."""
    for position, piece in enumerate(EMPHASIS.split(text)):
        if piece:
            yield Run(piece, "bold" if position % 2 else "plain")


def _block(group: str) -> Block:
    if group.startswith("#"):
        marks, _, title = group.partition(" ")
        return Heading(len(marks), title)
    if group.startswith("|"):
        return _table(group)
    if group.startswith("> "):
        return Callout(" ".join(line.removeprefix(">").strip() for line in group.splitlines()))
    if group.startswith("- "):
        return Listing(numbered=False, items=_items(group, re.compile(r"- ")))
    if STEP.match(group):
        return Listing(numbered=True, items=_items(group, STEP))
    return Paragraph(" ".join(group.split()))


def _items(group: str, mark: re.Pattern[str]) -> tuple[str, ...]:
    """The items of a list; a line without a mark continues the item above it."""
    items: list[str] = []
    for line in group.splitlines():
        if found := mark.match(line):
            items.append(line[found.end() :].strip())
        else:
            items[-1] = f"{items[-1]} {line.strip()}"
    return tuple(items)


def _table(group: str) -> Table:
    header, _rule, *rows = (
        tuple(cell.strip() for cell in line.strip().strip("|").split("|")) for line in group.splitlines()
    )
    for row in rows:
        if len(row) != len(header):
            raise ValueError(f"The row {row} has {len(row)} cells under a header of {len(header)}: {header}")
    return Table(header, tuple(rows))
