"""Sets of questions, in the layouts that there are. To add one: write its file, add its line."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from lab.evaluation.sets.base import QuestionCorpus
from lab.evaluation.sets.beir import is_beir, read_beir
from lab.evaluation.sets.pages import is_pages, read_pages
from rag.errors import EvaluationError

_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_-]+")

LAYOUTS: Final[tuple[tuple[Callable[[Path], bool], Callable[[Path, str], QuestionCorpus]], ...]] = (
    (is_beir, read_beir),
    (is_pages, read_pages),
)


def read_set(folder: Path, *, files: Path | None = None) -> QuestionCorpus:
    """The set of a folder; with `files`, its files stand there. Raises EvaluationError."""
    folder = folder.absolute()
    name = _UNSAFE.sub("-", folder.name).strip("-_") or "set"
    if files is not None:
        return read_pages(folder, name, files.absolute())
    for is_one, read in LAYOUTS:
        if is_one(folder):
            return read(folder, name)
    raise EvaluationError(
        f"{folder} is no set of questions: neither corpus.jsonl with queries.jsonl and qrels/test.tsv stands there, "
        "nor questions.jsonl with a folder pdfs or files"
    )
