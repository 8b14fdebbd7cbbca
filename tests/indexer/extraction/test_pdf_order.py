"""The order in which a PDF page is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pymupdf
import pytest
from pymupdf import mupdf

from tests.indexer.extraction.printed import SENTENCE, read, text_of, write

LEFT = [f"the left column, line {at:02d}, goes on and" for at in range(12)]
RIGHT = [f"the right column, line {at:02d}, goes on or" for at in range(12)]


def in_order(text: str, *parts: str) -> bool:
    places = [text.index(part) for part in parts]
    return places == sorted(places)


def test_what_was_drawn_last_is_read_where_it_stands(tmp_path: Path):
    document = pymupdf.open()
    page = document.new_page()
    write(page, 72, 700, "See the notes for details.")
    write(page, 72, 120, *[SENTENCE] * 6)
    write(page, 72, 60, "Leave policy of 2026")
    assert in_order(text_of(tmp_path, document), "Leave policy", "Employees", "See the notes")


def test_a_heading_that_was_drawn_last_comes_between_the_blocks_it_stands_between(tmp_path: Path):
    document = pymupdf.open()
    page = document.new_page()
    write(page, 72, 100, "Parts and labour are listed first.")
    write(page, 72, 200, "Totals follow here.")
    write(page, 72, 150, "Estimate")
    assert in_order(text_of(tmp_path, document), "Parts", "Estimate", "Totals")


def test_columns_keep_their_order_when_their_notes_were_drawn_first(tmp_path: Path):
    document = pymupdf.open()
    page = document.new_page()
    write(page, 72, 400, "1 A note below the left one of the columns", size=8)
    write(page, 72, 100, *LEFT)
    write(page, 330, 100, *RIGHT)
    assert in_order(text_of(tmp_path, document), "line 11", "1 A note", "right column, line 00")


def test_a_sentence_goes_on_at_the_top_of_the_next_column(tmp_path: Path):
    document = pymupdf.open()
    page = document.new_page()
    write(page, 72, 100, *LEFT)
    write(page, 330, 100, *RIGHT)
    assert "line 11, goes on and the right column, line 00" in text_of(tmp_path, document)


def test_blocks_side_by_side_are_not_mixed(tmp_path: Path):
    document = pymupdf.open()
    page = document.new_page()
    write(page, 72, 100, "Fenwick Paper Ltd", "12 Mill Lane", "Leeds")
    write(page, 330, 100, "Invoice to", "Harbour Foods", "Bristol")
    assert in_order(text_of(tmp_path, document), "Fenwick", "Mill Lane", "Leeds", "Invoice to", "Bristol")


def test_a_table_that_the_file_holds_column_by_column_is_read_by_rows(tmp_path: Path):
    document = pymupdf.open()
    page = document.new_page()
    write(page, 72, 100, "Subtotal", "Sales tax", "Shipping", "Total")
    write(page, 330, 100, "2,730.00", "278.46", "15.00", "3,023.46")
    assert text_of(tmp_path, document).splitlines() == [
        "Subtotal\t2,730.00", "Sales tax\t278.46", "Shipping\t15.00", "Total\t3,023.46",
    ]  # fmt: skip


def test_long_cells_side_by_side_are_no_columns_of_text(tmp_path: Path):
    document = pymupdf.open()
    page = document.new_page()
    names = [
        "Harbour Foods of Bristol, Inc.",
        "Mill",
        "Fenwick Paper Company, Leeds",
        "Oak",
        "Old Bakery and Sons, York",
    ]
    kinds = [
        "Closure, for good, of the site",
        "Layoff",
        "Layoff, how long is not known",
        "Closure",
        "Layoff for a summer",
    ]
    write(page, 72, 100, *names * 2)
    write(page, 300, 100, *["17", "5", "110", "64", "9"] * 2)
    write(page, 360, 100, *kinds * 2)
    assert "Mill\t5\tLayoff" in text_of(tmp_path, document).splitlines()


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_page_that_lies_on_its_side_is_read_like_one_that_stands(tmp_path: Path, turn: int):
    document = pymupdf.open()
    page = document.new_page(width=600, height=600)
    for row, cells in enumerate([("Name", "Days"), ("Ada", "30"), ("Ben", "28")]):
        for column, cell in enumerate(cells):
            x, y = 100 + 200 * column, 100 + 14 * row
            place = {90: (y, 600 - x), 180: (600 - x, 600 - y), 270: (600 - y, x)}[turn]
            page.insert_text(place, cell, rotate=turn)
    assert text_of(tmp_path, document) == "Name\tDays\nAda\t30\nBen\t28"


def test_a_page_that_viewers_turn_is_read_turned(tmp_path: Path):
    document = pymupdf.open()
    page = document.new_page(width=600, height=600)
    page.insert_text((100, 500), "Upwards", rotate=90)
    page.insert_text((120, 500), "and on", rotate=90)
    page.set_rotation(90)
    assert text_of(tmp_path, document).split() == ["Upwards", "and", "on"]


def test_the_number_of_a_list_and_its_text_are_one_paragraph(tmp_path: Path):
    document = pymupdf.open()
    page = document.new_page()
    write(page, 72, 100, "(1)")
    write(page, 120, 100, "Whoever is ill for more than three days brings a note of the", "doctor.")
    write(page, 72, 128, "(2)")
    write(page, 120, 128, "The note is kept.")
    assert text_of(tmp_path, document).splitlines() == [
        "(1) Whoever is ill for more than three days brings a note of the doctor.", "(2) The note is kept.",
    ]  # fmt: skip


def test_comments_come_after_the_text(tmp_path: Path):
    document = pymupdf.open()
    page = document.new_page()
    write(page, 72, 72, "The draft is final.")
    note = page.add_text_annot((300, 72), "Not before the board has met.")
    note.set_info(title="Ada")
    note.update()
    assert text_of(tmp_path, document) == "The draft is final.\n\nComment (Ada): Not before the board has met."


def test_values_of_a_form_are_text(tmp_path: Path):
    document = pymupdf.open()
    page = document.new_page()
    write(page, 72, 72, "Name")
    field: Any = pymupdf.Widget()  # its attributes are typed as None
    field.field_name, field.field_value = "name", "Ada Miller"
    field.field_type, field.rect = mupdf.PDF_WIDGET_TYPE_TEXT, pymupdf.Rect(120, 60, 300, 78)
    page.add_widget(field)
    assert text_of(tmp_path, document).split() == ["Name", "Ada", "Miller"]


def test_a_page_that_cannot_be_read_costs_only_itself(tmp_path: Path):
    document = pymupdf.open()
    for number in range(1, 5):
        write(document.new_page(), 72, 72, f"This is sheet {number}")
    document.update_object(document.page_xref(1), "null")
    extraction, pages = read(tmp_path, document.tobytes(garbage=0))
    assert [page.text for page in pages] == ["This is sheet 1", "", "This is sheet 3", "This is sheet 4"]
    assert extraction.warnings == ["Page 2: damaged, no text could be read. Print the file to a new PDF."]
