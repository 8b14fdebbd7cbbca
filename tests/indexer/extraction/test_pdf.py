"""PDF files, page by page."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pymupdf
import pytest
from pymupdf import mupdf

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.formats.pdf.extractor import PdfExtractor
from rag.errors import ExtractionError
from rag.types.documents import Page

SENTENCE = "Employees may carry over up to five days of unused leave into the next calendar year."


def read(folder: Path, document: pymupdf.Document) -> tuple[Extraction, list[Page]]:
    path = folder / "report.pdf"
    document.save(path)
    document.close()
    return read_file(path)


def read_file(path: Path) -> tuple[Extraction, list[Page]]:
    extraction = PdfExtractor().extract(path, ExtractionContext())
    return extraction, list(extraction.pages)


def write(page: pymupdf.Page, x: float, y: float, *lines: str, size: float = 11, font: str = "helv") -> float:
    """Draws lines under one another and gives the baseline of the next."""
    for line in lines:
        page.insert_text((x, y), line, fontsize=size, fontname=font)
        y += 1.25 * size
    return y


def code_of(path: Path) -> str:
    with pytest.raises(ExtractionError) as raised:
        list(PdfExtractor().extract(path, ExtractionContext()).pages)
    assert raised.value.failure.remedy
    return raised.value.failure.code


def test_each_page_has_its_number_and_its_printed_label(tmp_path: Path):
    document = pymupdf.open()
    for name in ("Preface", "Contents", "Start", "Next"):
        write(document.new_page(), 72, 72, name)
    document.set_page_labels(
        [
            {"startpage": 0, "prefix": "", "style": "r", "firstpagenum": 3},
            {"startpage": 2, "prefix": "A-", "style": "D", "firstpagenum": 1},
        ]
    )
    extraction, pages = read(tmp_path, document)
    assert extraction.paged
    assert [(page.number, page.label, page.text) for page in pages] == [
        (1, "iii", "Preface"), (2, "iv", "Contents"), (3, "A-1", "Start"), (4, "A-2", "Next"),
    ]  # fmt: skip


def test_lines_of_a_paragraph_are_joined_and_words_mended(tmp_path: Path):
    document = pymupdf.open()
    page = document.new_page()
    y = write(
        page,
        72,
        72,
        "Employees may carry over up to five days of leave that is",
        "not used, if the head of the depart-",
    )
    y = write(page, 72, y, "ment agrees.", "Ask for part E-", "1047 at the desk, which is open from eight to four.")
    write(page, 72, y + 14, "A new paragraph.")
    _, [read_page] = read(tmp_path, document)
    assert read_page.text.splitlines() == [
        "Employees may carry over up to five days of leave that is not used, if the head of the department agrees.",
        "Ask for part E-",
        "1047 at the desk, which is open from eight to four.",
        "",
        "A new paragraph.",
    ]


def test_rows_of_a_table_stay_rows(tmp_path: Path):
    document = pymupdf.open()
    page = document.new_page()
    for row, cells in enumerate([("Grade", "Days"), ("A", "30"), ("B", "28")]):
        for column, cell in enumerate(cells):
            write(page, 72 + 150 * column, 72 + 14 * row, cell)
    _, [read_page] = read(tmp_path, document)
    assert read_page.text == "Grade\tDays\nA\t30\nB\t28"


def test_dot_leaders_are_shortened(tmp_path: Path):
    document = pymupdf.open()
    write(document.new_page(), 72, 72, "1 Leave " + ". " * 40 + "7")
    _, [read_page] = read(tmp_path, document)
    assert read_page.text == "1 Leave … 7"


def test_columns_that_the_file_interleaves_are_read_one_after_the_other(tmp_path: Path):
    document = pymupdf.open()
    page = document.new_page()
    write(page, 72, 60, "A title that goes over the whole width of both of the columns below it")
    for row in range(12):
        write(page, 72, 90 + 14 * row, f"left column line number {row:02d} and")
        write(page, 320, 95 + 14 * row, f"right column line number {row:02d} or")
    _, [read_page] = read(tmp_path, document)
    assert read_page.text.index("left column line number 11") < read_page.text.index("right column line number 00")


def test_code_keeps_its_lines_and_comments_are_no_headings(tmp_path: Path):
    document = pymupdf.open()
    write(
        document.new_page(), 72, 72, "# install it", "pip install footnote and a few words to fill", "run", font="cour"
    )
    _, [read_page] = read(tmp_path, document)
    assert read_page.text == "    # install it\npip install footnote and a few words to fill\nrun"


def test_the_outline_gives_headings_on_the_page_and_in_front_of_the_next(tmp_path: Path):
    document = pymupdf.open()
    first = document.new_page()
    y = write(first, 72, 72, "1 Leave")
    y = write(first, 72, y + 14, SENTENCE)
    y = write(first, 72, y + 14, "1.1 Carry over")
    write(first, 72, y + 14, SENTENCE)
    second = document.new_page()
    y = write(second, 72, 72, SENTENCE)
    write(second, 72, y + 14, "2 Travel")
    document.set_toc([[1, "Leave", 1], [2, "1.1 Carry over", 1], [1, "2 Travel", 2]])
    _, pages = read(tmp_path, document)
    assert [page.headings for page in pages] == [(), ("1 Leave", "1.1 Carry over")]
    assert [line for page in pages for line in page.text.splitlines() if line.startswith("#")] == [
        "# 1 Leave", "## 1.1 Carry over", "# 2 Travel",
    ]  # fmt: skip


def test_an_outline_entry_that_is_not_on_its_page_counts_from_the_top(tmp_path: Path):
    document = pymupdf.open()
    write(document.new_page(), 72, 72, SENTENCE)
    document.set_toc([[1, "A picture of a heading", 1]])
    _, [page] = read(tmp_path, document)
    assert page.headings == ("A picture of a heading",)


def test_without_an_outline_the_size_of_the_type_tells_headings(tmp_path: Path):
    document = pymupdf.open()
    first = document.new_page()
    y = write(first, 72, 80, "Leave policy", size=24)
    y = write(first, 72, y + 20, *[SENTENCE] * 3)
    y = write(first, 72, y + 20, "Carry over", size=14)
    write(first, 72, y + 20, *[SENTENCE] * 3)
    write(document.new_page(), 72, 72, *[SENTENCE] * 3)
    extraction, pages = read(tmp_path, document)
    assert extraction.title == "Leave policy"
    assert [line for line in pages[0].text.splitlines() if line.startswith("#")] == ["# Leave policy", "## Carry over"]
    assert pages[1].headings == ("Leave policy", "Carry over")


@pytest.mark.parametrize(
    ("metadata", "title"),
    [
        ("Leave policy 2024", "Leave policy 2024"),
        ("Microsoft Word - leave.doc", ""),
        ("C:\\Users\\ann\\leave", ""),
        ("leave_policy_final", ""),
        ("leave.indd", ""),
        ("Untitled document", ""),
        ("(anonymous)", ""),
        ("2.3.59 (Rev 12/22)", ""),
        ("", ""),
    ],
)
def test_a_title_that_is_unfit_to_show_is_none(tmp_path: Path, metadata: str, title: str):
    document = pymupdf.open()
    write(document.new_page(), 72, 72, SENTENCE)
    document.set_metadata({"title": metadata})
    assert read(tmp_path, document)[0].title == title


def test_a_page_without_text_is_an_empty_page(tmp_path: Path):
    document = pymupdf.open()
    document.new_page()
    write(document.new_page(), 72, 72, "Second")
    _, pages = read(tmp_path, document)
    assert [(page.number, page.text) for page in pages] == [(1, ""), (2, "Second")]


def test_pages_are_read_as_they_are_asked_for(tmp_path: Path):
    document = pymupdf.open()
    for number in range(50):
        write(document.new_page(), 72, 72, f"Page {number}")
    path = tmp_path / "report.pdf"
    document.save(path)
    pages = PdfExtractor().extract(path, ExtractionContext()).pages
    assert [page.text for page in islice(pages, 2)] == ["Page 0", "Page 1"]


def test_a_password_is_named(tmp_path: Path):
    document = pymupdf.open()
    document.new_page()
    path = tmp_path / "locked.pdf"
    document.save(path, encryption=mupdf.PDF_ENCRYPT_AES_256, user_pw="user", owner_pw="owner")
    assert code_of(path) == "encrypted"


def test_an_owners_password_does_not_lock_the_reader_out(tmp_path: Path):
    document = pymupdf.open()
    write(document.new_page(), 72, 72, "For all to read")
    path = tmp_path / "owned.pdf"
    document.save(path, encryption=mupdf.PDF_ENCRYPT_AES_256, owner_pw="owner")
    _, [page] = read_file(path)
    assert page.text == "For all to read"


@pytest.mark.parametrize(
    "broken",
    [
        b"%PDF-1.7",
        b"%PDF-1.7\n%%EOF\n",
        b"<html><body>404</body></html>",
        (
            b"%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
            b"2 0 obj<</Type/Pages/Count 1/Kids[2 0 R]>>endobj\ntrailer<</Root 1 0 R>>"
        ),
    ],
    ids=["header", "end only", "no PDF", "page tree in a circle"],
)
def test_damage_is_reported_and_not_raised_as_something_else(tmp_path: Path, broken: bytes):
    path = tmp_path / "broken.pdf"
    path.write_bytes(broken)
    assert code_of(path) == "damaged"


def test_half_a_file_is_damaged(tmp_path: Path):
    document = pymupdf.open()
    write(document.new_page(), 72, 72, SENTENCE)
    whole = document.tobytes()
    path = tmp_path / "half.pdf"
    path.write_bytes(whole[: len(whole) // 3])
    assert code_of(path) == "damaged"


def test_a_file_that_is_cut_off_behind_some_pages_gives_them_and_is_to_be_copied_again(tmp_path: Path):
    document = pymupdf.open()
    for _ in range(9):
        write(document.new_page(), 72, 72, SENTENCE)
    whole = document.tobytes()
    cut, padded = tmp_path / "cut.pdf", tmp_path / "padded.pdf"
    cut.write_bytes(whole[: whole.index(b"xref")])
    padded.write_bytes(whole + b"\n<html>Bad gateway</html>\n" * 200)
    for path, is_cut_off in ((cut, True), (padded, False)):
        extraction = PdfExtractor().extract(path, ExtractionContext())
        assert SENTENCE in next(extraction.pages).text
        assert any("Copy it again from where it came from." in said for said in extraction.warnings) is is_cut_off


def test_the_library_prints_nothing_about_damage(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    path = tmp_path / "broken.pdf"
    path.write_bytes(b"%PDF-1.7\n1 0 obj\n<<")
    assert code_of(path) == "damaged"
    assert capfd.readouterr() == ("", "")
