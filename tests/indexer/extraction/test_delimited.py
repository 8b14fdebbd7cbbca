"""Tables that are kept as text."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.extraction.base import ExtractionContext
from indexer.extraction.detect.kind import kind_of
from indexer.extraction.formats.sheets.delimited import DelimitedExtractor

ROWS = ["Grade,Days,From", *(f"G{n},{n},2026-01-0{n}" for n in range(1, 8))]


def text_of(folder: Path, content: str | bytes, name: str = "rows.csv") -> str:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert kind_of(path) == "csv"
    [page] = DelimitedExtractor().extract(path, ExtractionContext()).pages
    return page.text


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(tmp_path: Path, delimiter: str):
    text = text_of(tmp_path, "\r\n".join(row.replace(",", delimiter) for row in ROWS))
    assert text.startswith("| Grade | Days | From |\n| --- | --- | --- |\n| G1 | 1 | 2026-01-01 |")


def test_commas_inside_numbers_and_sentences_do_not_mislead(tmp_path: Path):
    text = text_of(tmp_path, "Grade;Pay;Remark\nA;1.599,99;first, second\nB;1.200,50;third, fourth\n")
    assert "| A | 1.599,99 | first, second |" in text


def test_quoted_cells_may_hold_breaks_and_delimiters(tmp_path: Path):
    text = text_of(tmp_path, 'Name,Remark\nAnn,"says ""no"",\nthen yes"\nBob,none\n')
    assert '| Ann | says "no", then yes |' in text and "| Bob | none |" in text


def test_a_quotation_mark_without_its_pair_loses_nothing(tmp_path: Path):
    rows = "".join(f"row {n},{n}\n" for n in range(30_000))
    text = text_of(tmp_path, f'Name,Size\nscreen,"24\n{rows}')
    assert "24" in text and "row 29999" in text


def test_ragged_rows_keep_all_their_cells(tmp_path: Path):
    text = text_of(tmp_path, "a,b,c\n1,2,3\n4\n5,6,7,8\n9,10,11\n")
    assert "| 5 | 6 | 7 | 8 |" in text


def test_the_hint_for_excel_is_followed_and_not_shown(tmp_path: Path):
    text = text_of(tmp_path, "sep=;\nName;Days\nAnn;5\n")
    assert text == "| Name | Days |\n| --- | --- |\n| Ann | 5 |"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_any_encoding_is_read(tmp_path: Path, encoding: str):
    assert "| Größe | 5 |" in text_of(tmp_path, "Maß;Wert\nGröße;5\nHöhe;7\n".encode(encoding))


def test_a_text_of_any_name_is_a_table_if_all_its_lines_are_alike(tmp_path: Path):
    assert "| G1 | 1 |" in text_of(tmp_path, "\n".join(ROWS), name="export.txt")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("notes.txt", "Dear all,\n\nwe met on Monday, as planned, and talked.\nAnn, Bob and Cid came.\n" * 5),
        ("data.json", "\n".join(f'{{"a": {n}, "b": {n}, "c": {n}}},' for n in range(9))),
        ("server.log", "\n".join(ROWS)),
        ("deploy.py", "\n".join(f"x, y, z = {n}, {n}, {n}" for n in range(9))),
        ("one.csv", "Name\nAnn\nBob\n"),
    ],
)
def test_other_texts_stay_texts(tmp_path: Path, name: str, content: str):
    (tmp_path / name).write_text(content, encoding="utf-8")
    assert kind_of(tmp_path / name) == "text"


def test_a_cell_of_any_length_costs_nothing_but_its_end(tmp_path: Path):
    path = tmp_path / "rows.csv"
    path.write_text(f'Name,Remark\nAnn,{"long " * 40_000}\nBob,"{"a, b " * 40_000}"\nCid,short\n')
    extraction = DelimitedExtractor().extract(path, ExtractionContext())
    [page] = extraction.pages
    assert "| Ann | long long" in page.text and "| Bob | a, b a, b" in page.text and "| Cid | short |" in page.text
    assert extraction.warnings == ["Of 2 cells, only the first 32,767 characters were read."]
