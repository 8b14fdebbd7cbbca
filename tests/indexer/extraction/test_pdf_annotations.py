"""Comments on PDF pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.extraction.formats.pdf import annotations as module
from tests.indexer.extraction.printed import read


def with_annotations(*annotations: str) -> bytes:
    """A blank page with these."""
    page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 300]/Annots["
    page += "".join(f"{number} 0 R " for number in range(4, 4 + len(annotations))) + "]>>"
    objects = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>", page, *annotations]
    body = "".join(f"{number} 0 obj{content}endobj\n" for number, content in enumerate(objects, 1))
    return f"%PDF-1.4\n{body}trailer<</Root 1 0 R/Size {len(objects) + 1}>>\n%%EOF".encode("latin-1")


def annotation(kind: str, text: str = "") -> str:
    return f"<</Type/Annot/Subtype/{kind}/Rect[10 10 30 30]/T(Ann){f'/Contents({text})' if text else ''}>>"


def test_a_comment_stands_behind_the_text_with_its_author(tmp_path: Path):
    extraction, [page] = read(tmp_path, with_annotations(annotation("Text", "Ask first.")))
    assert page.text == "Comment (Ann): Ask first." and not any("comments" in each for each in extraction.warnings)


def test_only_comments_with_words_count_and_those_left_out_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "_MOST", 2)
    silent = [annotation("Popup"), annotation("Link", "x"), annotation("Highlight")] * 2
    said = [annotation("Text", word) for word in ("one", "two", "three", "four", "five")]
    extraction, [page] = read(tmp_path, with_annotations(*silent, *said))
    assert page.text == "Comment (Ann): one\n\nComment (Ann): two"
    assert "Page 1: only the first 2 comments were read, 3 were left out." in extraction.warnings
