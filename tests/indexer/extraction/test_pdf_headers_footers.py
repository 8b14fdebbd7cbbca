"""Running headers, footers and page numbers of a PDF."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pymupdf

from indexer.extraction.markdown.page_ranges import pages_named
from tests.indexer.extraction.printed import SENTENCE, read, write


def a_book(pages: int, furnish: Callable[[pymupdf.Page, int], None]) -> pymupdf.Document:
    """A book whose pages are furnished with what runs through it, and say something of their own."""
    document = pymupdf.open()
    for number in range(1, pages + 1):
        page = document.new_page()
        write(page, 72, 200, f"Topic {number * number} comes first.", *[SENTENCE] * 3)
        furnish(page, number)
    return document


def texts(folder: Path, document: pymupdf.Document) -> list[str]:
    _, pages = read(folder, document)
    return [page.text for page in pages]


def test_what_every_page_bears_is_kept_once(tmp_path: Path):
    read_texts = texts(tmp_path, a_book(5, lambda page, _: (write(page, 72, 40, "Fenwick Paper Ltd"), None)[1]))
    assert ["Fenwick" in text for text in read_texts] == [True, False, False, False, False]
    assert [text.count("comes first") for text in read_texts] == [1] * 5


def test_page_numbers_are_left_out_and_told_beside_the_page(tmp_path: Path):
    _, pages = read(tmp_path, a_book(6, lambda page, number: (write(page, 300, 800, str(number + 8)), None)[1]))
    assert [page.label for page in pages] == ["9", "10", "11", "12", "13", "14"]
    assert all(page.text.endswith("year.") for page in pages)


def test_page_numbers_in_roman_count_too(tmp_path: Path):
    roman = ["iii", "iv", "v", "vi"]
    _, pages = read(tmp_path, a_book(4, lambda page, number: (write(page, 300, 800, roman[number - 1]), None)[1]))
    assert [page.label for page in pages] == roman


def test_left_and_right_pages_may_differ(tmp_path: Path):
    def furnish(page: pymupdf.Page, number: int) -> None:
        write(page, 72, 40, f"{number} The left title" if number % 2 else f"The right title {number}")

    assert sum("title" in text for text in texts(tmp_path, a_book(8, furnish))) == 2


def test_a_footer_with_the_number_of_all_pages_counts(tmp_path: Path):
    read_texts = texts(tmp_path, a_book(5, lambda page, at: (write(page, 72, 800, f"Page {at} of 5"), None)[1]))
    assert not any("of 5" in text for text in read_texts)


def test_a_short_document_keeps_what_its_pages_share(tmp_path: Path):
    read_texts = texts(tmp_path, a_book(2, lambda page, _: (write(page, 72, 40, "Fenwick Paper Ltd"), None)[1]))
    assert all("Fenwick" in text for text in read_texts)


def test_amounts_at_the_same_place_of_each_page_are_not_taken_for_a_header(tmp_path: Path):
    def furnish(page: pymupdf.Page, number: int) -> None:
        write(page, 72, 40, f"Sales of {1000 + 37 * number} crates")

    assert all("crates" in text for text in texts(tmp_path, a_book(6, furnish)))


def test_the_title_of_a_slide_that_goes_on_is_kept(tmp_path: Path):
    def furnish(page: pymupdf.Page, number: int) -> None:
        write(page, 72, 60, "Results" if number in {4, 5, 6} else f"Part {number * number}", size=28)

    assert sum("Results" in text for text in texts(tmp_path, a_book(20, furnish))) == 3


def test_a_page_that_bears_nothing_else_keeps_it(tmp_path: Path):
    document = pymupdf.open()
    for number in range(1, 6):
        write(document.new_page(), 72, 40, f"Sheet {number}")
    assert texts(tmp_path, document) == [f"Sheet {number}" for number in range(1, 6)]


def test_pages_are_named_in_ranges():
    assert pages_named([3]) == "Page 3"
    assert pages_named([9, 3, 4, 5]) == "Pages 3–5, 9"
    assert pages_named([3, 4]) == "Pages 3–4"
