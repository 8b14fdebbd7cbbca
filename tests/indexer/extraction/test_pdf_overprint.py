"""Words of a PDF that are drawn more than once, or that its structure would have read as nothing."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest

from tests.indexer.extraction.printed import SENTENCE, text_of, write


@pytest.mark.parametrize("steps", [(0.3, 0.3), (1.2, 1.2), (0.3, 0.0)])
def test_a_line_that_is_drawn_again_a_hair_apart_is_read_once(tmp_path: Path, steps: tuple[float, float]):
    document = pymupdf.open()
    page = document.new_page()
    for times in range(3):
        write(page, 72 + times * steps[0] / 2, 100 + times * steps[1] / 2, "Holiday rules", size=16)
    assert text_of(tmp_path, document) == "Holiday rules"


def test_figures_that_stand_next_to_each_other_are_no_doubles(tmp_path: Path):
    document = pymupdf.open()
    page = document.new_page()
    for row in range(4):
        for column in range(4):
            write(page, 72 + 60 * column, 100 + 13 * row, "0")
    assert text_of(tmp_path, document).split() == ["0"] * 16


def tagged(reading: str) -> pymupdf.Document:
    """A page that is one element of the document's structure, which is to be read like this."""
    document = pymupdf.open()
    page = document.new_page()
    write(page, 72, 100, SENTENCE)
    [contents] = page.get_contents()
    document.update_stream(contents, b"/Span <</MCID 0>> BDC\n" + (document.xref_stream(contents) or b"") + b"\nEMC")
    root, element = document.get_new_xref(), document.get_new_xref()
    document.update_object(
        element,
        f"<</Type/StructElem/S/Span/P {root} 0 R/ActualText{reading}/K 0/Pg {page.xref} 0 R>>",
    )
    document.update_object(root, f"<</Type/StructTreeRoot/K[{element} 0 R]/ParentTree<</Nums[0[{element} 0 R]]>>>>")
    document.xref_set_key(page.xref, "StructParents", "0")
    document.xref_set_key(document.pdf_catalog(), "StructTreeRoot", f"{root} 0 R")
    return document


@pytest.mark.parametrize("reading", ["( )", "()", "<feff00a0>"])
def test_words_whose_element_is_to_be_read_as_nothing_are_read_as_they_are_drawn(tmp_path: Path, reading: str):
    assert text_of(tmp_path, tagged(reading)) == SENTENCE


def test_a_reading_that_says_something_takes_the_place_of_what_is_drawn(tmp_path: Path):
    assert text_of(tmp_path, tagged("(Five days)")) == "Five days"
