"""Workbooks that are one XML file."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.detect.kind import kind_of
from indexer.extraction.formats.sheets.sheetxml import SheetXmlExtractor
from rag.errors import ExtractionError
from rag.types.documents import Page

NAMES = 'xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"'


def saved(folder: Path, inside: str) -> Path:
    path = folder / "rates.xls"
    path.write_text(f'<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook {NAMES}>{inside}')
    return path


def read(folder: Path, inside: str) -> tuple[Extraction, list[Page]]:
    path = saved(folder, f"{inside}</Workbook>")
    assert kind_of(path) == "sheetxml"
    extraction = SheetXmlExtractor().extract(path, ExtractionContext())
    return extraction, list(extraction.pages)


def cell(text: str, kind: str = "String", attributes: str = "") -> str:
    return f'<Cell {attributes}><Data ss:Type="{kind}">{text}</Data></Cell>'


def test_cells_show_what_they_display(tmp_path: Path):
    style = '<Styles><Style ss:ID="s1"><NumberFormat ss:Format="Percent"/></Style></Styles>'
    head = cell("Berth", attributes='ss:MergeAcross="1"') + cell("Since")
    row = cell("0.25", "Number", 'ss:StyleID="s1"') + cell("2024-05-01T00:00:00.000", "DateTime", 'ss:Index="3"')
    table = f"<Table><Row>{head}</Row><Row>{row}</Row></Table>"
    hidden = "<WorksheetOptions><Visible>SheetHidden</Visible></WorksheetOptions>"
    sheets = f'<Worksheet ss:Name="Rates">{table}</Worksheet><Worksheet ss:Name="Old">{hidden}'
    sheets += f"<Table><Row>{cell('9', 'Number')}</Row></Table></Worksheet>"
    extraction, pages = read(tmp_path, style + sheets)
    assert extraction.paged and [page.label for page in pages] == ["Rates", "Old"]
    assert pages[0].text == "# Rates\n\n| Berth | Since |\n| --- | --- |\n| 25.00% | 2024-05-01 |"
    assert pages[1].text == "# Old (hidden)\n\n9"


def test_a_file_that_is_cut_off_is_damaged(tmp_path: Path):
    with pytest.raises(ExtractionError) as raised:
        SheetXmlExtractor().extract(saved(tmp_path, "<Worksheet><Table>"), ExtractionContext())
    assert raised.value.failure.code == "damaged"
