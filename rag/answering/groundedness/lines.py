"""The text of a passage as sentences and rows of tables, without Markdown. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from rag.answering.groundedness.statements import plain, sentence_spans

LINE_CHARS: Final = 1_000
"""The most that is read of a sentence; a line of a passage that is longer comes in pieces of this size."""
_PUNCTUATION: Final = re.compile(r"(?<![.!?,;:])[.!?,;:]++(?=\s|\Z)|[\"“”„«»]")


def squeezed(text: str) -> str:
    """Text without case and the punctuation behind words, a blank between two words and at both ends."""
    return f" {' '.join(_PUNCTUATION.sub('', text).casefold().split())} "


def lines(body: str, columns: Sequence[str] = ()) -> Iterator[tuple[str, str]]:
    """The sentences and rows of a passage, without Markdown; each cell of a row behind the name of its column.

    With each row comes its first cell, with sentences nothing.
    """
    before: list[str] = []
    for paragraph in body.split("\n"):
        if not paragraph.lstrip().startswith("|"):
            columns, before = (), []
            for start, end in sentence_spans(paragraph):
                yield from ((piece, "") for piece in _pieces(paragraph[start:end]))
            continue
        cells = cells_of(paragraph)
        label = cells[0]
        if all(set(cell) <= {"-", ":"} for cell in cells):
            columns = before
            continue
        if columns and len(columns) == len(cells) and cells != list(columns):
            cells = [f"{name}: {cell}" for name, cell in zip(columns, cells, strict=True)]
        before = before or cells
        yield from ((piece, label) for piece in _pieces("; ".join(cells)))


def cells_of(row: str) -> list[str]:
    """The cells of a row of a table of Markdown."""
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def _pieces(text: str) -> Iterator[str]:
    for place in range(0, len(text), LINE_CHARS):
        piece = plain(text[place : place + LINE_CHARS])
        if piece:
            yield piece
