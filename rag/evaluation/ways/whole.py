"""A set's documents and pages as they are, uncut: what the bare baselines read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rag.errors import EvaluationError
from rag.evaluation.sets.base import Corpus, Page

TEXT_SUFFIXES: Final = frozenset({".md", ".txt"})


def whole_texts(corpus: Corpus) -> dict[Page, str]:
    """The text of each document, or of each page of its files. Raises EvaluationError for formats other than PDF.

    Only pages with text are given.
    """
    if corpus.drive is None:
        return {(file, 1): text.whole for file, text in corpus.texts.items() if text.whole}
    drive = corpus.drive
    files = sorted(file for file in drive.rglob("*") if file.is_file())
    return {(file.relative_to(drive).as_posix(), page): text for file in files for page, text in _pages(file)}


def _pages(file: Path) -> Iterator[tuple[int, str]]:
    if file.suffix.lower() in TEXT_SUFFIXES:
        yield 1, file.read_text(encoding="utf-8")
        return
    if file.suffix.lower() != ".pdf":
        raise EvaluationError(f"the bare baselines read PDFs and plain text only, and {file} is neither")
    import pymupdf  # noqa: PLC0415  # about a second, which sets without PDFs do not need

    pymupdf.TOOLS.mupdf_display_errors(False)  # as it is called
    with pymupdf.open(file) as document:
        for number in range(document.page_count):
            if (text := str(document[number].get_text())).strip():
                yield number + 1, text
