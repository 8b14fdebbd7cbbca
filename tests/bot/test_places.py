"""Where the cited words stand, in a reader's words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.places import place
from rag.types.answers import Citation
from tests.documents import a_chunk, a_document


@pytest.mark.parametrize(
    ("kind", "page", "label", "said"),
    [
        ("pdf", 12, "", "p. 12"),
        ("pdf", 12, "12", "p. 12"),
        ("pdf", 12, "iv", 'p. 12 (printed "iv")'),
        ("pptx", 4, "", "slide 4"),
        ("odp", 4, "", "slide 4"),
        ("xlsx", 2, "Budget\n2026", "sheet Budget 2026"),
        ("ods", 2, "", "sheet 2"),
        ("tiff", 3, "", "p. 3"),
    ],
)
def test_each_kind_has_its_own_word(kind: str, page: int, label: str, said: str) -> None:
    document = replace(a_document(f"a.{kind}", kind=kind), paged=True)
    assert place(Citation(1, a_chunk(document, 0, "text", page=page), 1.0, "text", page, label)) == said


def test_without_pages_the_nearest_heading_is_named_if_there_is_one() -> None:
    chunk = a_chunk(a_document("a.md"), 0, "text")
    assert place(Citation(1, chunk, 1.0, "text", 1, "")) == ""
    headed = replace(chunk, headings=("Leave", "Notice"))
    assert place(Citation(1, headed, 1.0, "text", 1, "")) == "§ Notice"
    in_table = replace(chunk, headings=("Leave", "| Grade | Days |"))
    assert place(Citation(1, in_table, 1.0, "text", 1, "")) == "§ Leave"
