"""Workbooks in Excel's binary formats, by way of calamine: values, for the formats of their cells it does not tell."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Final, TypeAlias

from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.container.ooxml import damaged
from indexer.extraction.formats.office.number_formats import general
from indexer.extraction.formats.sheets.cell_budget import CellBudget, rows_left_out, shortened_cells
from indexer.extraction.formats.sheets.grid import CellGrid, shown
from indexer.extraction.formats.sheets.grid_markdown import as_markdown
from indexer.extraction.formats.sheets.xlsx import sheet_page
from rag.errors import ExtractionError
from rag.types.documents import Page

_Value: TypeAlias = int | float | str | bool | time | date | datetime | timedelta
_VALUES_ONLY: Final = "Numbers are shown without the format of their cells: 0.25 where the sheet has 25%."
_BROKEN: Final = (CalamineError, OSError, ValueError)


class XlsbExtractor:
    """Gives one page a sheet, numbered by its place and labelled with its name."""

    def extract(self, path: Path, context: ExtractionContext) -> Extraction:  # noqa: ARG002  # needs none
        """The sheets as Markdown tables, without a title. Raises ExtractionError ("damaged")."""
        return read_binary_workbook(path)


def read_binary_workbook(path: Path) -> Extraction:
    """An XLSB or XLS file. Raises ExtractionError ("damaged")."""
    with _faults_told("its sheets cannot be found"):
        workbook = CalamineWorkbook.from_path(path)
    warnings = [_VALUES_ONLY]
    return Extraction("", paged=True, pages=_pages(workbook, warnings), warnings=warnings)


@contextmanager
def _faults_told(detail: str) -> Generator[None]:
    try:
        yield
    except _BROKEN as error:
        raise damaged(detail) from error
    except BaseException as error:  # a panic of calamine's, whose class cannot be imported
        if type(error).__name__ != "PanicException":
            raise
        raise damaged(detail) from error


def _pages(workbook: CalamineWorkbook, warnings: list[str]) -> Iterator[Page]:
    budget = CellBudget()
    sheets = [sheet for sheet in workbook.sheets_metadata if sheet.typ is SheetTypeEnum.WorkSheet]
    for number, sheet in enumerate(sheets, start=1):
        try:
            with _faults_told(f"its sheet {sheet.name} cannot be read"):
                grid = _grid(workbook.get_sheet_by_name(sheet.name), budget, warnings)
        except ExtractionError:
            warnings.append(f"The sheet {sheet.name} is damaged and was left out.")
            grid = CellGrid({})
        yield sheet_page(number, sheet.name, [as_markdown(grid)], hidden=sheet.visible is not SheetVisibleEnum.Visible)
    warnings += shortened_cells(budget.shortened)


def _grid(sheet: CalamineSheet, budget: CellBudget, warnings: list[str]) -> CellGrid:
    rows: dict[int, dict[int, str]] = {}
    left_out = 0
    for number, values in enumerate(sheet.iter_rows(), start=1):
        if budget.is_spent:
            left_out += any(value != "" for value in values)
            continue
        cells = {column: budget.spend(text) for column, value in enumerate(values, start=1) if (text := _shown(value))}
        if cells:
            rows[number] = cells
    if left_out:
        warnings.append(rows_left_out(sheet.name, left_out, len(rows)))
    return CellGrid(rows)


def _shown(value: _Value) -> str:
    match value:
        case bool():
            return "TRUE" if value else "FALSE"
        case int() | float():
            return general(value)
        case datetime() if value.time() == time():
            return value.date().isoformat()
        case datetime():
            return value.isoformat(" ", "minutes")
        case str():
            return shown(value)
        case _:
            return str(value)
