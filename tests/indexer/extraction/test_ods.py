"""OpenDocument spreadsheets, as their readers see them."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.formats.odf.ods import OdsExtractor
from rag.errors import ExtractionError
from rag.types.documents import Page
from tests.indexer.extraction.opendocument import opendocument


def read(path: Path) -> tuple[Extraction, list[Page]]:
    extraction = OdsExtractor().extract(path, ExtractionContext())
    return extraction, list(extraction.pages)


def cell(text: str, attributes: str = "", inside: str = "") -> str:
    return f"<table:table-cell {attributes}>{inside}<text:p>{text}</text:p></table:table-cell>"


def row(*cells: str, attributes: str = "") -> str:
    return f"<table:table-row {attributes}>{''.join(cells)}</table:table-row>"


def sheet(*rows: str, name: str = "Days", attributes: str = "") -> str:
    return f'<table:table table:name="{name}" {attributes}>{"".join(rows)}</table:table>'


def book(folder: Path, *sheets: str, automatic: str = "", title: str = "") -> Path:
    return opendocument(folder / "book.ods", "".join(sheets), kind="spreadsheet", automatic=automatic, title=title)


def test_sheets_are_pages_and_cells_show_what_they_display(tmp_path: Path):
    amount = cell("1,599.99 €", 'office:value-type="currency" office:value="1599.99"')
    bare = '<table:table-cell office:value-type="date" office:date-value="2026-01-05"/>'
    path = book(
        tmp_path,
        sheet(row(cell("Grade"), cell("Pay"), cell("From")), row(cell("A"), amount, bare)),
        sheet(row(cell("internal")), name="Keys", attributes='table:style-name="ta2"'),
        automatic='<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>',
        title="Pay of the house",
    )
    extraction, pages = read(path)
    assert (extraction.title, extraction.paged) == ("Pay of the house", True)
    assert [(page.number, page.label) for page in pages] == [(1, "Days"), (2, "Keys")]
    assert pages[0].text.endswith("| Grade | Pay | From |\n| --- | --- | --- |\n| A | 1,599.99 € | 2026-01-05 |")
    assert pages[1].text == "# Keys (hidden)\n\ninternal"


def test_rows_and_cells_that_are_repeated_to_the_edge_cost_nothing(tmp_path: Path):
    blank = '<table:table-cell table:number-columns-repeated="16384"/>'
    path = book(
        tmp_path,
        sheet(
            row(cell("top")),
            row(blank, attributes='table:number-rows-repeated="1048570"'),
            row('<table:table-cell table:number-columns-repeated="16383"/>', cell("far")),
        ),
    )
    assert read(path)[1][0].text == "# Days\n\ntop\n\nfar"


def test_a_value_that_fills_a_whole_sheet_is_read_a_thousand_times_at_most(tmp_path: Path):
    filled = cell("7", 'table:number-columns-repeated="1"')
    path = book(tmp_path, sheet(row(filled, attributes='table:number-rows-repeated="1048576"')))
    assert read(path)[1][0].text.count("7") == 1_000


def test_blanks_breaks_and_merged_cells_read_as_shown(tmp_path: Path):
    merged = cell("a<text:s/>b<text:line-break/>c", 'table:number-columns-spanned="2"')
    path = book(tmp_path, sheet(row(merged, "<table:covered-table-cell><text:p>x</text:p></table:covered-table-cell>")))
    assert read(path)[1][0].text == "# Days\n\na b c"


def test_remarks_follow_with_place_and_author(tmp_path: Path):
    remark = "<office:annotation><dc:creator>Ann</dc:creator><text:p>Ask first.</text:p></office:annotation>"
    assert "- A1 (Ann): Ask first." in read(book(tmp_path, sheet(row(cell("x", inside=remark)))))[1][0].text


def test_a_protected_file_is_called_so(tmp_path: Path):
    manifest = "<manifest><file-entry><encryption-data/></file-entry></manifest>"
    path = opendocument(tmp_path / "b.ods", "", kind="spreadsheet", parts={"META-INF/manifest.xml": manifest})
    with pytest.raises(ExtractionError) as raised:
        OdsExtractor().extract(path, ExtractionContext())
    assert raised.value.failure.code == "encrypted"


def test_remarks_beyond_the_most_that_are_read_are_counted(tmp_path: Path):
    remark = "<office:annotation><text:p>Ask.</text:p></office:annotation>"
    extraction, [page] = read(book(tmp_path, sheet(row(cell("x", inside=remark * 10_003)))))
    assert page.text.count("Ask.") == 10_000
    assert extraction.warnings == ["Of the comments on a sheet, only the first 10,000 were read, 3 were left out."]
