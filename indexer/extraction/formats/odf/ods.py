"""OpenDocument spreadsheets: each sheet a page, its cells as they are displayed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.container.ooxml import Package, damaged
from indexer.extraction.formats.odf.ods_sheet import sheets_of
from indexer.extraction.formats.odf.package import refuse_encrypted, title_of
from indexer.extraction.formats.sheets.cell_budget import CellBudget, shortened_cells
from indexer.extraction.formats.sheets.grid_markdown import as_markdown
from indexer.extraction.formats.sheets.xlsx import sheet_page
from rag.types.documents import Page


class OdsExtractor:
    """Gives one page a sheet, numbered by its place and labelled with its name."""

    def extract(self, path: Path, context: ExtractionContext) -> Extraction:  # noqa: ARG002  # needs none
        """The sheets as Markdown tables, titled by the document's properties. Raises ExtractionError."""
        with Package.open(path) as package:
            refuse_encrypted(package)
            title = title_of(package.optional_xml("meta.xml"))
        warnings: list[str] = []
        return Extraction(title=title, paged=True, pages=_pages(path, warnings), warnings=warnings)


def sheet_pages(raw: bytes, warnings: list[str]) -> Iterator[Page]:
    """The sheets of a content.xml, or of a file that is one XML document. Raises ExtractionError ("damaged")."""
    budget = CellBudget()
    for number, sheet in enumerate(sheets_of(raw, budget, warnings), start=1):
        remarks = "\n".join(["## Comments", "", *sheet.remarks]) if sheet.remarks else ""
        parts = [as_markdown(sheet.grid), *sheet.texts, remarks]
        yield sheet_page(number, sheet.name, parts, hidden=sheet.is_hidden)
    warnings += shortened_cells(budget.shortened)


def _pages(path: Path, warnings: list[str]) -> Iterator[Page]:
    with Package.open(path) as package:
        raw = package.read("content.xml")
        if raw is None:
            raise damaged("its part content.xml is missing")
        yield from sheet_pages(raw, warnings)
        warnings += dict.fromkeys(package.warnings)
