"""Pages without a text layer are read by OCR."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest

from indexer.extraction.base import ExtractionContext
from indexer.extraction.formats.pdf import ocr as pdf_ocr
from indexer.extraction.formats.pdf.extractor import PdfExtractor
from indexer.extraction.ocr import languages as ocr_languages
from indexer.extraction.ocr.languages import check_languages, data_folder, installed_languages
from indexer.extraction.ocr.tesseract import MAX_PIXELS, Recogniser
from rag.errors import ConfigurationError
from rag.types.documents import Page
from tests.indexer.extraction.scans import LINES, SIZE, TEXT, photograph, picture, printed, scanned, write


def read(
    folder: Path, document: pymupdf.Document, *, context: ExtractionContext | None = None
) -> tuple[list[Page], list[str]]:
    path = folder / "scan.pdf"
    document.save(path)
    document.close()
    extraction = PdfExtractor().extract(path, context or ExtractionContext())
    return list(extraction.pages), extraction.warnings


def words(page: Page) -> str:
    return " ".join(page.text.split())


@pytest.mark.parametrize("turn", [0, 90, 180, 270, 5, 187])
def test_a_scan_is_read_whichever_way_it_lay(tmp_path: Path, turn: int):
    [page], warnings = read(tmp_path, scanned(picture(printed(), turn=turn)))
    assert words(page) == TEXT
    assert page.ocr
    assert warnings == ["Page 1: scanned; read by OCR."]


def test_pages_with_text_are_not_scans(tmp_path: Path):
    document = scanned(picture(printed()))
    write(document.new_page(), ["This page has a text layer."])
    pages, _ = read(tmp_path, document)
    assert [page.ocr for page in pages] == [True, False]
    assert pages[1].text == "This page has a text layer."


def test_columns_of_a_scan_are_read_one_after_the_other(tmp_path: Path):
    columns = printed([f"left column line {row}" for row in "abcdefgh"], size=11)
    write(columns[0], [f"right column line {row}" for row in "abcdefgh"], x=230, size=11)
    [page], _ = read(tmp_path, scanned(picture(columns, dpi=200), dpi=200))
    assert page.text.index("left column line h") < page.text.index("right column line a")


def test_cells_of_a_scanned_table_stay_apart(tmp_path: Path):
    table = printed(["Grade", "Junior", "Senior"], size=12)
    write(table[0], ["Days of leave", "twenty", "thirty"], x=220, size=12)
    [page], _ = read(tmp_path, scanned(picture(table)))
    assert "Senior\tthirty" in page.text


def test_what_is_set_large_on_a_scan_is_a_heading(tmp_path: Path):
    sheet = printed(["Leave policy"], size=30)
    write(sheet[0], LINES, y=120)
    [page], _ = read(tmp_path, scanned(picture(sheet)))
    assert page.text.splitlines()[0] == "# Leave policy"


def test_a_blank_page_is_blank_and_a_picture_without_letters_is_named(tmp_path: Path):
    document = scanned(photograph())
    document.new_page()
    pages, warnings = read(tmp_path, document)
    assert [(page.text, page.ocr) for page in pages] == [("", False), ("", False)]
    [warning] = warnings
    assert warning.startswith("Page 1: no text layer, and OCR finds no letters in the picture. It reads eng; another")


def test_without_languages_scans_are_named_and_not_read(tmp_path: Path):
    document = scanned(picture(printed()), picture(printed()))
    document.new_page()
    pages, [warning] = read(tmp_path, document, context=ExtractionContext(ocr_languages=()))
    assert [page.text for page in pages] == ["", "", ""]
    assert warning.startswith("Pages 1–2: no text layer") and "FOOTNOTE_OCR_LANGUAGES" in warning


def test_a_stamp_over_a_scan_does_not_pass_for_its_text(tmp_path: Path):
    document = scanned(picture(printed()))
    write(document[0], ["RECEIVED 3 May"], y=200, size=10)
    [page], _ = read(tmp_path, document)
    assert page.ocr and "five days of unused leave" in words(page) and "RECEIVED" in page.text


def test_a_title_on_a_picture_is_not_read_twice(tmp_path: Path):
    document = scanned(photograph())
    write(document[0], ["Autumn programme"])
    [page], warnings = read(tmp_path, document)
    assert (page.text, page.ocr, warnings) == ("Autumn programme", False, [])


def test_pages_for_which_there_is_no_time_are_named(tmp_path: Path):
    document = scanned(picture(printed()), picture(printed()))
    pages, [warning] = read(tmp_path, document, context=ExtractionContext(ocr_until=0))
    assert [page.text for page in pages] == ["", ""]
    assert warning.startswith("Pages 1–2: not read by OCR") and "FOOTNOTE_FILE_SECONDS" in warning


def test_a_page_of_any_size_is_drawn_with_so_many_pixels_at_most():
    with pymupdf.open() as document:
        page = document.new_page(width=14_400, height=14_400)
        drawn = pdf_ocr.picture_of(page, 0)
    assert drawn.width * drawn.height <= 1.001 * MAX_PIXELS


def test_a_finely_scanned_small_sheet_is_drawn_finely():
    with scanned(picture(printed(), dpi=300), dpi=300) as document:
        drawn = pdf_ocr.picture_of(document[0], 0)
    assert (drawn.width, drawn.height) == pytest.approx((SIZE[0] * 300 / 72, SIZE[1] * 300 / 72), abs=2)


def test_a_language_that_is_not_installed_is_told_with_what_to_install():
    with pytest.raises(ConfigurationError, match=r"FOOTNOTE_OCR_LANGUAGES names 'tlh'.*tessdata\.fast-tlh"):
        check_languages(["eng", "tlh"])


def test_data_of_orientation_is_no_language():
    installed = installed_languages(ocr_languages.data_folders())
    assert "eng" in installed and "osd" not in installed


def test_languages_from_two_folders_are_brought_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    eng = installed_languages(ocr_languages.data_folders())["eng"]
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.traineddata").symlink_to(eng)
    monkeypatch.setattr(ocr_languages, "data_folders", lambda: (tmp_path / "one", tmp_path / "two"))
    with data_folder(["one", "two"]) as folder:
        assert sorted(file.name for file in folder.iterdir()) == ["one.traineddata", "two.traineddata"]
    assert not folder.exists()
    with Recogniser(ExtractionContext(ocr_languages=("one", "two"))):
        pass
