"""A file whose name says something else than its content is named in the report."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.extraction.detect.misnamed import contradiction
from indexer.extraction.dispatch import readable_kinds
from indexer.extraction.sandbox.extract_job import ExtractedText, ExtractJob, extract


@pytest.mark.parametrize(
    ("suffix", "kind", "says"),
    [
        (".pdf", "text", "The file is called .pdf, but is a text."),
        (".pdf", "docx", "The file is called .pdf, but is of the kind docx."),
        (".PDF", "html", "The file is called .pdf, but is a web page."),
        (".docx", "text", "The file is called .docx, but is a text."),
        (".xlsx", "csv", "The file is called .xlsx, but is a table of text."),
        (".png", "pdf", "The file is called .png, but is of the kind pdf."),
    ],
)
def test_a_name_that_content_contradicts_is_told_with_a_remedy(suffix: str, kind: str, says: str) -> None:
    said = contradiction(suffix, kind)
    assert said is not None
    assert said.startswith(says)
    assert "copy it again" in said


@pytest.mark.parametrize(
    ("suffix", "kind"),
    [
        (".pdf", "pdf"),
        (".pdf", "empty"),
        (".docx", "protected-office"),
        (".doc", "rtf"),
        (".xls", "html"),
        (".xls", "csv"),
        (".jpg", "png"),
        (".eml", "mbox"),
        (".txt", "pdf"),
        (".md", "text"),
        (".log", "csv"),
        (".htm", "text"),
        (".1", "pdf"),
        ("", "pdf"),
    ],
)
def test_names_that_agree_or_promise_nothing_are_passed_over(suffix: str, kind: str) -> None:
    assert contradiction(suffix, kind) is None


def test_what_is_called_after_a_kind_that_is_read_is_not_contradicted_by_it() -> None:
    assert [kind for kind in readable_kinds() if contradiction(f".{kind}", kind) is not None] == []


def test_a_text_called_pdf_is_read_and_named(tmp_path: Path) -> None:
    (tmp_path / "broken.pdf").write_text("junk", encoding="utf-8")
    outcome = extract(ExtractJob(tmp_path / "broken.pdf", ""))
    assert isinstance(outcome, ExtractedText)
    assert [page.text for page in outcome.pages] == ["junk"]
    [warning] = outcome.warnings
    assert warning.startswith("The file is called .pdf, but is a text.")
