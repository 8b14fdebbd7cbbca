"""The sheets of an OpenDocument spreadsheet, cell by cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol, cast

from indexer.extraction.container.xml_stream import local, streamed
from indexer.extraction.container.xml_tree import Element
from indexer.extraction.formats.sheets.cell_budget import MAX_REMARKS, CellBudget, remarks_left_out, rows_left_out
from indexer.extraction.formats.sheets.grid import CellGrid, shown

_PART: Final = "content.xml"
_BLANKS: Final = frozenset({"s", "tab", "line-break"})
_MAX_COLUMNS: Final = 16_384
_MAX_ROWS: Final = 1_048_576  # LibreOffice Calc, limits of a sheet
_MAX_REPEATED: Final = 1_000
"""A row or cell with content is written so often at most: sheets filled to their edge mean one value, not millions."""
_THREAD: Final = "[Threaded comment]"
"""Excel puts a paragraph on its versions in front of a discussion when it writes it for other programs."""


@dataclass(frozen=True, slots=True)
class OdsSheet:
    """One sheet as read."""

    name: str
    is_hidden: bool
    grid: CellGrid
    remarks: Sequence[str]
    texts: Sequence[str]
    """Of its text boxes."""


@dataclass(slots=True)
class _OdsCells:
    rows: dict[int, dict[int, str]] = field(default_factory=dict[int, dict[int, str]])
    widths: dict[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])
    remarks: list[str] = field(default_factory=list[str])
    texts: list[str] = field(default_factory=list[str])
    row: int = 0
    left_out: int = 0
    found_remarks: int = 0


def sheets_of(raw: bytes, budget: CellBudget, warnings: list[str]) -> Iterator[OdsSheet]:
    """The sheets of a content.xml, in order. Raises ExtractionError ("damaged")."""
    reading = _OdsCells()
    hidden: set[str] = set()
    for element in streamed(raw, ["style", "table-row", "shapes", "table"], part=_PART, warnings=warnings):
        if _is_in_object(element):
            continue
        match local(element):
            case "style":
                if any(_get(properties, "display") == "false" for properties in element):
                    hidden.add(_get(element, "name"))
            case "table-row":
                _row(reading, element, budget)
            case "shapes":
                reading.texts += filter(None, (_text(paragraph) for paragraph in _inside(element, "p")))
            case _:
                name = _get(element, "name")
                if reading.left_out:
                    warnings.append(rows_left_out(name, reading.left_out, len(reading.rows)))
                warnings += remarks_left_out(reading.found_remarks)
                grid = CellGrid(reading.rows, reading.widths)
                is_hidden = _get(element, "style-name") in hidden
                yield OdsSheet(name, is_hidden, grid, reading.remarks, reading.texts)
                reading = _OdsCells()
    if reading.rows:  # cut off in the middle of a sheet
        yield OdsSheet("Sheet", False, CellGrid(reading.rows, reading.widths), reading.remarks, reading.texts)


def _is_in_object(element: Element) -> bool:
    """Whether it belongs to a chart, which a file that is one XML document holds in the midst of its sheet."""
    around = cast("_Node", element).getparent()
    while around is not None:
        if local(around) == "object":
            return True
        around = cast("_Node", around).getparent()
    return False


def _row(reading: _OdsCells, row: Element, budget: CellBudget) -> None:
    repeated = _count(_get(row, "number-rows-repeated"), _MAX_ROWS)
    number, reading.row = reading.row + 1, reading.row + repeated
    cells = dict(_cells(reading, row, number))
    if not cells:
        return
    for place in range(number, number + min(repeated, _MAX_REPEATED)):
        if budget.is_spent:
            reading.left_out += number + min(repeated, _MAX_REPEATED) - place
            return
        reading.rows[place] = {column: budget.spend(text) for column, text in cells.items()}


def _cells(reading: _OdsCells, row: Element, number: int) -> Iterator[tuple[int, str]]:
    column = 1
    for cell in row:
        if local(cell) not in ("table-cell", "covered-table-cell"):
            continue
        repeated = _count(_get(cell, "number-columns-repeated"), _MAX_COLUMNS)
        if local(cell) == "table-cell" and (text := _shown(reading, cell, column, number)):
            width = _count(_get(cell, "number-columns-spanned"), _MAX_COLUMNS)
            if width > 1:
                reading.widths[number, column] = width
            for place in range(column, column + min(repeated, _MAX_REPEATED)):
                yield place, text
        column += repeated


def _shown(reading: _OdsCells, cell: Element, column: int, row: int) -> str:
    """What the cell displays, which the file holds as text; its value where a program left the text out."""
    lines: list[str] = []
    for child in cell:
        match local(child):
            case "p":
                lines.append(_text(child))
            case "annotation":
                reading.found_remarks += 1
                if reading.found_remarks <= MAX_REMARKS:
                    reading.remarks.append(_remark(child, f"{_letters(column)}{row}"))
            case _:
                pass
    text = " ".join(filter(None, lines))
    if text:
        return text
    for name in ("string-value", "value", "date-value", "time-value", "boolean-value"):
        if value := _get(cell, name):
            return shown(value.removesuffix("T00:00:00"))
    return ""


def _remark(annotation: Element, place: str) -> str:
    author = next((shown(found.text or "") for found in _inside(annotation, "creator")), "")
    text = " ".join(filter(None, (_text(paragraph) for paragraph in _inside(annotation, "p"))))
    if text.startswith(_THREAD) and "Comment:" in text:
        text = text.partition("Comment:")[2].strip()
    return f"- {place}{f' ({author})' if author else ''}: {text}"


class _Node(Protocol):
    """What lxml's elements have beside `Element`."""

    def itertext(self) -> Iterator[str]: ...

    def getparent(self) -> Element | None: ...


def _text(paragraph: Element) -> str:
    for element in paragraph.iter("*"):
        if local(element) in _BLANKS:
            element.text = " "
    return shown("".join(cast("_Node", paragraph).itertext()))


def _inside(element: Element, name: str) -> Iterator[Element]:
    return (found for found in element.iter("*") if local(found) == name)


def _get(element: Element, name: str) -> str:
    """An attribute by its name without namespace."""
    value = element.get(name)
    if value is not None:
        return value
    return next((element.attrib[key] for key in element.attrib if key.rpartition("}")[2] == name), "")


def _count(value: str, limit: int) -> int:
    return min(max(int(value[:9]), 1), limit) if value.isascii() and value.isdigit() else 1


def _letters(column: int) -> str:
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
