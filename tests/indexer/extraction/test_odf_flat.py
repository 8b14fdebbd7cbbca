"""OpenDocument files that are one XML file."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.detect.kind import kind_of
from indexer.extraction.formats.odf.flat import FlatOdfExtractor
from rag.errors import ExtractionError
from tests.indexer.extraction.opendocument import NAMES


def read(folder: Path, inside: str) -> tuple[Extraction, list[str]]:
    path = folder / "a.fodt"
    path.write_text(f'<?xml version="1.0"?><office:document {NAMES}>{inside}', encoding="utf-8")
    assert kind_of(path) == "flat-odf"
    extraction = FlatOdfExtractor().extract(path, ExtractionContext())
    return extraction, [page.text for page in extraction.pages]


def whole(body: str) -> str:
    meta = "<office:meta><dc:title>Harbour rates</dc:title></office:meta>"
    header = "<style:master-page><style:header><text:p>Form 17</text:p></style:header></style:master-page>"
    masters = f"<office:master-styles>{header}</office:master-styles>"
    return f"{meta}{masters}<office:body>{body}</office:body></office:document>"


def test_a_text_is_one_page_with_its_header(tmp_path: Path):
    extraction, texts = read(tmp_path, whole("<office:text><text:p>Nine coins.</text:p></office:text>"))
    assert (extraction.title, extraction.paged, texts) == ("Harbour rates", False, ["Nine coins.\n\nForm 17"])


def test_a_presentation_has_its_slides(tmp_path: Path):
    box = "<draw:frame><draw:text-box><text:p>Nine coins.</text:p></draw:text-box></draw:frame>"
    slides = f"<draw:page>{box}</draw:page><draw:page/>"
    extraction, texts = read(tmp_path, whole(f"<office:presentation>{slides}</office:presentation>"))
    assert extraction.paged and texts == ["Nine coins.", ""]


def test_a_spreadsheet_has_its_sheets(tmp_path: Path):
    def row(text: str) -> str:
        return f"<table:table-row><table:table-cell><text:p>{text}</text:p></table:table-cell></table:table-row>"

    chart = f"<table:table table:name='local-table'>{row('Total')}</table:table>"
    shapes = f"<table:shapes><draw:frame><draw:object>{chart}</draw:object></draw:frame></table:shapes>"
    sheets = "".join(
        f"<table:table table:name='{name}'>{shapes}{row(name.upper())}</table:table>" for name in ("Rates", "Berths")
    )
    extraction, texts = read(tmp_path, whole(f"<office:spreadsheet>{sheets}</office:spreadsheet>"))
    assert (extraction.title, extraction.paged) == ("Harbour rates", True)
    assert texts == ["# Rates\n\nRATES", "# Berths\n\nBERTHS"]


def test_deleted_text_that_stayed_in_its_place_is_left_out(tmp_path: Path):
    region = "<text:changed-region text:id='c{}'><text:{}/></text:changed-region>"
    changes = (
        f"<text:tracked-changes>{region.format(1, 'deletion')}{region.format(2, 'insertion')}</text:tracked-changes>"
    )
    gone = "<text:change-start text:change-id='c1'/>ten <text:span>old</text:span> coins"
    added = "<text:change-start text:change-id='c2'/>nine<text:change-end text:change-id='c2'/>"
    first = f"<text:p>Pay {gone}</text:p><text:p>or less</text:p>"
    second = f"<text:p>in gold<text:change-end text:change-id='c1'/>{added} coins.</text:p>"
    texts = read(tmp_path, whole(f"<office:text>{changes}{first}{second}</office:text>"))[1]
    assert texts == ["Pay\n\nnine coins.\n\nForm 17"]


def test_a_file_that_is_cut_off_is_damaged(tmp_path: Path):
    with pytest.raises(ExtractionError) as raised:
        read(tmp_path, "<office:body><office:text>")
    assert raised.value.failure.code == "damaged"
