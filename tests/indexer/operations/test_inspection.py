"""`python -m indexer inspect`: what it says of files is what would be indexed of them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pymupdf

from tests.indexer.indexing import a_store, write
from tests.processes import run_program


def lines(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def a_pdf(path: Path, *pages: str) -> Path:
    with pymupdf.open() as document:
        for text in pages:
            document.new_page().insert_text((72, 72), text)
        document.save(path)
    return path


async def test_a_line_a_file_in_the_order_given_with_pages_chunks_and_errors(tmp_path: Path) -> None:
    write(tmp_path, a_md="# Apples\n\nApples are red.\n\n# Pears\n\nPears are green.")
    a_pdf(tmp_path / "b.pdf", "The first page of the manual.", "", "The third page of the manual.")
    (tmp_path / "c.pdf").write_bytes(b"%PDF-1.7\nnothing of a PDF follows")
    (tmp_path / "~$a.md").write_text("locked", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    names = ["b.pdf", "a.md", "c.pdf", "missing.md", "~$a.md", "folder", "pipe"]
    code, out, errors = await run_program(
        "indexer", "inspect", "--json", *names, folder=tmp_path, FOOTNOTE_EXTRACTORS="2", FOOTNOTE_OCR_LANGUAGES="[]"
    )
    assert (code, errors) == (0, "")
    found = lines(out)
    assert [line["path"] for line in found] == names
    for line in found:
        assert line.keys() == {"path", "kind", "pages", "chunks", "warnings", "error"}
    pdf, text, broken, missing, litter, folder, pipe = found

    assert (pdf["kind"], pdf["error"]) == ("pdf", None)
    assert [page["number"] for page in pdf["pages"]] == [1, 2, 3]
    assert pdf["pages"][0].keys() == {"number", "label", "text", "ocr"}
    assert "first page" in pdf["pages"][0]["text"] and not pdf["pages"][1]["text"].strip()
    assert [chunk["pages"] for chunk in pdf["chunks"]] == [[1], [3]]
    for line in (pdf, text):
        for chunk in line["chunks"]:
            page = line["pages"][chunk["pages"][0] - 1]
            assert page["text"][chunk["start"] : chunk["end"]] == chunk["text"]
    assert text["kind"] == "markdown" and text["chunks"]
    assert broken["error"].keys() == {"code", "message", "remedy"} and not broken["pages"]
    assert (missing["error"]["code"], folder["error"]["code"]) == ("missing", "folder")
    assert pipe["error"]["code"] == "not_a_file"
    assert litter["error"] is None and not litter["pages"] and litter["warnings"][0].startswith("ignored: ")


async def test_its_chunks_are_those_that_index_stores(tmp_path: Path) -> None:
    text = "\n\n".join(
        f"## Part {number}\n\n{'The engine is checked once a year. ' * number}" for number in range(1, 40)
    )
    write(tmp_path / "drive", a_md=text)
    settings = {"FOOTNOTE_CHUNK_SIZE": "300", "FOOTNOTE_CHUNK_OVERLAP": "40"}
    _, out, _ = await run_program("indexer", "inspect", "--json", "drive/a.md", folder=tmp_path, **settings)
    code, _, errors = await run_program("indexer", "index", "drive", folder=tmp_path, **settings)
    assert code == 0, errors
    async with a_store(tmp_path / ".footnote" / "index") as store:
        stored = sorted([row.chunk async for row in store.scan()], key=lambda chunk: chunk.ordinal)
    [shown] = lines(out)
    assert len(stored) > 40
    assert [(chunk["text"], chunk["start"], chunk["headings"]) for chunk in shown["chunks"]] == [
        (chunk.text, chunk.spans[0].start, list(chunk.headings)) for chunk in stored
    ]


async def test_another_chunker_can_be_tried_and_an_unknown_one_is_wrong_usage(tmp_path: Path) -> None:
    write(tmp_path, a_md="# Apples\n\nApples are red.\n\n# Pears\n\nPears are green.")
    code, out, _ = await run_program("indexer", "inspect", "--json", "--chunker", "fixed", "a.md", folder=tmp_path)
    assert code == 0 and len(lines(out)[0]["chunks"]) == 1
    code, out, errors = await run_program("indexer", "inspect", "--chunker", "nosuch", "a.md", folder=tmp_path)
    assert (code, out) == (2, "")
    assert "nosuch" in errors and "markdown" in errors


async def test_a_name_of_any_bytes_is_read_and_comes_back_as_it_was_given(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9 \x1b[31m[bold]\n.md")
    write(tmp_path, **{name: "Apples are red."})
    code, out, errors = await run_program("indexer", "inspect", "--json", name, folder=tmp_path)
    assert (code, errors) == (0, "")
    [found] = lines(out)
    assert found["path"] == name and found["chunks"][0]["text"] == "Apples are red."
    assert os.fsencode(found["path"]) == os.fsencode(name)

    code, out, errors = await run_program("indexer", "inspect", name, folder=tmp_path)
    assert (code, errors) == (0, "")
    assert "\x1b" not in out and r"caf\udce9 \x1b[31m[bold]\n.md: " in out


async def test_for_people_it_is_a_short_table_that_a_pipe_gets_plain_and_whole(tmp_path: Path) -> None:
    name = f"{'a long name ' * 15}.pdf"
    a_pdf(tmp_path / name, "The first page of the manual.", "")
    code, out, errors = await run_program(
        "indexer", "inspect", "--text", name, folder=tmp_path, FOOTNOTE_OCR_LANGUAGES="[]"
    )
    assert (code, errors) == (0, "")
    first, heading, *rest = out.splitlines()
    assert first.startswith(f"{name}: pdf, 2 pages, 1 chunk of ")
    assert heading.split() == ["page", "printed", "characters", "chunks", "remarks"]
    assert rest[0].split()[0] == "1" and rest[1].split()[-2:] == ["no", "text"]
    assert "The first page of the manual." in rest


async def test_it_makes_no_data_folder(tmp_path: Path) -> None:
    write(tmp_path, a_md="Apples are red.")
    code, _, _ = await run_program("indexer", "inspect", "a.md", folder=tmp_path)
    assert code == 0 and not (tmp_path / ".footnote").exists()
