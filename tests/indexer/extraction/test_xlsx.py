"""Workbooks, as their readers see them."""

from __future__ import annotations

import io
from datetime import date
from pathlib import Path

import pytest
from openpyxl import Workbook
from openpyxl.comments import Comment
from openpyxl.worksheet.worksheet import Worksheet

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.detect.kind import kind_of
from indexer.extraction.formats.sheets import cell_budget, xlsx_sheet
from indexer.extraction.formats.sheets.xlsx import XlsxExtractor
from rag.errors import ExtractionError
from rag.types.documents import Page
from tests.indexer.extraction.packages import changed, package, part_of, relations

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/spreadsheetml/main"


def read(path: Path) -> tuple[Extraction, list[Page]]:
    extraction = XlsxExtractor().extract(path, ExtractionContext())
    return extraction, list(extraction.pages)


def first_sheet(book: Workbook) -> Worksheet:
    sheet = book.worksheets[0]
    assert isinstance(sheet, Worksheet)
    return sheet


def saved(folder: Path, book: Workbook) -> Path:
    path = folder / "book.xlsx"
    book.save(path)
    return path


def with_rows(folder: Path, rows: str, *, namespace: str = MAIN, texts: str = "", behind: str = "") -> Path:
    """A workbook of one sheet, from bare XML."""
    return package(
        folder / "bare.xlsx",
        {
            "_rels/.rels": relations(("r1", "officeDocument", "xl/workbook.xml")),
            "xl/workbook.xml": f'<workbook xmlns="{namespace}" xmlns:r="r/relationships"><sheets>'
            '<sheet name="Rates" sheetId="1" r:id="r1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": relations(
                ("r1", "worksheet", "worksheets/sheet1.xml"), ("r2", "sharedStrings", "sharedStrings.xml")
            ),
            "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{namespace}"><dimension ref="A1:XFD1048576"/>'
            f"<sheetData>{rows}</sheetData>{behind}</worksheet>",
            "xl/sharedStrings.xml": texts or f'<sst xmlns="{namespace}"/>',
        },
    )


def test_sheets_are_pages_with_name_and_place(tmp_path: Path):
    book = Workbook()
    book.properties.title = "Leave of the house"
    first = first_sheet(book)
    first.title = "Days"
    first.append(["Grade", "Days"])
    first.append(["A", 30])
    book.create_sheet("Blank")
    hidden = book.create_sheet("Keys")
    hidden["A1"] = "internal"
    hidden.sheet_state = "hidden"
    extraction, pages = read(saved(tmp_path, book))
    assert (extraction.title, extraction.paged) == ("Leave of the house", True)
    assert [(page.number, page.label) for page in pages] == [(1, "Days"), (2, "Blank"), (3, "Keys")]
    assert pages[0].text == "# Days\n\n| Grade | Days |\n| --- | --- |\n| A | 30 |"
    assert pages[1].text == ""
    assert pages[2].text == "# Keys (hidden)\n\ninternal"


def test_cells_show_what_they_display(tmp_path: Path):
    book = Workbook()
    sheet = first_sheet(book)
    for row, (value, code) in enumerate(
        [(1599.994, "#,##0.00"), (0.025, "0.0%"), (date(2026, 1, 5), "dd.mm.yyyy"), (True, "General"), (2.5, "# ?/?")],
        start=1,
    ):
        sheet.cell(row, 1, value).number_format = code
    _, [page] = read(saved(tmp_path, book))
    assert page.text.splitlines()[2:] == ["1,599.99", "2.5%", "05.01.2026", "TRUE", "2 1/2"]


def test_formulas_show_their_results_and_themselves_only_without_one(tmp_path: Path):
    rows = (
        '<row r="1"><c r="A1"><f>B1*2</f><v>84</v></c></row><row r="2"><c r="A2"><f>SUM(A1:A1)</f></c></row>'
        '<row r="3"><c r="A3" t="e"><f>1/0</f><v>#DIV/0!</v></c></row>'
        '<row r="4"><c r="A4" t="str"><f>"x"</f><v>words</v></c></row><row r="5"><c r="A5" t="str"><f>""</f></c></row>'
    )
    _, [page] = read(with_rows(tmp_path, rows))
    assert page.text.splitlines()[2:] == ["84", "=SUM(A1:A1)", "#DIV/0!", "words"]


@pytest.mark.parametrize("namespace", [MAIN, STRICT])
def test_strict_files_read_like_the_others(tmp_path: Path, namespace: str):
    texts = f'<sst xmlns="{namespace}"><si><r><t>red </t></r><r><t>days</t></r><rPh><t>reading</t></rPh></si></sst>'
    path = with_rows(tmp_path, '<row><c t="s"><v>0</v></c></row>', namespace=namespace, texts=texts)
    assert kind_of(path) == "xlsx"
    _, [page] = read(path)
    assert page.text == "# Rates\n\nred days"


def test_a_value_under_a_merged_cell_is_shown_once(tmp_path: Path):
    rows = '<row r="1"><c r="A1"><v>7</v></c><c r="B1"><v>7</v></c></row><row r="2"><c r="A2"><v>7</v></c></row>'
    path = with_rows(tmp_path, rows, behind='<mergeCells><mergeCell ref="A1:B2"/></mergeCells>')
    assert read(path)[1][0].text == "# Rates\n\n7"


def test_comments_follow_with_place_and_author(tmp_path: Path):
    book = Workbook()
    sheet = first_sheet(book)
    sheet["B3"] = "see remark"
    sheet["B3"].comment = Comment("Ask the works council.", "Ann")
    _, [page] = read(saved(tmp_path, book))
    assert page.text.endswith("## Comments\n\n- B3 (Ann): Ask the works council.")


def test_text_boxes_and_charts_are_read(tmp_path: Path):
    drawing = "<wsDr><sp><txBody><p><r><t>Ask before booking.</t></r></p></txBody></sp><graphicFrame/></wsDr>"
    chart = (
        "<chartSpace><title><tx><rich><p><r><t>Days by grade</t></r></p></rich></tx></title>"
        "<ser><tx><strRef><strCache><pt><v>Annual</v></pt></strCache></strRef></tx></ser></chartSpace>"
    )
    path = changed(
        with_rows(tmp_path, "<row><c><v>1</v></c></row>"),
        {
            "xl/worksheets/_rels/sheet1.xml.rels": relations(("d", "drawing", "../drawings/drawing1.xml")),
            "xl/drawings/drawing1.xml": drawing,
            "xl/drawings/_rels/drawing1.xml.rels": relations(("c", "chart", "../charts/chart1.xml")),
            "xl/charts/chart1.xml": chart,
        },
    )
    _, [page] = read(path)
    assert "Ask before booking." in page.text and "Chart: Days by grade. Series: Annual" in page.text


def test_headers_and_footers_follow_without_their_codes(tmp_path: Path):
    header = '&amp;LForm 17&amp;C&amp;"Arial,Bold"&amp;12Moss &amp;&amp; Sons&amp;R&amp;D'
    footer = "&amp;CPage &amp;P of &amp;N"
    margins = f"<headerFooter><oddHeader>{header}</oddHeader><oddFooter>{footer}</oddFooter></headerFooter>"
    row = '<row r="1"><c r="A1" t="inlineStr"><is><t>Berth</t></is></c></row>'
    [page] = read(with_rows(tmp_path, row, behind=margins))[1]
    assert page.text.split("\n\n")[1:] == ["Berth", "Form 17", "Moss & Sons"]


def test_the_claimed_size_of_a_sheet_is_not_believed(tmp_path: Path):
    rows = (
        '<row r="1"><c r="A1" t="inlineStr"><is><t>near</t></is></c></row>'
        '<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>far</t></is></c></row>'
    )
    assert read(with_rows(tmp_path, rows))[1][0].text == "# Rates\n\nnear\n\nfar"


def test_a_sheet_beyond_the_bound_is_cut_with_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cell_budget.CellBudget, "is_spent", property(lambda budget: budget.cells <= 999_900))
    extraction, [page] = read(with_rows(tmp_path, "<row><c><v>5</v></c></row>" * 250))
    assert page.text.count("5") == 100
    [warning] = extraction.warnings
    assert "first 100 rows" in warning and "150 were left out" in warning


def test_long_texts_that_repeat_are_shortened(tmp_path: Path):
    texts = f'<sst xmlns="{MAIN}"><si><t>{"policy " * 2000}</t></si></sst>'
    extraction, [page] = read(with_rows(tmp_path, '<row><c t="s"><v>0</v></c></row>' * 500, texts=texts))
    assert page.text.count("policy") < 500 * 20
    assert "499 cells repeat a long text" in extraction.warnings[0]


def test_entities_are_refused(tmp_path: Path):
    bomb = f'<!DOCTYPE sst [<!ENTITY a "ha">]><sst xmlns="{MAIN}"><si><t>&a;</t></si></sst>'
    extraction = XlsxExtractor().extract(with_rows(tmp_path, "<row/>", texts=bomb), ExtractionContext())
    with pytest.raises(ExtractionError) as raised:
        list(extraction.pages)
    assert raised.value.failure.code == "damaged"


def test_a_sheet_that_breaks_off_is_read_up_to_there(tmp_path: Path):
    path = with_rows(tmp_path, "<row><c><v>41</v></c></row>" * 3)
    broken = part_of(path, "xl/worksheets/sheet1.xml").partition("</sheetData>")[0] + "<row><c"
    extraction, [page] = read(changed(path, {"xl/worksheets/sheet1.xml": broken}))
    assert page.text.count("41") == 3
    assert "breaks off" in "".join(extraction.warnings)


def test_a_workbook_that_lost_its_list_of_sheets_still_gives_them(tmp_path: Path):
    path = with_rows(tmp_path, "<row><c><v>41</v></c></row>")
    _, [page] = read(changed(path, {"xl/workbook.xml": "<workbook/>"}))
    assert page.text == "# Sheet1\n\n41"


def test_a_missing_sheet_costs_only_itself(tmp_path: Path):
    book = Workbook()
    first_sheet(book)["A1"] = "kept"
    book.create_sheet("Gone")["A1"] = "lost"
    path = changed(saved(tmp_path, book), {"xl/worksheets/sheet2.xml": None})
    extraction, pages = read(path)
    assert [page.text for page in pages] == ["# Sheet\n\nkept", ""]
    assert "Gone was left out" in extraction.warnings[0]


def test_a_long_table_is_read_to_its_end(tmp_path: Path):
    book = Workbook(write_only=True)
    sheet = book.create_sheet("Log")
    sheet.append(["Number", "Name", "Amount"])
    for number in range(5_000):
        sheet.append([number, f"Clerk {number}", number / 4])
    buffer = io.BytesIO()
    book.save(buffer)
    path = tmp_path / "long.xlsx"
    path.write_bytes(buffer.getvalue())
    extraction, [page] = read(path)
    assert "| 4999 | Clerk 4999 | 1249.75 |" in page.text and not extraction.warnings
    assert page.text.count("| Number | Name | Amount |") == 250


def test_comments_beyond_the_most_that_are_read_are_counted(tmp_path: Path):
    remarks = "<comment ref='A1'><text><t>Ask.</t></text></comment>" * 10_003
    path = changed(
        with_rows(tmp_path, "<row><c><v>1</v></c></row>"),
        {
            "xl/worksheets/_rels/sheet1.xml.rels": relations(("c", "comments", "../comments1.xml")),
            "xl/comments1.xml": f"<comments><commentList>{remarks}</commentList></comments>",
        },
    )
    extraction, [page] = read(path)
    assert page.text.count("Ask.") == 10_000
    assert extraction.warnings == ["Of the comments on a sheet, only the first 10,000 were read, 3 were left out."]


def test_numbers_of_thousands_of_digits_are_none(tmp_path: Path):
    digits = "9" * 5_000
    rows = (
        f'<row r="{digits}"><c t="str"><v>row</v></c></row><row><c s="{digits}"><v>7</v></c></row>'
        f'<row><c t="s"><v>{digits}</v></c></row><row><c t="str"><v>last</v></c></row>'
    )
    _, [page] = read(with_rows(tmp_path, rows))
    assert page.text == "# Rates\n\nrow\n7\n\nlast"


def test_merged_cells_over_one_another_take_no_more_steps_than_cells_that_may_be_merged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(xlsx_sheet, "_MAX_COVERED_CELLS", 4)
    rows = '<row r="1"><c t="str"><v>a</v></c><c t="str"><v>under</v></c></row><row r="2"><c t="str"><v>b</v></c>'
    rows += '<c t="str"><v>kept</v></c></row>'
    merges = '<mergeCell ref="A1:B1"/><mergeCell ref="A1:B1"/><mergeCell ref="A2:B2"/>'
    _, [page] = read(with_rows(tmp_path, rows, behind=f"<mergeCells>{merges}</mergeCells>"))
    assert "under" not in page.text and "kept" in page.text
