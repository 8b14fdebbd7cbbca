"""A set's documents and pages as they are, uncut: what the bare baselines read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from lab.evaluation.sets.base import Page, QuestionCorpus
from lab.evaluation.sets.lines import read_text
from rag.errors import EvaluationError

TEXT_SUFFIXES: Final = frozenset({".md", ".txt"})


def whole_texts(corpus: QuestionCorpus) -> dict[Page, str]:
    """The text of each document, or of each page of its files: PDFs and plain text.

    Raises EvaluationError for other formats, for what cannot be read, and where there is no text at all.
    Only pages with text are given.
    """
    texts = _written(corpus) if corpus.drive is None else _read(corpus.drive)
    if not texts:
        raise EvaluationError(f"{corpus.source}: none of its documents holds any text: nothing can be found there")
    return texts


def _written(corpus: QuestionCorpus) -> dict[Page, str]:
    return {(file, 1): text.whole for file, text in corpus.texts.items() if text.whole}


def _read(drive: Path) -> dict[Page, str]:
    files = sorted(file for file in drive.rglob("*") if file.is_file())
    return {(file.relative_to(drive).as_posix(), page): text for file in files for page, text in _pages(file)}


def _pages(file: Path) -> Iterator[tuple[int, str]]:
    if file.suffix.lower() in TEXT_SUFFIXES:
        if (text := read_text(file)).strip():
            yield 1, text
        return
    if file.suffix.lower() != ".pdf":
        raise EvaluationError(
            f"the bare baselines read PDFs and plain text only, and {file} is neither: leave this way out"
        )
    import pymupdf  # noqa: PLC0415  # about a second, which sets without PDFs do not need

    pymupdf.TOOLS.mupdf_display_errors(False)  # as it is called
    try:
        with pymupdf.open(file) as document:
            for number in range(document.page_count):
                if (text := str(document[number].get_text())).strip():
                    yield number + 1, text
    except (RuntimeError, ValueError) as error:  # damaged, empty, or under a password
        raise EvaluationError(f"{file}: the bare baselines cannot read it ({error}): leave it out") from error
