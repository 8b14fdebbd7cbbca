"""Files inside Office files."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import docx
import pptx
import pytest

from indexer.extraction.base import Aids
from indexer.extraction.dispatch import MAX_DEPTH, extract_inner
from indexer.extraction.docx.extractor import DocxExtractor
from indexer.extraction.office import embedded
from indexer.extraction.pptx.extractor import PptxExtractor
from rag.types import Page
from tests.indexer.extraction.packages import changed, part_of, relations

LINKS = "word/_rels/document.xml.rels"


def inner_document(text: str) -> bytes:
    document = docx.Document()
    document.add_paragraph(text)
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def holding(folder: Path, name: str, raw: bytes, kind: str = "package") -> Path:
    """A document with a file embedded in it."""
    path = folder / "outer.docx"
    path.write_bytes(inner_document("Outer."))
    links = part_of(path, LINKS)
    _, start, rest = relations(("rIdNew", kind, f"embeddings/{name}")).partition("<Relationship ")
    added = (start + rest).replace("</Relationships>", "")
    return changed(
        path, {LINKS: links.replace("</Relationships>", f"{added}</Relationships>"), f"word/embeddings/{name}": raw}
    )


def read(path: Path, depth: int = 0) -> tuple[str, list[str]]:
    extraction = DocxExtractor().extract(path, Aids(inner=extract_inner, depth=depth))
    [page] = extraction.pages
    return page.text, extraction.warnings


def ole(stream: str, raw: bytes) -> bytes:
    """A container with one stream of at least 4,096 bytes, and nothing that is not needed (MS-CFB)."""
    content = raw.ljust(4096, b"\0")
    content += b"\0" * (-len(content) % 512)
    sectors = len(content) // 512
    free, end, fat_mark = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 16
    header += struct.pack("<HHHHH6xIIIIIIIII", 0x3E, 3, 0xFFFE, 9, 6, 0, 1, 1, 0, 4096, end, 0, end, 0)
    header += struct.pack("<109I", 0, *[free] * 108)
    fat = [fat_mark, end, *range(3, sectors + 2), end]
    fat += [free] * (128 - len(fat))

    def entry(name: str, kind: int, child: int, start: int, size: int) -> bytes:
        encoded = (name + "\0").encode("utf-16-le")
        links = struct.pack("<HBBIII", len(encoded), kind, 1, free, free, child)
        return encoded.ljust(64, b"\0") + links + b"\0" * 36 + struct.pack("<IQ", start, size)

    directory = entry("Root Entry", 5, 1, end, 0) + entry(stream, 2, free, 2, len(raw)) + b"\0" * 256
    return header + struct.pack("<128I", *fat) + directory + content


def native(name: str, raw: bytes) -> bytes:
    names = name.encode() + b"\0C:\\tmp\\" + name.encode() + b"\0"
    temporary = b"C:\\t\0"
    body = (
        b"\x02\x00"
        + names
        + struct.pack("<II", 0x30000, len(temporary))
        + temporary
        + struct.pack("<I", len(raw))
        + raw
    )
    return struct.pack("<I", len(body)) + body


def test_an_embedded_document_is_read_behind_the_text(tmp_path: Path):
    path = holding(tmp_path, "rates.docx", inner_document("Nine coins."))
    assert read(path) == ("Outer.\n\n## Embedded file: rates.docx\n\nNine coins.", [])


def test_an_embedded_file_is_taken_out_of_its_container(tmp_path: Path):
    note = ("Berth one is closed. " * 300).encode()
    path = holding(tmp_path, "oleObject1.bin", ole("\x01Ole10Native", native("note.txt", note)), "oleObject")
    text, warnings = read(path)
    assert text.startswith("Outer.\n\n## Embedded file: note.txt\n\nBerth one is closed.") and warnings == []


def test_a_whole_file_in_a_container_is_read_too(tmp_path: Path):
    raw = inner_document("Nine coins.")
    path = holding(tmp_path, "oleObject1.bin", ole("Package", raw), "oleObject")
    assert "Nine coins." in read(path)[0]


@pytest.mark.parametrize("raw", [b"PK\x03\x04 cut off", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 cut off"])
def test_a_damaged_embedded_file_costs_only_itself(tmp_path: Path, raw: bytes):
    text, warnings = read(holding(tmp_path, "rates.docx", raw))
    assert text == "Outer." and len(warnings) == 1 and "rates.docx" in warnings[0]


def test_pictures_and_formulas_are_not_missed(tmp_path: Path):
    assert read(holding(tmp_path, "oleObject1.bin", bytes(range(1, 256)) * 40, "oleObject")) == ("Outer.", [])


def test_files_inside_files_end_somewhere(tmp_path: Path):
    path = holding(tmp_path, "inner.docx", inner_document("Nine coins."))
    text, warnings = read(path, depth=MAX_DEPTH)
    assert text == "Outer." and len(warnings) == 1


def test_an_endless_embedded_file_is_cut_with_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(embedded, "_MOST_CHARS", 10)
    text, warnings = read(holding(tmp_path, "long.txt", b"0123456789 and more"))
    assert text.endswith("\n\n0123456789") and len(warnings) == 1


def test_files_in_slides_stand_on_their_page(tmp_path: Path):
    deck = pptx.Presentation()
    for _ in range(2):
        deck.slides.add_slide(deck.slide_layouts[6])
    path = tmp_path / "deck.pptx"
    deck.save(str(path))
    links = relations(("rId1", "package", "../embeddings/rates.docx"))
    changed(
        path, {"ppt/slides/_rels/slide2.xml.rels": links, "ppt/embeddings/rates.docx": inner_document("Nine coins.")}
    )
    pages: list[Page] = list(PptxExtractor().extract(path, Aids(inner=extract_inner)).pages)
    assert [page.text for page in pages] == ["", "## Embedded file: rates.docx\n\nNine coins."]
