"""The cells of one sheet of a workbook."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from indexer.extraction.container.ooxml import Package, damaged
from indexer.extraction.container.xml_stream import local, streamed
from indexer.extraction.container.xml_tree import Element, count
from indexer.extraction.formats.sheets.cell_budget import CellBudget, rows_left_out
from indexer.extraction.formats.sheets.grid import CellGrid, shown
from indexer.extraction.formats.sheets.xlsx_margins import MARGINS, margin_lines
from indexer.extraction.formats.sheets.xlsx_workbook import Workbook, WorkbookSheet, text_of

_MAX_MERGES: Final = 10_000
_MAX_MERGED_CELLS: Final = 2_000
_MAX_COVERED_CELLS: Final = 1_000_000
_MAX_COLUMNS: Final = 16_384  # Excel specifications and limits
_PLACE: Final = re.compile(r"\$?([A-Za-z]{1,3})\$?(\d{1,7})")
_MIDNIGHT: Final = re.compile(r"T00:00(?::00(?:\.0+)?)?Z?$")


@dataclass(slots=True)
class _XlsxCells:
    """What has been read of a sheet so far."""

    rows: dict[int, dict[int, str]] = field(default_factory=dict[int, dict[int, str]])
    widths: dict[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])
    margins: list[str] = field(default_factory=list[str])
    merges: int = 0
    covered: int = 0
    """Cells in them, those counted again where merged cells claim to lie over one another."""
    row: int = 0
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class SheetReader:
    """Reads the sheets of one workbook, within one budget."""

    package: Package
    workbook: Workbook
    texts: Sequence[str]
    """The shared ones."""
    warnings: list[str]
    budget: CellBudget = field(default_factory=CellBudget)

    def read(self, sheet: WorkbookSheet) -> tuple[CellGrid, list[str]]:
        """The cells that show something, and the words of headers and footers.

        Raises ExtractionError ("damaged", "too_large").
        """
        reading = _XlsxCells()
        raw = self.package.read(sheet.part)
        if raw is None:
            raise damaged(f"its part {sheet.part} is missing")
        names = ["row", "mergeCell", *MARGINS]
        for element in streamed(raw, names, part=sheet.part, warnings=self.package.warnings):
            if local(element) == "mergeCell":
                _merge(reading, element.get("ref") or "")
                continue
            if local(element) in MARGINS:
                reading.margins.append(element.text or "")
                continue
            given = element.get("r") or ""
            reading.row = count(given, reading.row + 1)
            if self.budget.is_spent:
                reading.left_out += any(len(_children(cell)) for cell in element)
            else:
                self._read_row(reading, element)
        if reading.left_out:
            self.warnings.append(rows_left_out(sheet.name, reading.left_out, len(reading.rows)))
        return CellGrid(reading.rows, reading.widths), margin_lines(reading.margins)

    def _read_row(self, reading: _XlsxCells, row: Element) -> None:
        column = 0
        cells: dict[int, str] = {}
        for cell in row:
            if local(cell) != "c":
                continue
            place = place_of(cell.get("r") or "")
            column = place[1] if place is not None else column + 1
            if column <= _MAX_COLUMNS and len(text := self._shown(cell)):
                cells[column] = self.budget.spend(text)
        if cells:
            reading.rows.setdefault(reading.row, {}).update(cells)

    def _shown(self, cell: Element) -> str:
        """What the cell displays; the formula only where the program that wrote the file never worked it out."""
        children = _children(cell)
        kind = cell.get("t") or "n"
        if kind == "inlineStr":
            return text_of(children["is"]) if "is" in children else ""
        value = (children["v"].text or "") if "v" in children else ""
        if value:
            return self._value(value, kind, cell.get("s") or "")
        formula = (children["f"].text or "") if "f" in children else ""
        return shown(f"={formula}") if formula and kind != "str" else ""

    def _value(self, value: str, kind: str, style: str) -> str:
        match kind:
            case "s":
                place = count(value.strip(), -1)
                return self.texts[place] if 0 <= place < len(self.texts) else ""
            case "b":
                return "TRUE" if value.strip() in ("1", "true") else "FALSE"
            case "d":
                return shown(_MIDNIGHT.sub("", value.strip()).replace("T", " "))
            case "n":
                return self._number(value, style)
            case _:
                return shown(value)

    def _number(self, value: str, style: str) -> str:
        try:
            number = float(value)
        except ValueError:
            return shown(value)
        if not math.isfinite(number):
            return shown(value)
        return shown(self.workbook.number(number, count(style, 0)))


def place_of(reference: str) -> tuple[int, int] | None:
    """Row and column of a cell's name: (3, 2) for "B3"."""
    found = _PLACE.match(reference)
    if found is None:
        return None
    column = 0
    for letter in found[1].upper():
        column = column * 26 + ord(letter) - 64
    return int(found[2]), column


def _children(cell: Element) -> dict[str, Element]:
    return {local(child): child for child in cell}


def _merge(reading: _XlsxCells, reference: str) -> None:
    """Notes a merged cell, and takes out what lies below it, which nobody sees."""
    reading.merges += 1
    start, _, end = reference.partition(":")
    first, last = place_of(start), place_of(end)
    if reading.merges > _MAX_MERGES or first is None or last is None:
        return
    height, width = last[0] - first[0] + 1, last[1] - first[1] + 1
    if width > 1:
        reading.widths[first] = min(width, _MAX_COLUMNS)
    reading.covered += min(height * width, _MAX_MERGED_CELLS)
    if height * width > _MAX_MERGED_CELLS or reading.covered > _MAX_COVERED_CELLS:
        return
    for row in range(first[0], last[0] + 1):
        cells = reading.rows.get(row, {})
        covered = range(first[1], last[1] + 1)
        for column in covered if len(covered) < len(cells) else [column for column in cells if column in covered]:
            if (row, column) != first:
                cells.pop(column, None)
