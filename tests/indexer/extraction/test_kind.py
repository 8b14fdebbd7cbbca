"""The format of a file is told by its content."""

from __future__ import annotations

import contextlib
import io
import math
import random
import struct
import zipfile
import zlib
from pathlib import Path

import docx
import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.extraction import FORMATS
from indexer.extraction.detect import kind
from indexer.extraction.detect.kind import kind_of
from indexer.extraction.dispatch import extractor_for
from rag.errors import ExtractionError

NOISE = random.Random(1).randbytes(20_000)  # noqa: S311  # the same each time


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
    """The smallest container with a stream, as old Office files and encrypted new ones are ([MS-CFB] 2.2, 2.6)."""
    end, free = 0xFFFFFFFE, 0xFFFFFFFF
    signature = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".ljust(24, b"\x00")
    sizes = struct.pack("<5H6x", 0x3E, 3, 0xFFFE, 9, 6)
    places = struct.pack("<9I", 0, 1, 1, 0, 4096, end, 0, end, 0)
    header = signature + sizes + places + struct.pack("<109I", 0, *[free] * 108)
    table = struct.pack("<128I", 0xFFFFFFFD, end, *[free] * 126)
    return header + table + (_entry("Root Entry", 5, child=1) + _entry(stream, 2)).ljust(512, b"\x00")


def _entry(name: str, kind: int, child: int = 0xFFFFFFFF) -> bytes:
    encoded = name.encode("utf-16-le")
    nobody = 0xFFFFFFFF
    start = struct.pack("<HBB3I", len(encoded) + 2, kind, 1, nobody, nobody, child)
    return encoded.ljust(64, b"\x00") + start + bytes(36) + struct.pack("<IQ", 0xFFFFFFFE, 0)


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
        ("locked.docx", ole_bytes("EncryptedPackage"), "protected-office"),
        ("note.rtf", b"{\\rtf1 Hello}", "rtf"),
        ("photo", b"\xff\xd8\xff\xe0\x00\x10JFIF", "jpeg"),
        ("drawing.webp", b"RIFF\x00\x00\x00\x00WEBPVP8 ", "webp"),
        ("mail.msg", ole_bytes("__properties_version1.0"), "msg"),
        ("far.pdf", b"HTTP/1.1 200 OK\r\n" * 200 + pdf_bytes(), "pdf"),
        ("how PDFs work.txt", b"It goes so:\n" * 200 + b"%PDF-1.7\n1 0 obj\nendobj\n", "text"),
        ("settings.ini", "[Größe]\r\nBreite=5\r\n".encode("utf-16-le"), "text"),
        ("data.json", b'{"a": [1, 2, {"b": null}]}', "text"),
        ("feed.xml", b'<?xml version="1.0"?><feed><title>News</title></feed>', "text"),
        ("query.sql", b"SELECT 1;\n", "text"),
        ("drawing.svg", b'<?xml version="1.0"?>\n<!DOCTYPE svg PUBLIC "a" "b">\n<svg width="1"></svg>', "svg"),
        ("photo.heic", b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic", "heic"),
        ("film.txt", b"\x00\x00\x00\x18ftypisom\x00\x00\x02\x00", "mp4"),
        ("song.txt", b"ID3\x04\x00\x00\x00\x00\x00\x00", "mp3"),
        ("ID3 tags.txt", b"ID3 tags are kept in front of the sound.\n", "text"),
        ("setup.log", b"MZ\x90\x00\x03\x00\x00\x00", "exe"),
        ("cache.db", b"SQLite format 3\x00\x10\x00", "sqlite"),
        ("letters.ini", b"\x00\x01\x00\x00\x00\x0f\x00\x80", "font"),
        ("backup.txt", b"readme".ljust(257, b"\x00") + b"ustar\x0000", "tar"),
        ("windows.zip", zip_bytes(**{"word\\document_xml": b"<document/>"}), "docx"),
        (
            "renamed part.docx",
            zip_bytes(
                **{
                    "[Content_Types]_xml": b'<Types><Override ContentType="application/vnd.openxmlformats-'
                    b'officedocument.wordprocessingml.document.main+xml" PartName="/word/document2.xml"/></Types>'
                }
            ),
            "docx",
        ),
        ("empty.docx", b"", "empty"),
    ],
)
def test_content_decides(tmp_path: Path, name: str, content: bytes, kind: str):
    assert kind_of(written(tmp_path, name, content)) == kind


@pytest.mark.parametrize(
    "content",
    [
        bytes(range(256)) * 40,
        ole_bytes("Catalog"),
        b"\x00\x00\x00\x01Bud1\x00\x00\x10",
        struct.pack("<4000h", *[round(9000 * math.sin(place / 7)) for place in range(4000)]),
        NOISE,
        struct.pack("<2000H", *range(0x4E00, 0x4E00 + 2000)),
    ],
    ids=["every byte", "container", "folder settings", "sound", "noise", "counting"],
)
def test_bytes_of_no_known_format_are_no_kind(tmp_path: Path, content: bytes):
    assert kind_of(written(tmp_path, "Thumbs.txt", content)) is None


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (ole_bytes("WordDocument")[:900], "damaged"),
        (ole_bytes("WordDocument")[:48] + b"\xff" * 1500, "damaged"),
        (docx_bytes()[:900], "damaged"),
    ],
)
def test_what_cannot_be_read_is_said_with_a_code(tmp_path: Path, content: bytes, code: str):
    with pytest.raises(ExtractionError) as raised:
        kind_of(written(tmp_path, "report.docx", content))
    assert raised.value.failure.code == code


def test_a_file_that_is_gone_has_vanished(tmp_path: Path):
    with pytest.raises(ExtractionError) as raised:
        kind_of(tmp_path / "gone.txt")
    assert raised.value.failure.code == "vanished"


@pytest.mark.parametrize("suffix", ["txt", "log", "ini", "md", "html"])
def test_the_name_of_a_text_makes_no_text_of_a_binary_file(tmp_path: Path, suffix: str):
    assert kind_of(written(tmp_path, f"a.{suffix}", zlib.compress(NOISE))) is None


@given(st.integers(8, 1535), st.binary(max_size=64))
def test_a_damaged_container_of_old_office_files_never_raises_what_nobody_awaits(
    tmp_path_factory: pytest.TempPathFactory, place: int, noise: bytes
):
    whole = bytearray(ole_bytes("Workbook"))
    whole[place : place + len(noise)] = noise
    path = written(tmp_path_factory.getbasetemp(), "fuzzed.xls", bytes(whole[: 1536 + place % 3]))
    with contextlib.suppress(ExtractionError):
        assert kind_of(path) in {None, "xls", "doc", "msg"}


def test_each_kind_has_one_extractor():
    kinds = [kind for known in FORMATS for kind in known.kinds]
    assert len(kinds) == len(set(kinds))
    assert {"docx", "empty", "html", "markdown", "pdf", "text"} <= set(kinds)
    assert all(extractor_for(kind) is known.extractor for known in FORMATS for kind in known.kinds)


@pytest.mark.parametrize(
    ("kind", "remedy"),
    [("7z", "Unpack"), ("mp4", "transcript"), ("exe", "Leave it out"), ("sqlite", "Export"), ("heic", "PNG")],
)
def test_a_kind_that_is_not_read_is_named_with_what_to_do(kind: str, remedy: str):
    with pytest.raises(ExtractionError, match=f"of the kind {kind} .*{remedy}") as raised:
        extractor_for(kind)
    assert raised.value.failure.code == "unsupported"


def test_no_kind_is_no_text():
    with pytest.raises(ExtractionError) as raised:
        extractor_for(None)
    assert raised.value.failure.code == "not_text"


def test_a_table_under_the_name_of_a_workbook_is_a_table(tmp_path: Path):
    path = tmp_path / "export.xls"
    path.write_text("Berth\tRate\tSince\n" + "North\t9\t2024\n" * 3)
    assert kind_of(path) == "csv"


def test_only_a_workbook_of_excel_is_one(tmp_path: Path):
    path = tmp_path / "view.xml"
    path.write_text("<workbook version='18.1'><datasources/></workbook>")
    assert kind_of(path) == "text"


@pytest.mark.parametrize("name", ["digits.txt", "digits.pdf"])
def test_a_text_of_digits_is_not_searched_for_objects_of_a_pdf(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(kind, "_PDF_OBJECT", None)
    (tmp_path / name).write_bytes(b"7" * 1_000_000)
    assert kind_of(tmp_path / name) == "text"


@pytest.mark.parametrize("start", ["%", "%PDF-", "Digits\n%PDF-1.4\n"])
def test_a_long_number_is_no_number_of_an_object(tmp_path: Path, start: str):
    objects = f"{start}{'7' * 70_000}"
    (tmp_path / "a.pdf").write_text(objects)
    assert kind_of(tmp_path / "a.pdf") == ("pdf" if start == "%PDF-" else "text")


def test_a_text_that_names_the_header_in_each_line_is_a_text(tmp_path: Path):
    (tmp_path / "a.pdf").write_text("Lines\n" * 200 + "%PDF-1.4 is a version\n" * 3_000)
    assert kind_of(tmp_path / "a.pdf") == "text"
    (tmp_path / "b.pdf").write_bytes(b"junk\n" * 300 + b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\n")
    assert kind_of(tmp_path / "b.pdf") == "pdf"
