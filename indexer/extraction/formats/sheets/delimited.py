"""Tables as text: one line a row, with commas, semicolons, tabs or bars between the cells."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.characters.encoding import decoded, losses
from indexer.extraction.characters.normalization import cleaned
from indexer.extraction.container.source import read_bytes
from indexer.extraction.detect.delimiter import delimiter_of, without_hint
from indexer.extraction.formats.sheets.cell_budget import CellBudget, shortened_cells
from indexer.extraction.formats.sheets.grid import MAX_CELL_CHARS, CellGrid, shown
from indexer.extraction.formats.sheets.grid_markdown import as_markdown
from rag.types.documents import Page

_SWALLOWED_CHARS: Final = 131_072
"""A cell of several lines that is longer than this was never meant as one."""


class DelimitedExtractor:
    """Gives one page."""

    def extract(self, path: Path, context: ExtractionContext) -> Extraction:  # noqa: ARG002  # needs none
        """The rows as a Markdown table, the header repeated along it; no title. Raises ExtractionError."""
        text = cleaned(decoded(read_bytes(path)))
        warnings = list(losses(text))
        grid = _grid(text, delimiter_of(text, is_named_so=True) or ",", warnings)
        return Extraction("", paged=False, pages=iter([Page(number=1, text=as_markdown(grid))]), warnings=warnings)


def _grid(text: str, delimiter: str, warnings: list[str]) -> CellGrid:
    budget = CellBudget()
    rows: dict[int, dict[int, str]] = {}
    left_out = longer = 0
    for number, record in enumerate(_records(without_hint(text), delimiter), start=1):
        if budget.is_spent:
            left_out += 1
            continue
        longer += sum(len(raw) > MAX_CELL_CHARS for raw in record)
        cells = {column: budget.spend(cell) for column, raw in enumerate(record, start=1) if (cell := shown(raw))}
        if cells:
            rows[number] = cells
    if left_out:
        warnings.append(f"The table is too large: its first {len(rows):,} rows were read, {left_out:,} were left out.")
    if longer:
        warnings.append(f"Of {longer:,} cells, only the first {MAX_CELL_CHARS:,} characters were read.")
    warnings += shortened_cells(budget.shortened)
    return CellGrid(rows)


def _records(text: str, delimiter: str) -> Iterator[list[str]]:
    """The rows; where quotation marks are not in pairs they are taken as they stand from there on."""
    source = io.StringIO(text, newline="")
    place = 0
    try:
        for record in csv.reader(source, delimiter=delimiter, skipinitialspace=True):
            if any(len(cell) > _SWALLOWED_CHARS and "\n" in cell for cell in record):
                break
            yield record
            place = source.tell()
        else:
            return
    except csv.Error:
        pass
    source.seek(place)
    yield from csv.reader(io.StringIO(source.read(), newline=""), delimiter=delimiter, quoting=csv.QUOTE_NONE)
