"""What the bare baselines say of sets that they cannot read."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.evaluation.sets.base import QuestionCorpus
from lab.evaluation.systems.bm25_documents import Bm25Documents
from lab.evaluation.systems.whole import whole_texts
from rag.errors import EvaluationError


def corpus(drive: Path) -> QuestionCorpus:
    return QuestionCorpus("wool", drive, [], drive=drive)


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("a.pdf", b"%PDF-1.4 torn", r"a\.pdf: the bare baselines cannot read it"),
        ("a.pdf", b"", r"a\.pdf: the bare baselines cannot read it"),
        ("a.txt", b"\xff", r"a\.txt: it cannot be read"),
        ("a.docx", b"PK", "read PDFs and plain text only"),
        ("a.md", b" \n", "none of its documents holds any text"),
    ],
)
def test_a_file_that_a_baseline_cannot_read_is_named(tmp_path: Path, name: str, content: bytes, complaint: str):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(EvaluationError, match=complaint):
        whole_texts(corpus(tmp_path))


def test_documents_of_small_words_alone_are_nothing_to_search(tmp_path: Path):
    (tmp_path / "a.md").write_text("the of and", encoding="utf-8")
    with pytest.raises(EvaluationError, match="no word that bm25-documents looks for"):
        Bm25Documents(corpus(tmp_path))
