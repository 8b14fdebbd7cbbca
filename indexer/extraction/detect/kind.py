"""What format a file is in, told by its content: a name may lie."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from indexer.extraction.characters.encoding import decoded
from indexer.extraction.characters.normalization import is_text
from indexer.extraction.container.source import as_extraction_error
from indexer.extraction.detect.containers import OLE, ZIP, kind_of_ole, kind_of_zip
from indexer.extraction.detect.signatures import kind_by_signature
from indexer.extraction.detect.text_kinds import kind_of_structured

_HEAD_BYTES: Final = 64 * 1024
_PDF_HEADER_WITHIN: Final = 1024
"""Readers accept junk in front of the header up to here (ISO 32000-1, annex H.3, note 13)."""
_PDF_OBJECT: Final = re.compile(rb"\d{1,10} \d{1,10} obj\b")
_PDF_MARKS: Final = re.compile(rb"%PDF-|^%.{0,16}\d{1,10} \d{1,10} obj\s*<<", re.DOTALL)
"""Of a PDF with junk in front, or without its header: beside an object these leave no doubt."""
_LATE_PDF: Final = re.compile(rb"^%PDF-\d\.\d", re.MULTILINE)
_HTML_START: Final = re.compile(
    r"(?>\s+|<\?xml[^>]*>|<!--.*?-->)*+<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL
)
_XML_ROOT: Final = re.compile(
    r"(?>\s+|<\?[^>]*>|<!--.*?-->|<!doctype[^>\[]*(?:\[.*?\])?\s*>)*+<([\w:.-]+)", re.IGNORECASE | re.DOTALL
)
_XML_KINDS: Final = {
    "svg": "svg",
    "svg:svg": "svg",
    "w:worddocument": "wordxml",
    "pkg:package": "wordxml",
    "office:document": "flat-odf",
}
"""By the name of the root element. Other XML is read as the text that it is."""
_SHEET_XML: Final = re.compile(r"<(?:ss:)?workbook\b[^>]*urn:schemas-microsoft-com:office:spreadsheet", re.IGNORECASE)
"""Other programs name their roots so, too."""
_MARKDOWN_SUFFIXES: Final = frozenset({".md", ".markdown", ".mdown", ".mkd"})
_HTML_SUFFIXES: Final = frozenset({".html", ".htm", ".xhtml"})


def kind_of(path: Path) -> str | None:
    """The format ("pdf", "docx", "markdown" …), whether or not we can read it; None for bytes of no format we know.

    A file of no bytes is "empty". Raises ExtractionError ("damaged", "vanished", "unreadable") where no
    format can be told.
    """
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError as error:
        raise as_extraction_error(error) from error
    if not head:
        return "empty"
    if head.startswith(ZIP):
        return kind_of_zip(path)
    if head.startswith(OLE):
        return kind_of_ole(path)
    suffix = path.suffix.lower()
    return _pdf(head, suffix) or kind_by_signature(head) or _kind_of_text(head, suffix)


def _pdf(head: bytes, suffix: str) -> str | None:
    start = head[:_PDF_HEADER_WITHIN]
    if start.lstrip().startswith(b"%PDF-") or (_PDF_MARKS.search(start) and _PDF_OBJECT.search(head)):
        return "pdf"
    late = _LATE_PDF.search(head) if suffix == ".pdf" else None
    return "pdf" if late is not None and _PDF_OBJECT.search(head, late.end()) else None


def _kind_of_text(head: bytes, suffix: str) -> str | None:
    text = decoded(_whole_characters(head))
    if not is_text(text):
        return None
    text = text.lstrip("\ufeff")
    if _HTML_START.match(text) or suffix in _HTML_SUFFIXES:
        return "html"
    root = _XML_ROOT.match(text)
    if root is not None and (kind := _XML_KINDS.get(root[1].lower())) is not None:
        return kind
    if root is not None and _SHEET_XML.match(text, root.start(1) - 1):
        return "sheetxml"
    if suffix in _MARKDOWN_SUFFIXES:
        return "markdown"
    return kind_of_structured(text, suffix) or "text"


def _whole_characters(head: bytes) -> bytes:
    """The head up to its last line break, so that no character of several bytes is cut."""
    end = head.rfind(b"\n") if len(head) == _HEAD_BYTES else len(head)
    return head[:end] if end > 0 else head
