"""Electronic books."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from indexer.extraction.base import ExtractionContext
from indexer.extraction.detect.kind import kind_of
from indexer.extraction.formats.markup import epub
from indexer.extraction.formats.markup.epub import EpubExtractor
from rag.errors import ExtractionError
from tests.indexer.extraction.packages import package

CONTAINER = '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>'
BOOK = """<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>The house book</dc:title></metadata>
<manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="b" href="text/second%20one.xhtml" media-type="application/xhtml+xml"/>
<item id="a" href="text/first.xhtml" media-type="application/xhtml+xml"/>
<item id="css" href="a.css" media-type="text/css"/></manifest>
<spine><itemref idref="nav"/><itemref idref="a"/><itemref idref="b"/></spine></package>"""


def book(folder: Path, parts: Mapping[str, str] | None = None) -> Path:
    return package(
        folder / "book.epub",
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": CONTAINER,
            "OPS/book.opf": BOOK,
            "OPS/nav.xhtml": "<html><body><nav><ol><li><a href='x'>Leave</a></li></ol></nav></body></html>",
            "OPS/text/first.xhtml": "<html><body><h1>Leave</h1><p>Five days.</p><aside>A remark.</aside></body></html>",
            "OPS/text/second one.xhtml": "<html><body><h1>Travel</h1><p>By train.</p></body></html>",
            **(parts or {}),
        },
    )


def encryption(algorithm: str) -> Mapping[str, str]:
    method = f'<EncryptedData><EncryptionMethod Algorithm="{algorithm}"/></EncryptedData>'
    return {"META-INF/encryption.xml": f"<encryption>{method}</encryption>"}


def test_chapters_are_pages_in_the_order_of_reading(tmp_path: Path):
    path = book(tmp_path)
    assert kind_of(path) == "epub"
    extraction = EpubExtractor().extract(path, ExtractionContext())
    assert (extraction.title, extraction.paged) == ("The house book", False)
    pages = [(page.number, page.label, page.text) for page in extraction.pages]
    assert pages == [
        (1, "Leave", "# Leave\n\nFive days.\n\nA remark."),
        (2, "Travel", "# Travel\n\nBy train."),
    ]


def test_a_book_that_is_locked_is_called_encrypted(tmp_path: Path):
    with pytest.raises(ExtractionError) as raised:
        EpubExtractor().extract(
            book(tmp_path, encryption("http://www.w3.org/2001/04/xmlenc#aes128-cbc")), ExtractionContext()
        )
    assert raised.value.failure.code == "encrypted"


def test_garbled_fonts_lock_nothing(tmp_path: Path):
    path = book(tmp_path, encryption("http://www.idpf.org/2008/embedding"))
    assert len(list(EpubExtractor().extract(path, ExtractionContext()).pages)) == 2


def test_a_missing_chapter_costs_only_itself(tmp_path: Path):
    path = book(tmp_path, {"OPS/book.opf": BOOK.replace("text/first", "text/gone")})
    extraction = EpubExtractor().extract(path, ExtractionContext())
    assert [page.label for page in extraction.pages] == ["Travel"]
    assert extraction.warnings == ["The chapter gone.xhtml is missing."]


def test_a_book_without_its_list_is_damaged(tmp_path: Path):
    with pytest.raises(ExtractionError) as raised:
        EpubExtractor().extract(package(tmp_path / "b.epub", {"mimetype": "application/epub+zip"}), ExtractionContext())
    assert raised.value.failure.code == "damaged"


def test_chapters_beyond_the_most_that_are_read_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(epub, "_MAX_CHAPTERS", 1)
    extraction = EpubExtractor().extract(book(tmp_path), ExtractionContext())
    assert [page.label for page in extraction.pages] == ["Leave"]
    assert extraction.warnings == ["Only the first 1 chapters were read, 1 were left out."]


def test_a_damaged_chapter_costs_only_itself(tmp_path: Path):
    path = book(tmp_path)
    with zipfile.ZipFile(path) as archive:
        place = archive.getinfo("OPS/text/first.xhtml").header_offset
    raw = bytearray(path.read_bytes())
    data = raw.index(b"first.xhtml", place) + len(b"first.xhtml")
    raw[data + 9] ^= 0xFF
    path.write_bytes(raw)
    extraction = EpubExtractor().extract(path, ExtractionContext())
    assert [page.label for page in extraction.pages] == ["Travel"]
    assert extraction.warnings == ["The chapter first.xhtml is damaged and was left out."]
