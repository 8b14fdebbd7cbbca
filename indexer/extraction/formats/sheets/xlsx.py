"""Excel workbooks: each sheet a page, its cells as they are displayed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.container.embedded import embedded_blocks
from indexer.extraction.container.ooxml import Package
from indexer.extraction.formats.sheets.cell_budget import shortened_cells
from indexer.extraction.formats.sheets.grid import shown
from indexer.extraction.formats.sheets.grid_markdown import as_markdown
from indexer.extraction.formats.sheets.xlsx_drawings import beside_the_cells
from indexer.extraction.formats.sheets.xlsx_sheet import SheetReader
from indexer.extraction.formats.sheets.xlsx_workbook import Workbook, WorkbookSheet
from rag.errors import ExtractionError
from rag.types.documents import Page

_MAX_NAME_CHARS: Final = 200


class XlsxExtractor:
    """Gives one page a sheet, numbered by its place and labelled with its name.

    Hidden sheets are read and marked, hidden rows and columns are read: a filter hides what a reader may ask for.
    """

    def extract(self, path: Path, context: ExtractionContext) -> Extraction:
        """The sheets as Markdown tables with what stands beside them, titled by the workbook's properties.

        Raises ExtractionError.
        """
        with Package.open(path) as package:
            title = package.title()
            workbook = Workbook.of(package)
        warnings: list[str] = []
        return Extraction(title=title, paged=True, pages=_pages(path, workbook, context, warnings), warnings=warnings)


def sheet_page(number: int, name: str, parts: list[str], *, hidden: bool) -> Page:
    """A sheet as a page; blank where there is nothing on it."""
    name = shown(name)[:_MAX_NAME_CHARS]
    body = "\n\n".join(filter(None, parts))
    heading = f"# {name}{' (hidden)' if hidden else ''}"
    return Page(number=number, label=name, text=f"{heading}\n\n{body}" if body else "")


def _pages(path: Path, workbook: Workbook, context: ExtractionContext, warnings: list[str]) -> Iterator[Page]:
    with Package.open(path) as package:
        reader = SheetReader(package, workbook, workbook.shared_texts(package), warnings)
        for number, sheet in enumerate(workbook.sheets, start=1):
            yield sheet_page(number, sheet.name, _parts(reader, sheet, context), hidden=sheet.is_hidden)
        warnings += [*shortened_cells(reader.budget.shortened), *dict.fromkeys(package.warnings)]


def _parts(reader: SheetReader, sheet: WorkbookSheet, context: ExtractionContext) -> list[str]:
    try:
        grid, margins = reader.read(sheet)
        beside = beside_the_cells(reader.package, sheet.part)
        relations = reader.package.relations(sheet.part).values()
        return [as_markdown(grid), *beside, *margins, *embedded_blocks(reader.package, relations, context)]
    except ExtractionError as error:
        if len(reader.workbook.sheets) == 1:
            raise
        reader.warnings.append(f"The sheet {sheet.name} was left out. {error.failure.message}")
        return []
