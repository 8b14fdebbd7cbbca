"""reStructuredText becomes Markdown."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.detect.kind import kind_of
from indexer.extraction.formats.markup.rst import RstExtractor


def read(folder: Path, content: str) -> tuple[Extraction, str]:
    path = folder / "guide.rst"
    path.write_text(content, encoding="utf-8")
    assert kind_of(path) == "rst"
    extraction = RstExtractor().extract(path, ExtractionContext())
    [page] = extraction.pages
    return extraction, page.text


def test_headings_lists_tables_and_code_are_kept(tmp_path: Path):
    extraction, text = read(
        tmp_path,
        "Leave\n=====\n\nSee **the** ``form``.\n\nDays\n----\n\n- sick\n- annual\n\n"
        "=====  ====\nGrade  Days\n=====  ====\nA      30\n=====  ====\n\n"
        ".. code-block:: sh\n\n   # no heading\n   ls\n",
    )
    assert extraction.title == "Leave"
    assert text.split("\n\n") == [
        "# Leave",
        "See the form.",
        "## Days",
        "- sick\n- annual",
        "| Grade | Days |\n| --- | --- |\n| A | 30 |",
        "```\n# no heading\nls\n```",
    ]


def test_what_other_programs_understand_keeps_its_words(tmp_path: Path):
    _, text = read(
        tmp_path,
        "See :ref:`the rules <rules>` and :doc:`travel`.\n\n.. versionadded:: 2.0\n   Days can be carried over.\n\n"
        ".. toctree::\n   :maxdepth: 2\n\n   one\n\nBroken *emphasis.\n",
    )
    assert text.split("\n\n") == ["See the rules and travel.", "Days can be carried over.", "Broken *emphasis."]


@pytest.mark.parametrize(
    "directive",
    ["include:: {secret}", "raw:: html\n   :file: {secret}", "csv-table::\n   :file: {secret}"],
)
def test_no_other_file_is_taken_in(tmp_path: Path, directive: str):
    secret = tmp_path / "secret.txt"
    secret.write_text("the word is swordfish", encoding="utf-8")
    _, text = read(tmp_path, f"Before.\n\n.. {directive.format(secret=secret)}\n\nAfter.\n")
    assert "swordfish" not in text and "Before." in text and "After." in text


def test_a_text_that_is_none_loses_nothing(tmp_path: Path):
    _, text = read(tmp_path, "====\nBroken\n==\n\n.. |x| image::\n\n`unclosed <\n\n.. [1\n\nLast words.\n")
    assert "Broken" in text and "Last words." in text
