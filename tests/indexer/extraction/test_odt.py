"""OpenDocument texts, as their readers see them."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.detect.kind import kind_of
from indexer.extraction.formats.odf.odt import OdtExtractor
from rag.errors import ExtractionError
from tests.indexer.extraction.opendocument import chart, opendocument
from tests.indexer.extraction.packages import package


def read(path: Path) -> tuple[Extraction, str]:
    assert kind_of(path) == "odt"
    extraction = OdtExtractor().extract(path, ExtractionContext())
    [page] = extraction.pages
    return extraction, page.text


def text_of(folder: Path, body: str, **given: str) -> str:
    return read(
        opendocument(folder / "report.odt", body, automatic=given.get("automatic", ""), styles=given.get("styles", ""))
    )[1]


def row(*cells: str) -> str:
    return f"<table:table-row>{''.join(cells)}</table:table-row>"


def cell(text: str, attributes: str = "") -> str:
    return f"<table:table-cell {attributes}><text:p>{text}</text:p></table:table-cell>"


def item(inside: str, attributes: str = "") -> str:
    return f"<text:list-item {attributes}>{inside}</text:list-item>"


def p(text: str, attributes: str = "") -> str:
    return f"<text:p {attributes}>{text}</text:p>"


NUMBERS = (
    '<text:list-style style:name="L1">'
    '<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>'
    '<text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")" text:start-value="2"/>'
    '<text:list-level-style-number text:level="3" style:num-format="1" text:display-levels="3"/></text:list-style>'
)


def test_headings_paragraphs_and_tables_come_in_order(tmp_path: Path):
    body = (
        '<text:h text:outline-level="1">Harbour rules</text:h><text:h text:outline-level="2">Speed</text:h>'
        + p("Five  \n knots<text:s text:c='2'/>at<text:tab/>most<text:line-break/>at night.")
        + f"<table:table>{row(cell('Berth'), cell('Depth'))}{row(cell('A|1'), cell('9 m'))}</table:table>"
    )
    extraction, text = read(opendocument(tmp_path / "a.odt", body))
    assert extraction.title == "Harbour rules" and not extraction.paged
    assert text.split("\n\n") == [
        "# Harbour rules",
        "## Speed",
        "Five knots  at\tmost\nat night.",
        "| Berth | Depth |\n| --- | --- |\n| A\\|1 | 9 m |",
    ]


def test_the_title_of_the_properties_comes_first(tmp_path: Path):
    body = '<text:h text:outline-level="1">Heading</text:h>'
    assert read(opendocument(tmp_path / "a.odt", body, title="Pilotage 2025"))[0].title == "Pilotage 2025"


def test_list_numbers_are_computed(tmp_path: Path):
    deep = f"<text:list>{item(p('deep'))}</text:list>"
    inner = f"<text:list>{item(p('b'))}{item(p('c') + deep)}</text:list>"
    nine = item(p("nine"), 'text:start-value="9"')
    body = (
        f'<text:list text:style-name="L1" xml:id="one">{item(p("one") + inner)}{item(p("two") + p("goes on"))}'
        f"{nine}</text:list>{p('between')}"
        f"<text:list text:style-name='L1' text:continue-list='one'>{item(p('ten'))}</text:list>"
        f"{p('again')}<text:list text:style-name='L1'>{item(p('one'))}</text:list>"
        f"<text:list>{item(p('bullet'))}{item(p(''))}</text:list>"
    )
    assert text_of(tmp_path, body, automatic=NUMBERS).split("\n\n") == [
        "1. one\n  b) b\n  c) c\n    1.c.1 deep\n2. two\n  goes on\n9. nine",
        "between",
        "10. ten",
        "again",
        "1. one\n- bullet",
    ]


def test_headings_carry_their_numbers(tmp_path: Path):
    outline = (
        '<office:styles><text:outline-style style:name="Outline">'
        '<text:outline-level-style text:level="1" style:num-format="1"/>'
        '<text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/>'
        "</text:outline-style></office:styles>"
    )
    headings = "".join(
        f'<text:h text:outline-level="{level}">{name}</text:h>' for level, name in [(1, "A"), (2, "B"), (1, "C")]
    )
    assert text_of(tmp_path, headings, styles=outline) == "# 1 A\n\n## 1.1 B\n\n# 2 C"


def test_deleted_hidden_and_repeated_text_is_left_out(tmp_path: Path):
    hidden = (
        '<style:style style:name="H" style:family="text"><style:text-properties text:display="none"/></style:style>'
    )
    body = (
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>deleted</text:p></text:deletion>"
        "</text:changed-region></text:tracked-changes>"
        "<text:table-of-content><text:index-body><text:p>Speed 4</text:p></text:index-body></text:table-of-content>"
        + p(
            'The fee is <text:change-start text:change-id="1"/>nine<text:change-end/> coins'
            '<text:span text:style-name="H"> or nothing</text:span>.'
        )
        + p("secret", 'text:style-name="H"')
        + '<text:section text:display="none"><text:p>hidden section</text:p></text:section>'
        + "<text:section><text:p>shown section</text:p></text:section>"
    )
    assert text_of(tmp_path, body, automatic=hidden) == "The fee is nine coins.\n\nshown section"


def test_notes_comments_and_text_boxes_follow_their_paragraph(tmp_path: Path):
    body = "<text:note-body><text:p>At ebb.</text:p></text:note-body>"
    note = f"<text:note><text:note-citation>1</text:note-citation>{body}</text:note>"
    comment = "<office:annotation><dc:creator>Ada Moss</dc:creator><text:p>Really?</text:p></office:annotation>"
    box = (
        "<draw:frame><draw:text-box><text:p>in the box</text:p></draw:text-box><svg:desc>a box</svg:desc></draw:frame>"
    )
    assert text_of(tmp_path, p(f"Depth{note} is{comment} nine{box} metres.")).split("\n\n") == [
        "Depth is nine metres.",
        "[^1]: At ebb.",
        "[Comment by Ada Moss: Really?]",
        "in the box",
    ]


def test_readings_above_characters_are_left_out(tmp_path: Path):
    ruby = "<text:ruby><text:ruby-base>東京</text:ruby-base><text:ruby-text>とうきょう</text:ruby-text></text:ruby>"
    assert text_of(tmp_path, p(f"{ruby}湾")) == "東京湾"


def test_merged_and_repeated_cells_keep_their_columns(tmp_path: Path):
    rows = (
        row(cell("wide", 'table:number-columns-spanned="2"'), "<table:covered-table-cell/>", cell("c"))
        + row(cell("same", 'table:number-columns-repeated="3"'))
        + row("<table:table-cell table:number-columns-repeated='16384'/>").replace(
            "<table:table-row>", '<table:table-row table:number-rows-repeated="1048576">'
        )
    )
    assert text_of(tmp_path, f"<table:table>{rows}</table:table>") == (
        "| wide |  | c |\n| --- | --- | --- |\n| same | same | same |"
    )


def test_a_table_in_a_cell_becomes_a_line(tmp_path: Path):
    inner = f"<table:table>{row(cell('a'), cell('b'))}{row(cell('c'), cell('d'))}</table:table>"
    outer = row(cell("left"), f"<table:table-cell>{inner}</table:table-cell>")
    assert text_of(tmp_path, f"<table:table>{row(cell('x'), cell('y'))}{outer}</table:table>") == (
        "| x | y |\n| --- | --- |\n| left | a · b; c · d |"
    )


def test_charts_are_read_and_the_pictures_of_them_are_not(tmp_path: Path):
    picture = "<draw:text-box><text:p>picture</text:p></draw:text-box>"
    frame = f'<draw:frame><draw:object xlink:href="./Object 1"/>{picture}</draw:frame>'
    parts = {"Object 1/content.xml": chart("Ships a year", [["", "Ships"], ["2025", "120"]])}
    text = read(opendocument(tmp_path / "a.odt", p(frame), parts=parts))[1]
    assert text == "Ships a year\n\n|  | Ships |\n| --- | --- |\n| 2025 | 120 |"


def test_headers_and_footers_come_once_at_the_end(tmp_path: Path):
    regions = "<style:header><text:p>Form 17</text:p></style:header><style:footer><text:p>3</text:p></style:footer>"
    page = f"<style:master-page>{regions}</style:master-page>"
    masters = f"<office:master-styles>{page}{page}</office:master-styles>"
    assert text_of(tmp_path, p("Body."), styles=masters) == "Body.\n\nForm 17"


def test_protected_files_are_named_so(tmp_path: Path):
    path = opendocument(
        tmp_path / "a.odt",
        "",
        parts={"META-INF/manifest.xml": "<manifest><file-entry><encryption-data/></file-entry></manifest>"},
    )
    with pytest.raises(ExtractionError) as raised:
        read(path)
    assert raised.value.failure.code == "encrypted"


@pytest.mark.parametrize("content", [{}, {"content.xml": "<office:document-content"}])
def test_a_file_without_its_text_is_damaged(tmp_path: Path, content: dict[str, str]):
    path = package(tmp_path / "a.odt", {"mimetype": "application/vnd.oasis.opendocument.text", **content})
    with pytest.raises(ExtractionError) as raised:
        read(path)
    assert raised.value.failure.code == "damaged"


@pytest.mark.parametrize("levels", [30, 400])
def test_tables_in_tables_without_end_are_read_all_the_same(tmp_path: Path, levels: int):
    opened, closed = (
        "<table:table><table:table-row><table:table-cell>",
        "</table:table-cell></table:table-row></table:table>",
    )
    assert text_of(tmp_path, opened * levels + p("deep") + closed * levels) == "deep"


@pytest.mark.parametrize("levels", [30, 1000])
def test_lists_and_spans_without_end_are_read_all_the_same(tmp_path: Path, levels: int):
    lists = "<text:list><text:list-item>" * levels + p("deep") + "</text:list-item></text:list>" * levels
    assert "deep" in text_of(tmp_path, lists)
    assert text_of(tmp_path, p("top" + "<text:span>" * levels + "</text:span>" * levels)) == "top"


def test_repeated_tables_in_repeated_tables_do_not_grow_without_end(tmp_path: Path):
    inner = p("berth")
    for _ in range(8):
        repeated = f'<table:table-cell table:number-columns-repeated="100">{inner}</table:table-cell>'
        rows = f'<table:table-row table:number-rows-repeated="1000">{repeated}</table:table-row>'
        inner = f"<table:table>{rows}</table:table>"
    assert 0 < len(text_of(tmp_path, inner)) < 1_000_000
