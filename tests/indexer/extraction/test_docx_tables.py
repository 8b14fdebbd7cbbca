"""Tables of Word documents, merged, nested and endless."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.indexer.extraction.word import W, read, run, with_body, with_part


def cell(inside: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{inside}</w:tc>"


def row(*cells: str, properties: str = "") -> str:
    return f"<w:tr><w:trPr>{properties}</w:trPr>{''.join(cells)}</w:tr>"


def words(text: str) -> str:
    return f"<w:p>{run(text)}</w:p>"


def table(*rows: str) -> str:
    return f"<w:tbl {W}>{''.join(rows)}</w:tbl>"


def test_merged_cells_and_rows_that_start_late_keep_their_columns(tmp_path: Path):
    path = with_body(
        tmp_path,
        table(
            row(cell(words("a")), cell(words("b")), cell(words("c"))),
            row(cell(words("wide"), '<w:gridSpan w:val="2"/>'), cell(words("tall"), '<w:vMerge w:val="restart"/>')),
            row(cell(words("late")), cell("<w:p/>", "<w:vMerge/>"), properties='<w:gridBefore w:val="1"/>'),
        ),
    )
    assert read(path)[1].splitlines()[2:] == ["| wide |  | tall |", "|  | late |  |"]


def test_deleted_rows_and_cells_are_left_out(tmp_path: Path):
    gone = row(cell(words("gone")), cell(words("gone")), properties='<w:del w:id="1" w:author="A"/>')
    path = with_body(
        tmp_path,
        table(
            row(cell(words("a")), cell(words("b"))), gone, row(cell(words("c")), cell(words("gone"), "<w:cellDel/>"))
        ),
    )
    assert read(path)[1] == "| a | b |\n| --- | --- |\n| c |  |"


def test_a_table_in_a_cell_becomes_a_line(tmp_path: Path):
    inner = table(row(cell(words("a")), cell(words("b"))), row(cell(words("c|d")), cell("<w:p/>")))
    path = with_body(tmp_path, table(row(cell(words("x")), cell(words("y"))), row(cell(words("left")), cell(inner))))
    assert read(path)[1] == "| x | y |\n| --- | --- |\n| left | a · b; c\\|d |"


@pytest.mark.parametrize("levels", [20, 300, 3000])
def test_tables_in_tables_without_end_are_read_all_the_same(tmp_path: Path, levels: int):
    opened, closed = "<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>"
    body = (
        f"<w:document {W}><w:body>{words('top')}{opened * levels}{words('deep')}{closed * levels}</w:body></w:document>"
    )
    extraction, text = read(with_part(with_body(tmp_path), "word/document.xml", body.encode()))
    assert text.startswith("top")
    assert "deep" in text or extraction.warnings


def test_a_table_for_the_layout_keeps_the_tables_inside(tmp_path: Path):
    inner = table(row(cell(words("a")), cell(words("b"))))
    path = with_body(tmp_path, table(row(cell(words("long " * 400) + inner), cell(words("side")))))
    assert read(path)[1].split("\n\n")[1:] == ["| a | b |\n| --- | --- |", "side"]
