"""Word documents for tests, element by element."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any, cast

import docx
from docx.document import Document
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.dispatch import extract_inner
from indexer.extraction.formats.docx.extractor import DocxExtractor

W = nsdecls("w")


def read(path: Path) -> tuple[Extraction, str]:
    extraction = DocxExtractor().extract(path, ExtractionContext(inner=extract_inner))
    [page] = extraction.pages
    return extraction, page.text


def saved(folder: Path, document: Document) -> Path:
    path = folder / "report.docx"
    document.save(str(path))
    return path


def with_body(folder: Path, *elements: str) -> Path:
    """A document with these elements of WordprocessingML in its body."""
    document = docx.Document()
    body = cast("Any", document.element).body
    for element in reversed(elements):
        body.insert(0, parse_xml(element))
    return saved(folder, document)


def with_part(path: Path, name: str, content: bytes) -> Path:
    """The same file with one part replaced or added."""
    with zipfile.ZipFile(path) as archive:
        parts = {member: archive.read(member) for member in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, raw in (parts | {name: content}).items():
            archive.writestr(member, raw)
    return path


def with_relation(path: Path, kind: str, target: str) -> Path:
    """The same file, its text part pointing to one more part, under the id rIdNew."""
    part = "word/_rels/document.xml.rels"
    with zipfile.ZipFile(path) as archive:
        links = archive.read(part).decode()
    kind = f"http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}"
    link = f'<Relationship Id="rIdNew" Type="{kind}" Target="{target}"/></Relationships>'
    return with_part(path, part, links.replace("</Relationships>", link).encode())


def paragraph(inside: str) -> str:
    return f"<w:p {W} {nsdecls('r', 'a', 'wp')}>{inside}</w:p>"


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'
