"""The paragraphs and tables of one text in a Rich Text Format file, as blocks of Markdown."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from indexer.extraction.characters.normalization import BULLET, cleaned
from indexer.extraction.markdown.blocks import Blocks
from indexer.extraction.markdown.pipe_table import pipe_table

_LONGEST_CELL_CHARS: Final = 1500
"""A cell longer than this holds a text, and its table is there for the layout."""
MOST_COLUMNS: Final = 200
_NUMBER: Final = re.compile(r"\(?\w{1,9}(?:[.)]\w{0,9})*[.)]?$")


@dataclass(frozen=True, slots=True)
class Form:
    """What is known of a paragraph beside its words."""

    in_table: bool = False
    heading: int = 0
    """Its level, counted from 1; 0 for running text."""
    depth: int = 0
    """Of a list item, counted from 0."""
    is_contents: bool = False
    """A line of the table of contents, which only repeats the headings."""


@dataclass(slots=True)
class Story:
    """The text of the document, of a note, a header or a text box."""

    kind: str
    author: str = ""
    depth: int = 0
    """Texts around it."""
    cells_left_out: int = 0
    """Of rows that are wider than any table that people print."""
    _blocks: Blocks = field(default_factory=Blocks)
    _words: list[str] = field(default_factory=list[str])
    _label: list[str] = field(default_factory=list[str])
    _asides: list[str] = field(default_factory=list[str])
    _cell: list[str] = field(default_factory=list[str])
    _row: list[list[str]] = field(default_factory=list[list[str]])
    _rows: list[list[list[str]]] = field(default_factory=list[list[list[str]]])

    def write(self, text: str) -> None:
        """Goes on with the paragraph."""
        self._words.append(text)

    def label(self, text: str) -> None:
        """The number or the bullet in front of the paragraph, as the program that wrote it showed it."""
        self._label.append(text)

    def aside(self, block: str) -> None:
        """A note, a comment or a text box: it follows the paragraph."""
        if block.strip():
            self._asides.append(block)

    def end_paragraph(self, form: Form) -> None:
        """What has been written is a paragraph."""
        text, label = self._taken(form)
        if form.in_table or self._row:
            self._cell.extend(filter(None, [f"{label} {text}".strip(), *self._asides]))
            self._asides = []
            return
        if not text and not self._asides:
            return
        self._end_table()
        if form.heading and text:
            self._blocks.add(f"{'#' * form.heading} {' '.join([label.strip('-'), *text.split()]).strip()}")
        elif label and text:
            self._blocks.add(f"{'  ' * form.depth}{label} {text}", is_item=True)
        else:
            self._blocks.add(text)
        self._blocks.extend(self._asides)
        self._asides = []

    def end_cell(self, form: Form) -> None:
        """What has been written since the last cell is one."""
        self.end_paragraph(Form(in_table=True, depth=form.depth))
        if len(self._row) < MOST_COLUMNS:
            self._row.append(self._cell)
        else:
            self.cells_left_out += bool(self._cell)
        self._cell = []

    def end_row(self) -> None:
        """The cells since the last row are one."""
        if any(self._row):
            self._rows.append(self._row)
        self._row = []

    def finished(self) -> list[str]:
        """All blocks; what was not ended is."""
        self.end_paragraph(Form(in_table=bool(self._row)))
        if self._cell:
            self._row.append(self._cell)
        self.end_row()
        self._end_table()
        return self._blocks.texts()

    def _taken(self, form: Form) -> tuple[str, str]:
        """The words and the label that are waiting."""
        text, label = "".join(self._words), " ".join("".join(self._label).split())
        self._words, self._label = [], []
        text = _whole_characters(text).strip()
        label = cleaned(label).strip()
        if form.is_contents:
            return "", ""
        if label and (label == BULLET or not _NUMBER.match(label)):
            label = "-"
        return text, label

    def _end_table(self) -> None:
        rows, self._rows = self._rows, []
        if not rows:
            return
        longest = max(sum(map(len, cell)) for row in rows for cell in row)
        if max(map(len, rows)) <= 1 or longest > _LONGEST_CELL_CHARS:
            self._blocks.extend([block for row in rows for cell in row for block in cell])
        else:
            self._blocks.add(pipe_table([[" ".join(cell) for cell in row] for row in rows]))


def _whole_characters(text: str) -> str:
    """Halves of characters, which the format writes one by one, put together; a lone half is no text."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
