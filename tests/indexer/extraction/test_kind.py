"""The format of a file is told by its content."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import docx
import pymupdf
import pytest

from indexer.extraction import EXTRACTORS, extractor_for
from indexer.extraction.kind import kind_of
from rag.errors import ExtractionError


def written(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def pdf_bytes() -> bytes:
    with pymupdf.open() as document:
        document.new_page()
        return document.tobytes()


def docx_bytes() -> bytes:
    buffer = io.BytesIO()
    docx.Document().save(buffer)
    return buffer.getvalue()


def zip_bytes(**members: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/").replace("_xml", ".xml"), content)
    return buffer.getvalue()


def ole_bytes(stream: str) -> bytes:
    """A container with one directory sector, as old Office files and encrypted new ones have it."""
    header = bytearray(512)
    header[:8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    header[30:32] = (9).to_bytes(2, "little")
    header[48:52] = (0).to_bytes(4, "little")
    return bytes(header) + stream.encode("utf-16-le").ljust(512, b"\x00")


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("report.txt", pdf_bytes(), "pdf"),
        ("junk in front.pdf", b"\x00junk\n" + pdf_bytes(), "pdf"),
        ("report.pdf", docx_bytes(), "docx"),
        ("error page.pdf", b"\n<!-- proxy -->\n<!DOCTYPE html><html><body>404</body></html>", "html"),
        ("page.xhtml", b'<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml"></html>', "html"),
        ("wide.html", "<html><body>Grüße</body></html>".encode("utf-16"), "html"),
        ("fragment.htm", b"<p>Hello</p>", "html"),
        ("README.md", b"# Title\n", "markdown"),
        ("remarks.md", b"<!-- remark -->\n" * 60 + b"# Title\n", "markdown"),
        ("README", b"# Title\n", "text"),
        ("deploy.py", b"import os\n", "text"),
        ("about html.txt", b"The tag <html> opens a page.\n", "text"),
        ("about pdf.txt", b"A PDF begins with %PDF-1.7.\n", "text"),
        ("BMW.txt", b"BMW is a maker of cars.\n", "text"),
        ("russian.txt", "Все люди рождаются свободными".encode("cp1251"), "text"),
        ("japanese.txt", "稟議書の決裁は部長が行う。".encode("shift_jis"), "text"),
        ("nul.txt", b"Part number\x00 AX-4711/B is approved.\x00\n", "text"),
        ("quoted mail.txt", b"From: Ann\nSubject: Lunch\n\nHi!\n", "text"),
        ("mail.txt", b"From: a@example.org\nTo: b@example.org\nSubject: x\nMessage-ID: <1>\n\nHi!\n", "eml"),
        ("sheet", zip_bytes(xl__workbook_xml=b"<workbook/>"), "xlsx"),
        ("slides", zip_bytes(ppt__presentation_xml=b"<presentation/>"), "pptx"),
        ("letter.odt", zip_bytes(mimetype=b"application/vnd.oasis.opendocument.text"), "odt"),
        ("archive.docx", zip_bytes(readme=b"nothing from Word"), "zip"),
        ("old.doc", ole_bytes("WordDocument"), "doc"),
        ("old.xls", ole_bytes("Workbook"), "xls"),
        ("note.rtf", b"{\\rtf1 Hello}", "rtf"),
        ("photo", b"\xff\xd8\xff\xe0\x00\x10JFIF", "jpeg"),
        ("drawing.webp", b"RIFF\x00\x00\x00\x00WEBPVP8 ", "webp"),
    ],
)
def test_content_decides(tmp_path: Path, name: str, content: bytes, kind: str):
    assert kind_of(written(tmp_path, name, content)) == kind


@pytest.mark.parametrize("content", [bytes(range(256)) * 40, ole_bytes("Catalog"), b"\x00\x00\x00\x01Bud1\x00\x00\x10"])
def test_bytes_of_no_known_format_are_no_kind(tmp_path: Path, content: bytes):
    assert kind_of(written(tmp_path, "Thumbs.txt", content)) is None


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "empty_file"),
        (docx_bytes()[:900], "damaged"),
        (ole_bytes("EncryptedPackage"), "encrypted"),
    ],
)
def test_what_cannot_be_read_is_said_with_a_code(tmp_path: Path, content: bytes, code: str):
    with pytest.raises(ExtractionError) as raised:
        kind_of(written(tmp_path, "report.docx", content))
    assert raised.value.failure.code == code


def test_a_file_that_is_gone_is_unreadable(tmp_path: Path):
    with pytest.raises(ExtractionError) as raised:
        kind_of(tmp_path / "gone.txt")
    assert raised.value.failure.code == "unreadable"


def test_each_kind_has_one_extractor():
    kinds = [kind for extractor in EXTRACTORS for kind in extractor.kinds]
    assert sorted(kinds) == ["docx", "html", "markdown", "pdf", "text"]
    assert all(kind in extractor_for(kind).kinds for kind in kinds)


def test_a_kind_that_is_not_read_yet_is_named():
    with pytest.raises(ExtractionError, match="xlsx") as raised:
        extractor_for("xlsx")
    assert raised.value.failure.code == "unsupported"


def test_no_kind_is_no_text():
    with pytest.raises(ExtractionError) as raised:
        extractor_for(None)
    assert raised.value.failure.code == "not_text"
