"""Files inside Office files."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import docx
import openpyxl
import pptx
import pytest

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.container import embedded
from indexer.extraction.dispatch import MAX_DEPTH, extract_inner
from indexer.extraction.formats.docx.extractor import DocxExtractor
from indexer.extraction.formats.pptx.extractor import PptxExtractor
from indexer.extraction.formats.sheets.xlsx import XlsxExtractor
from rag.errors import ExtractionError
from rag.types.documents import Page
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
    extraction = DocxExtractor().extract(path, ExtractionContext(inner=extract_inner, depth=depth))
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


def test_an_embedded_file_that_fails_unforeseen_costs_only_itself(tmp_path: Path):
    def inner(path: Path, context: ExtractionContext) -> Extraction:
        raise ZeroDivisionError(path, context)

    path = holding(tmp_path, "rates.docx", inner_document("Nine coins."))
    extraction = DocxExtractor().extract(path, ExtractionContext(inner=inner))
    assert [page.text for page in extraction.pages] == ["Outer."]
    [warning] = extraction.warnings
    assert warning.startswith(
        "The embedded file rates.docx was left out. Reading the file failed: ZeroDivisionError in test_embedded.py:"
    )


def test_memory_that_runs_out_in_an_embedded_file_ends_the_outer_one(tmp_path: Path):
    def inner(path: Path, context: ExtractionContext) -> Extraction:
        raise MemoryError(path, context)

    path = holding(tmp_path, "rates.docx", inner_document("Nine coins."))
    with pytest.raises(MemoryError):
        list(DocxExtractor().extract(path, ExtractionContext(inner=inner)).pages)


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
    [warning] = warnings
    assert text == "Outer." and "inner.docx was left out." in warning and f"more than {MAX_DEPTH} files deep" in warning


def test_a_file_that_lies_too_deep_is_told_to_be_saved_by_itself(tmp_path: Path):
    (tmp_path / "note.txt").write_text("Nine coins.")
    assert [
        page.text for page in extract_inner(tmp_path / "note.txt", ExtractionContext(depth=MAX_DEPTH - 1)).pages
    ] == ["Nine coins."]
    with pytest.raises(ExtractionError) as raised:
        extract_inner(tmp_path / "note.txt", ExtractionContext(depth=MAX_DEPTH))
    assert raised.value.failure.code == "nested" and "by itself" in raised.value.failure.remedy


def test_embedded_files_beyond_the_most_that_are_read_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(embedded, "_MOST_FILES", 0)
    text, warnings = read(holding(tmp_path, "rates.docx", inner_document("Nine coins.")))
    assert (text, warnings) == ("Outer.", ["Only the first 0 embedded files were read, 1 were left out."])


def test_what_is_to_be_said_of_an_embedded_file_is_said(tmp_path: Path):
    raw = b"{\\rtf1 Nine coins."
    text, [warning] = read(holding(tmp_path, "rates.rtf", raw))
    assert text.endswith("Nine coins.") and warning.startswith("The embedded file rates.rtf: The file is cut off")


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
    pages: list[Page] = list(PptxExtractor().extract(path, ExtractionContext(inner=extract_inner)).pages)
    assert [page.text for page in pages] == ["", "## Embedded file: rates.docx\n\nNine coins."]


def test_files_in_a_workbook_follow_their_sheet(tmp_path: Path):
    path = tmp_path / "outer.xlsx"
    book = openpyxl.Workbook()
    book.create_sheet("Empty")
    book.worksheets[0]["A1"] = "Outer."
    book.save(path)
    links = relations(("rId1", "package", "../embeddings/inner.docx"))
    inner = {"xl/worksheets/_rels/sheet1.xml.rels": links, "xl/embeddings/inner.docx": inner_document("Inner.")}
    pages = [*XlsxExtractor().extract(changed(path, inner), ExtractionContext(inner=extract_inner)).pages]
    assert pages[0].text.endswith("## Embedded file: inner.docx\n\nInner.") and not pages[1].text
