"""Documents and slides that are nothing but pictures."""

from __future__ import annotations

import io
from math import inf
from pathlib import Path

import docx
import pptx
import pymupdf
import pytest
from PIL import Image
from pptx.util import Inches

from indexer.extraction.base import ExtractionContext
from indexer.extraction.dispatch import extract_inner
from indexer.extraction.formats.docx.extractor import DocxExtractor
from indexer.extraction.formats.pptx.extractor import PptxExtractor
from indexer.extraction.ocr import pictures
from tests.indexer.extraction.packages import changed


@pytest.fixture(scope="module")
def scan() -> bytes:
    """A picture of one line."""
    document = pymupdf.open()
    page = document.new_page(width=420, height=80)
    page.insert_text((20, 50), "Berth nine is closed", fontsize=28)
    return page.get_pixmap(dpi=150).tobytes("png")


def context(*, languages: tuple[str, ...] = ("eng",), until: float = inf) -> ExtractionContext:
    return ExtractionContext(inner=extract_inner, ocr_languages=languages, ocr_until=until)


def document(folder: Path, scan: bytes, text: str = "") -> Path:
    written = docx.Document()
    written.add_picture(io.BytesIO(scan))
    if text:
        written.add_paragraph(text)
    path = folder / "a.docx"
    written.save(str(path))
    return path


def test_a_document_of_a_scan_is_read_by_ocr(tmp_path: Path, scan: bytes):
    [page] = DocxExtractor().extract(document(tmp_path, scan), context()).pages
    assert page.ocr and page.text == "Berth nine is closed"


@pytest.mark.parametrize(("text", "languages"), [("Closed.", ("eng",)), ("", ())])
def test_pictures_beside_a_text_are_not_read_nor_any_without_ocr(
    tmp_path: Path, scan: bytes, text: str, languages: tuple[str, ...]
):
    [page] = DocxExtractor().extract(document(tmp_path, scan, text), context(languages=languages)).pages
    assert not page.ocr and page.text == text


def deck(folder: Path, scan: bytes) -> Path:
    shown = pptx.Presentation()
    shown.slides.add_slide(shown.slide_layouts[5]).shapes.title.text = "Plan"  # pyright: ignore[reportOptionalMemberAccess]  # the layout has one
    shown.slides.add_slide(shown.slide_layouts[6]).shapes.add_picture(io.BytesIO(scan), Inches(1), Inches(1))
    path = folder / "a.pptx"
    shown.save(str(path))
    return path


def test_a_slide_of_a_picture_is_read_by_ocr(tmp_path: Path, scan: bytes):
    pages = list(PptxExtractor().extract(deck(tmp_path, scan), context()).pages)
    assert [(page.text, page.ocr) for page in pages] == [("# Plan", False), ("Berth nine is closed", True)]


def test_pictures_for_which_no_time_is_left_are_a_warning(tmp_path: Path, scan: bytes):
    extraction = PptxExtractor().extract(deck(tmp_path, scan), context(until=0))
    assert [page.text for page in extraction.pages] == ["# Plan", ""]
    assert any("FOOTNOTE_FILE_SECONDS" in warning for warning in extraction.warnings)


def test_a_broken_picture_costs_only_itself(tmp_path: Path, scan: bytes):
    path = changed(deck(tmp_path, scan), {"ppt/media/image1.png": b"\x89PNG\r\n\x1a\n" + b"broken" * 1000})
    extraction = PptxExtractor().extract(path, context())
    assert [page.text for page in extraction.pages] == ["# Plan", ""]
    assert any("image1.png" in warning for warning in extraction.warnings)


def test_pictures_beyond_the_most_that_are_read_are_counted_without_icons(
    tmp_path: Path, scan: bytes, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(pictures, "_MOST_A_PAGE", 1)
    path = document(tmp_path, scan)
    written = docx.Document(str(path))
    for shade in (10, 20, 30):
        icon = io.BytesIO()
        Image.new("L", (8, 8), shade).save(icon, "png")
        written.add_picture(icon)
    for side in (700, 701):
        noise = io.BytesIO()
        Image.effect_noise((side, 20), 60).save(noise, "png")
        written.add_picture(noise)
    written.save(str(path))
    extraction = DocxExtractor().extract(path, context())
    assert [page.text for page in extraction.pages] == ["Berth nine is closed"]
    assert extraction.warnings == ["Of the pictures of a page, only the first 1 were read by OCR, 2 were left out."]
