"""Workbooks that are one XML file, as Excel 2003 wrote them and many programs still export."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.container.ooxml import MAX_PART_BYTES, damaged
from indexer.extraction.container.source import read_bytes
from indexer.extraction.container.xml_tree import Element, all_text, count, parsed_xml
from indexer.extraction.formats.office.number_formats import NumberFormats
from indexer.extraction.formats.sheets.cell_budget import CellBudget, rows_left_out, shortened_cells
from indexer.extraction.formats.sheets.grid import CellGrid, shown
from indexer.extraction.formats.sheets.grid_markdown import as_markdown
from indexer.extraction.formats.sheets.xlsx import sheet_page
from indexer.extraction.markdown.title import shown_title
from rag.types.documents import Page

_MAX_COLUMNS: Final = 16_384
_MIDNIGHT: Final = re.compile(r"T00:00(?::00(?:\.0+)?)?$")
_FRACTION: Final = re.compile(r"\.0+$")
_NAMED: Final = {
    "Fixed": "0.00",
    "Standard": "#,##0.00",
    "Percent": "0.00%",
    "Currency": '"$"#,##0.00',
    "Euro Currency": '"€"#,##0.00',
    "Scientific": "0.00E+00",
}
"""Formats that have a name instead of a code (XML Spreadsheet Reference, ss:Format)."""


class SheetXmlExtractor:
    """Gives one page a sheet, numbered by its place and labelled with its name."""

    def extract(self, path: Path, context: ExtractionContext) -> Extraction:  # noqa: ARG002  # needs none
        """The sheets as Markdown tables. Raises ExtractionError ("damaged")."""
        warnings: list[str] = []
        root = parsed_xml(read_bytes(path, limit=MAX_PART_BYTES), warnings)
        if root is None:
            raise damaged("it is no valid XML, or cut off")
        title = root.find("DocumentProperties/Title")
        return Extraction(
            title=shown_title(title.text) if title is not None else "",
            paged=True,
            pages=_pages(root, warnings),
            warnings=warnings,
        )


def _pages(root: Element, warnings: list[str]) -> Iterator[Page]:
    codes = _codes(root)
    formats, budget = NumberFormats({}), CellBudget()
    for number, sheet in enumerate(root.findall("Worksheet"), start=1):
        name = sheet.get("Name") or f"Sheet{number}"
        rows: dict[int, dict[int, str]] = {}
        left_out = at = 0
        for row in sheet.findall("Table/Row"):
            at = count(row.get("Index"), at + 1)
            if budget.is_spent:
                left_out += 1
                continue
            cells = {place: budget.spend(text) for place, text in _cells(row, codes, formats)}
            if cells:
                rows[at] = cells
            at += count(row.get("Span"), 0)
        if left_out:
            warnings.append(rows_left_out(name, left_out, len(rows)))
        visible = sheet.find("WorksheetOptions/Visible")
        hidden = visible is not None and (visible.text or "").startswith("SheetHidden")
        parts = [as_markdown(CellGrid(rows)), "\n".join(f"- {shown(all_text(note))}" for note in sheet.iter("Comment"))]
        yield sheet_page(number, name, parts, hidden=hidden)
    warnings += shortened_cells(budget.shortened)


def _cells(row: Element, codes: Mapping[str, str], formats: NumberFormats) -> Iterator[tuple[int, str]]:
    column = 0
    for cell in row.findall("Cell"):
        column = count(cell.get("Index"), column + 1)
        data = cell.find("Data")
        text = _value(data, codes.get(cell.get("StyleID") or "", ""), formats) if data is not None else ""
        if text and column <= _MAX_COLUMNS:
            yield column, text
        column += count(cell.get("MergeAcross"), 0)


def _value(data: Element, code: str, formats: NumberFormats) -> str:
    text = shown(all_text(data))
    match data.get("Type"):
        case "DateTime":
            return _FRACTION.sub("", _MIDNIGHT.sub("", text)).replace("T", " ")
        case "Boolean":
            return "TRUE" if text == "1" else "FALSE"
        case "Number":
            try:
                return formats.written(float(text), code)
            except (ValueError, OverflowError):
                return text
        case _:
            return text


def _codes(root: Element) -> dict[str, str]:
    """The codes of number formats by style."""
    found = ((style.get("ID") or "", style.find("NumberFormat")) for style in root.findall("Styles/Style"))
    codes = {style: form.get("Format") or "" for style, form in found if form is not None}
    return {style: _NAMED.get(code, code) for style, code in codes.items()}
