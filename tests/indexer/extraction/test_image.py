"""Pictures are read by OCR."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image, ImageOps

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.detect.kind import kind_of
from indexer.extraction.dispatch import extractor_for
from indexer.extraction.formats.image import ImageExtractor
from rag.errors import ExtractionError
from rag.types.documents import Page
from tests.indexer.extraction.scans import TEXT, photograph, picture, printed

EXIF_ORIENTATION = 0x0112
LIES_ON_ITS_LEFT = 6


def read(path: Path, *, context: ExtractionContext | None = None) -> tuple[Extraction, list[Page]]:
    assert isinstance(extractor_for(kind_of(path)), ImageExtractor)
    extraction = ImageExtractor().extract(path, context or ExtractionContext())
    return extraction, list(extraction.pages)


def words(page: Page) -> str:
    return " ".join(page.text.split())


@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.gif", "a.webp", "a.tif", "a.bmp"])
def test_each_format_is_read(tmp_path: Path, name: str):
    picture(printed()).save(tmp_path / name)
    extraction, [page] = read(tmp_path / name)
    assert words(page) == TEXT
    assert page.ocr and not extraction.paged


def test_frames_of_a_tiff_are_pages(tmp_path: Path):
    sheet = picture(printed())
    blank = Image.new("RGB", sheet.size, "white")
    sheet.save(tmp_path / "fax.tif", save_all=True, append_images=[blank, sheet])
    extraction, pages = read(tmp_path / "fax.tif")
    assert extraction.paged
    assert [(page.number, words(page), page.ocr) for page in pages] == [
        (1, TEXT, True),
        (2, "", False),
        (3, TEXT, True),
    ]


def test_frames_of_a_film_are_not(tmp_path: Path):
    sheet = picture(printed()).convert("P")
    sheet.save(tmp_path / "film.gif", save_all=True, append_images=[ImageOps.flip(sheet)])
    extraction, pages = read(tmp_path / "film.gif")
    assert (extraction.paged, [words(page) for page in pages]) == (False, [TEXT])


def test_a_photograph_is_turned_as_the_camera_was_held(tmp_path: Path):
    sheet = picture(printed()).rotate(90, expand=True)
    exif = sheet.getexif()
    exif[EXIF_ORIENTATION] = LIES_ON_ITS_LEFT
    sheet.save(tmp_path / "photo.jpg", exif=exif)
    assert words(read(tmp_path / "photo.jpg")[1][0]) == TEXT


def test_a_small_screenshot_is_read(tmp_path: Path):
    picture(printed(size=11), dpi=96).save(tmp_path / "screen.png")
    assert words(read(tmp_path / "screen.png")[1][0]) == TEXT


@pytest.mark.parametrize("mode", ["1", "L", "P", "CMYK", "I;16", "LA", "RGBA"])
def test_each_way_to_store_colours_is_read(tmp_path: Path, mode: str):
    sheet = picture(printed(), dpi=200).convert("L")
    match mode:
        case "I;16":
            deep = Image.frombytes("I;16", sheet.size, b"".join(bytes((0, level)) for level in sheet.tobytes()))
        case "LA" | "RGBA":  # black ink on a ground that is not there
            ink = Image.merge("LA", [Image.new("L", sheet.size, 0), ImageOps.invert(sheet)])
            deep = ink.convert(mode)
        case _:
            deep = sheet.convert("RGB").convert(mode)
    deep.save(tmp_path / "sheet.tif")
    assert words(read(tmp_path / "sheet.tif")[1][0]) == TEXT


def test_white_letters_on_black_are_read(tmp_path: Path):
    ImageOps.invert(picture(printed())).save(tmp_path / "dark.png")
    assert words(read(tmp_path / "dark.png")[1][0]) == TEXT


def test_a_picture_without_letters_is_an_empty_page(tmp_path: Path):
    photograph().save(tmp_path / "lamp.png")
    extraction, pages = read(tmp_path / "lamp.png")
    assert pages == [Page(number=1, text="")]
    assert extraction.warnings == [
        "Page 1: OCR finds no letters in the picture. It reads eng; another language is set by FOOTNOTE_OCR_LANGUAGES."
    ]


def test_without_languages_a_picture_is_named_and_not_read(tmp_path: Path):
    picture(printed()).save(tmp_path / "sheet.png")
    extraction, pages = read(tmp_path / "sheet.png", context=ExtractionContext(ocr_languages=()))
    assert pages == [Page(number=1, text="")]
    assert "FOOTNOTE_OCR_LANGUAGES" in extraction.warnings[0]


def test_frames_for_which_there_is_no_time_are_named(tmp_path: Path):
    sheet = picture(printed())
    sheet.save(tmp_path / "fax.tif", save_all=True, append_images=[sheet])
    extraction, pages = read(tmp_path / "fax.tif", context=ExtractionContext(ocr_until=0))
    assert [page.text for page in pages] == ["", ""]
    assert extraction.warnings[0].startswith("Pages 1–2: not read by OCR")


@pytest.mark.parametrize("size", [(12_000, 12_000), (20_000, 20_000)])
def test_a_picture_that_would_fill_the_memory_is_refused_unseen(tmp_path: Path, size: tuple[int, int]):
    Image.new("1", size).save(tmp_path / "bomb.png")
    with pytest.raises(ExtractionError) as raised:
        read(tmp_path / "bomb.png")
    assert raised.value.failure.code == "too_large"


@pytest.mark.parametrize("share", [0.02, 0.5])
def test_a_picture_that_is_cut_off_is_damaged(tmp_path: Path, share: float):
    picture(printed()).save(tmp_path / "sheet.png")
    whole = (tmp_path / "sheet.png").read_bytes()
    (tmp_path / "sheet.png").write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(ExtractionError) as raised:
        read(tmp_path / "sheet.png")
    assert raised.value.failure.code == "damaged"
