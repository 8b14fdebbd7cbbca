"""Markdown is kept, without what no reader sees."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.extraction.base import ExtractionContext
from indexer.extraction.formats.markup.markdown import MarkdownExtractor, without_remarks


def read(folder: Path, content: str | bytes) -> tuple[str, str]:
    path = folder / "note.md"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    extraction = MarkdownExtractor().extract(path, ExtractionContext())
    [page] = extraction.pages
    return extraction.title, page.text


def test_front_matter_gives_the_title_and_goes(tmp_path: Path):
    assert read(tmp_path, "---\ntitle: 'Leave'\n---\n\nFive days.\n\n---\n\nMore.\n") == (
        "Leave",
        "Five days.\n\n---\n\nMore.",
    )


def test_front_matter_that_never_ends_is_text(tmp_path: Path):
    assert "Nothing is lost." in read(tmp_path, "---\ntitle: never closed\n\n# Leave\n\nNothing is lost.\n")[1]


@pytest.mark.parametrize(
    ("content", "title"),
    [
        ("\ufeff# Leave\n\nx", "Leave"),
        ("Leave\n=====\n\nx", "Leave"),
        ("```sh\n# a remark\n```\n\n# Leave\n", "Leave"),
        ("    # indented\n", ""),
        ("| a |\n===\n", ""),
    ],
)
def test_the_first_heading_is_the_title(tmp_path: Path, content: str, title: str):
    assert read(tmp_path, content)[0] == title


def test_remarks_go_but_not_out_of_code(tmp_path: Path):
    _, text = read(tmp_path, "One.\n\n<!-- hidden\n```\n-->\nTwo.\n\n```html\n<!-- shown -->\n```\n\n<!-- open")
    assert "hidden" not in text and "<!-- shown -->" in text and text.endswith("<!-- open") and "Two." in text


def test_a_text_of_remarks_that_never_end_takes_one_look(tmp_path: Path):
    assert len(without_remarks("<!-- " * 200_000)) == 1_000_000
    assert without_remarks("<!-- a -->" * 50_000 + "end") == "end"


def test_characters_that_cannot_be_read_are_warned_of(tmp_path: Path):
    path = tmp_path / "note.md"
    path.write_bytes("# Größe\n\nÄpfel, Öl und Übung für alle\n".encode() + b"broken \xff here\n")
    extraction = MarkdownExtractor().extract(path, ExtractionContext())
    assert "last" not in extraction.title and any("not readable" in warning for warning in extraction.warnings)
