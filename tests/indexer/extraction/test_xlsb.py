"""Binary workbooks."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from indexer.extraction.base import ExtractionContext
from indexer.extraction.detect.kind import kind_of
from indexer.extraction.formats.sheets.xlsb import XlsbExtractor
from rag.errors import ExtractionError
from tests.indexer.extraction.packages import package, relations


def record(number: int, content: bytes = b"") -> bytes:
    """One record of the format (MS-XLSB, 2.1.4)."""
    head = bytes([number]) if number < 128 else bytes([number & 0x7F | 0x80, number >> 7])
    return head + bytes([len(content)]) + content


def wide(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def row(number: int, *values: str | float) -> bytes:
    cells = b"".join(
        record(6, struct.pack("<II", column, 0) + wide(value))
        if isinstance(value, str)
        else record(5, struct.pack("<IId", column, 0, value))
        for column, value in enumerate(values)
    )
    return record(0, struct.pack("<I", number) + bytes(21)) + cells


def book(folder: Path, *rows: bytes) -> Path:
    sheet = record(129) + record(148, bytes(16)) + record(145) + b"".join(rows) + record(146) + record(130)
    bundle = record(156, struct.pack("<II", 1, 1) + wide("r1") + wide("Keys"))
    return package(
        folder / "book.xlsb",
        {
            "[Content_Types].xml": "<Types/>",
            "xl/workbook.bin": record(131) + record(143) + bundle + record(144) + record(132),
            "xl/_rels/workbook.bin.rels": relations(("r1", "worksheet", "worksheets/sheet1.bin")),
            "xl/worksheets/sheet1.bin": sheet,
        },
    )


def test_a_binary_workbook_is_read(tmp_path: Path):
    path = book(tmp_path, row(0, "Grade", "Days"), row(1, "A", 30.0))
    assert kind_of(path) == "xlsb"
    extraction = XlsbExtractor().extract(path, ExtractionContext())
    [page] = extraction.pages
    assert (page.number, page.label) == (1, "Keys")
    assert page.text == "# Keys (hidden)\n\n| Grade | Days |\n| --- | --- |\n| A | 30 |"
    assert "without the format of their cells" in extraction.warnings[0]


def test_cells_stand_where_they_stand(tmp_path: Path):
    path = book(tmp_path, row(4, "Grade", "Days"), row(5, "A", 30.0), row(9, "Note"))
    [page] = XlsbExtractor().extract(path, ExtractionContext()).pages
    assert page.text == "# Keys (hidden)\n\n| Grade | Days |\n| --- | --- |\n| A | 30 |\n\nNote"


def test_a_broken_one_is_damaged(tmp_path: Path):
    path = package(tmp_path / "book.xlsb", {"xl/workbook.bin": b"\x83"})
    with pytest.raises(ExtractionError) as raised:
        list(XlsbExtractor().extract(path, ExtractionContext()).pages)
    assert raised.value.failure.code == "damaged"


def test_bytes_that_make_its_reader_panic_are_damage(tmp_path: Path):
    cut = record(156, struct.pack("<II", 1, 1) + struct.pack("<I", 900) + b"x")
    parts = {"xl/workbook.bin": record(131) + record(143) + cut, "xl/_rels/workbook.bin.rels": relations()}
    with pytest.raises(ExtractionError) as raised:
        list(XlsbExtractor().extract(package(tmp_path / "book.xlsb", parts), ExtractionContext()).pages)
    assert raised.value.failure.code == "damaged"
