"""What stands in the paragraphs of Word documents beside plain words."""

from __future__ import annotations

from pathlib import Path

import pytest
from docx.oxml.ns import nsdecls

from tests.indexer.extraction.word import W, paragraph, read, run, with_body, with_part, with_relation


def test_text_boxes_are_read_once(tmp_path: Path):
    box = f"<w:txbxContent>{paragraph(run('in the box'))}</w:txbxContent>"
    path = with_body(
        tmp_path,
        f'<w:p {W} xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:v" '
        f'xmlns:wps="urn:wps"><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx>{box}</wps:txbx>'
        f"</w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>{box}</v:textbox></w:pict></mc:Fallback>"
        f"</mc:AlternateContent></w:r>{run('beside it')}</w:p>",
    )
    assert read(path)[1] == "beside it\n\nin the box"


def test_fields_of_forms_show_what_was_chosen(tmp_path: Path):
    def data(inside: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="begin"><w:ffData>{inside}</w:ffData></w:fldChar></w:r>'

    entries = '<w:listEntry w:val="ebb"/><w:listEntry w:val="flood"/>'
    path = with_body(
        tmp_path,
        paragraph(run("at ") + data(f'<w:ddList><w:result w:val="1"/>{entries}</w:ddList>')),
        paragraph(data("<w:checkBox><w:default w:val='0'/><w:checked/></w:checkBox>") + run(" by day")),
        paragraph(data("<w:checkBox><w:default w:val='0'/></w:checkBox>") + run(" by night")),
    )
    assert read(path)[1] == "at flood\n\n☒ by day\n\n☐ by night"


def test_formulas_are_written_as_people_type_them(tmp_path: Path):
    def m(name: str, inside: str) -> str:
        return f"<m:{name}>{inside}</m:{name}>"

    def r(text: str) -> str:
        return m("r", m("t", text))

    half = m("f", m("num", r("a+b")) + m("den", r("2")))
    square = m("sSup", m("e", r("x")) + m("sup", r("10")))
    root = m("rad", m("radPr", "") + m("deg", "") + m("e", r("y")))
    total = m(
        "nary", '<m:naryPr><m:chr m:val="∑"/></m:naryPr>' + m("sub", r("i=1")) + m("sup", r("n")) + m("e", r("i"))
    )
    inside = m("d", m("e", r("z")))
    math = f'<m:oMath xmlns:m="urn:m">{half}{r("=")}{square}{r("+")}{root}{r("+")}{total}{inside}</m:oMath>'
    assert read(with_body(tmp_path, paragraph(math)))[1] == "(a+b)/2=x^(10)+√(y)+∑_(i=1)^n i(z)"


def chart_part() -> str:
    def points(*values: str) -> str:
        return "".join(f'<c:pt idx="{at}"><c:v>{value}</c:v></c:pt>' for at, value in enumerate(values))

    a = 'xmlns:c="urn:c" xmlns:a="urn:a"'
    title = "<c:title><c:tx><c:rich><a:p><a:r><a:t>Calls</a:t></a:r></a:p></c:rich></c:tx></c:title>"
    years = "<c:pt idx='0'><c:v>2024</c:v></c:pt><c:pt idx='2'><c:v>2025</c:v></c:pt>"
    levels = f"<c:lvl>{points('Q1', 'Q2', 'Q1')}</c:lvl><c:lvl>{years}</c:lvl>"
    series = (
        f"<c:ser><c:tx><c:v>Ships</c:v></c:tx><c:cat><c:multiLvlStrRef>{levels}</c:multiLvlStrRef></c:cat>"
        f"<c:val><c:numRef><c:numCache>{points('8', '12.300000000000001', '9')}</c:numCache></c:numRef></c:val></c:ser>"
    )
    return f"<c:chartSpace {a}>{title}{series}</c:chartSpace>"


def test_charts_are_a_title_and_a_table(tmp_path: Path):
    pointer = f'<w:drawing><c:chart xmlns:c="urn:c" {nsdecls("r")} r:id="rIdNew"/></w:drawing>'
    path = with_body(tmp_path, paragraph(run("See:") + f"<w:r>{pointer}</w:r>"))
    with_relation(path, "chart", "charts/chart1.xml")
    with_part(path, "word/charts/chart1.xml", chart_part().encode())
    assert read(path)[1].split("\n\n") == [
        "See:",
        "Calls",
        "|  | Ships |\n| --- | --- |\n| 2024 Q1 | 8 |\n| 2024 Q2 | 12.3 |\n| 2025 Q1 | 9 |",
    ]


@pytest.mark.parametrize(("epoch", "day"), [("", "2010-06-14"), ("<c:date1904 val='1'/>", "2014-06-15")])
def test_dates_and_shares_in_charts_are_written_as_such(tmp_path: Path, epoch: str, day: str):
    def numbers(code: str, value: str) -> str:
        point = f"<c:pt idx='0'><c:v>{value}</c:v></c:pt>"
        return f"<c:numRef><c:numCache><c:formatCode>{code}</c:formatCode>{point}</c:numCache></c:numRef>"

    series = f"<c:cat>{numbers('yyyy-mm-dd', '40343')}</c:cat><c:val>{numbers('0%', '0.25')}</c:val>"
    chart = f"<c:chartSpace xmlns:c='urn:c'>{epoch}<c:ser>{series}</c:ser></c:chartSpace>"
    pointer = f'<w:drawing><c:chart xmlns:c="urn:c" {nsdecls("r")} r:id="rIdNew"/></w:drawing>'
    path = with_body(tmp_path, paragraph(f"<w:r>{pointer}</w:r>"))
    with_relation(path, "chart", "charts/chart1.xml")
    with_part(path, "word/charts/chart1.xml", chart.encode())
    assert f"| {day} | 25% |" in read(path)[1]


def test_decorated_letters_are_read(tmp_path: Path):
    pict = '<w:pict><v:shape xmlns:v="urn:v"><v:textpath string="DRAFT"/></v:shape></w:pict>'
    assert read(with_body(tmp_path, paragraph(f"<w:r>{pict}</w:r>")))[1] == "DRAFT"


def test_points_of_a_chart_beyond_the_most_that_are_read_are_counted(tmp_path: Path):
    points = "".join(f"<c:pt idx='{at}'><c:v>{at}</c:v></c:pt>" for at in range(1003))
    chart = f"<c:chartSpace xmlns:c='urn:c'><c:ser><c:val>{points}</c:val></c:ser></c:chartSpace>"
    pointer = f'<w:drawing><c:chart xmlns:c="urn:c" {nsdecls("r")} r:id="rIdNew"/></w:drawing>'
    path = with_body(tmp_path, paragraph(f"<w:r>{pointer}</w:r>"))
    with_relation(path, "chart", "charts/chart1.xml")
    with_part(path, "word/charts/chart1.xml", chart.encode())
    extraction, text = read(path)
    assert "| 999 |" in text and "| 1000 |" not in text
    assert extraction.warnings == ["Of a chart, only the first 1,000 points were read, 3 were left out."]
