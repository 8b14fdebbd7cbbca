"""What format a file is in, told by its content: a name may lie."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Final

from indexer.extraction.encoding import decoded
from rag.errors import ExtractionError

_HEAD_BYTES: Final = 64 * 1024
_PDF_HEADER_WITHIN: Final = 1024
"""Readers accept junk in front of the header up to here (ISO 32000-1, annex H.3, note 13)."""
_CONTROLS_ALLOWED: Final = 0.03
"""Share of control characters up to which a file is text; random bytes have a tenth."""
_STRAYS_ALLOWED: Final = 4
"""A short text may hold a few all the same."""
_PDF_OBJECT: Final = re.compile(rb"\d+ \d+ obj\b")
_PDF_MARKS: Final = re.compile(rb"%PDF-|^%.{0,16}\d+ \d+ obj\s*<<", re.DOTALL)
"""Of a PDF with junk in front, or without its header: beside an object these leave no doubt."""
_CONTROL: Final = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]")
_HTML_START: Final = re.compile(
    r"(?>\s+|<\?xml[^>]*>|<!--.*?-->)*+<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL
)
_MAIL_HEADERS: Final = re.compile(
    r"^(From|To|Received|Return-Path|Message-ID|MIME-Version|Date|Subject):", re.IGNORECASE | re.MULTILINE
)
_MAIL_HEADERS_NEEDED: Final = 4

_MAGIC: Final = (
    (b"{\\rtf", "rtf"),
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"GIF87a", "gif"),
    (b"GIF89a", "gif"),
    (b"II*\x00", "tiff"),
    (b"MM\x00*", "tiff"),
    (b"BM", "bmp"),
    (b"%!PS", "postscript"),
    (b"\x1f\x8b", "gzip"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"Rar!\x1a\x07", "rar"),
)
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_STREAMS: Final = (
    ("WordDocument", "doc"),
    ("Workbook", "xls"),
    ("Book", "xls"),
    ("PowerPoint Document", "ppt"),
    ("__properties_version1.0", "msg"),
)
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
_ZIP_MEMBERS: Final = (
    ("word/document.xml", "docx"),
    ("xl/workbook.xml", "xlsx"),
    ("xl/workbook.bin", "xlsb"),
    ("ppt/presentation.xml", "pptx"),
)
_ZIP_MIMETYPES: Final = (
    ("application/vnd.oasis.opendocument.text", "odt"),
    ("application/vnd.oasis.opendocument.spreadsheet", "ods"),
    ("application/vnd.oasis.opendocument.presentation", "odp"),
    ("application/epub+zip", "epub"),
)
_MIMETYPE_BYTES: Final = 100
_MARKDOWN_SUFFIXES: Final = frozenset({".md", ".markdown", ".mdown", ".mkd"})
_HTML_SUFFIXES: Final = frozenset({".html", ".htm", ".xhtml"})


def kind_of(path: Path) -> str | None:
    """The format ("pdf", "docx", "markdown" …), whether or not we can read it; None for bytes of no format we know.

    Raises ExtractionError ("empty_file", "encrypted", "damaged", "unreadable") where no format can be told.
    """
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError as error:
        raise ExtractionError(
            "unreadable", f"The file cannot be opened: {error.strerror}.", "Check its permissions."
        ) from error
    if not head:
        raise ExtractionError("empty_file", "The file is empty (0 bytes).", "Save or copy it again.")
    if head.startswith(_ZIP):
        return _kind_of_zip(path)
    if head.startswith(_OLE):
        return _kind_of_ole(path, head)
    return _kind_by_magic(head) or _kind_of_text(head, path.suffix.lower())


def _kind_by_magic(head: bytes) -> str | None:
    start = head[:_PDF_HEADER_WITHIN]
    if start.lstrip().startswith(b"%PDF-") or (_PDF_OBJECT.search(head) and _PDF_MARKS.search(start)):
        return "pdf"
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "webp"
    for magic, kind in _MAGIC:
        # Two bytes are a weak sign: "BM" may begin a text.
        if head.startswith(magic) and (len(magic) > 2 or b"\x00" in head):  # noqa: PLR2004  # said in words above
            return kind
    return None


def _kind_of_text(head: bytes, suffix: str) -> str | None:
    text = decoded(_whole_characters(head))
    if len(_CONTROL.findall(text)) > max(_CONTROLS_ALLOWED * len(text), min(_STRAYS_ALLOWED, len(text) // 8)):
        return None
    if _HTML_START.match(text.lstrip("\ufeff")) or suffix in _HTML_SUFFIXES:
        return "html"
    if suffix in _MARKDOWN_SUFFIXES:
        return "markdown"
    return "eml" if _is_mail(text) else "text"


def _whole_characters(head: bytes) -> bytes:
    """The head up to its last line break, so that no character of several bytes is cut."""
    end = head.rfind(b"\n") if len(head) == _HEAD_BYTES else len(head)
    return head[:end] if end > 0 else head


def _is_mail(text: str) -> bool:
    """A message as a mail server writes it; a text that merely quotes one lacks the envelope's headers."""
    headers = {name.lower() for name in _MAIL_HEADERS.findall(text.lstrip().split("\n\n", 1)[0])}
    return len(headers) >= _MAIL_HEADERS_NEEDED and not headers.isdisjoint({"mime-version", "message-id", "received"})


def _kind_of_zip(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            members = set(archive.namelist())
            if "mimetype" in members:
                mimetype = archive.open("mimetype").read(_MIMETYPE_BYTES).decode("ascii", errors="replace").strip()
                return dict(_ZIP_MIMETYPES).get(mimetype, "zip")
    except (zipfile.BadZipFile, OSError, NotImplementedError, RuntimeError, EOFError) as error:
        raise ExtractionError(
            "damaged",
            "The file is cut off or damaged: it begins like an Office file or archive, but has no end.",
            "Copy it again from where it came from.",
        ) from error
    return next((kind for member, kind in _ZIP_MEMBERS if member in members), "zip")


def _kind_of_ole(path: Path, head: bytes) -> str | None:
    """The container of old Office files and of encrypted new ones, told apart by the streams it lists."""
    sector_bytes = 1 << int.from_bytes(head[30:32], "little") % 32
    directory_at = (int.from_bytes(head[48:52], "little") + 1) * sector_bytes
    with path.open("rb") as file:
        file.seek(directory_at)
        directory = file.read(sector_bytes * 8)
    if "EncryptedPackage".encode("utf-16-le") in directory:
        raise ExtractionError(
            "encrypted", "The file is protected by a password.", "Save it without a password, or leave it out."
        )
    return next((kind for stream, kind in _OLE_STREAMS if stream.encode("utf-16-le") in directory), None)
