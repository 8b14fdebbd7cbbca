"""Sets in the layout of BEIR: `corpus.jsonl`, `queries.jsonl`, `qrels/test.tsv`; documents are scored."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import quote

from rag.errors import EvaluationError
from rag.evaluation.sets.base import Corpus, Question, QuestionSet, Text
from rag.evaluation.sets.lines import read_lines, read_text

SPLIT: Final = "test"
FOLDERS: Final = 100
"""So many folders share the documents: their names are two digits, which no text is found by."""
_COLUMNS: Final = 3


def is_beir(folder: Path) -> bool:
    """Whether a folder has this layout."""
    return _corpus_file(folder).is_file() and (folder / "qrels").is_dir()


def read_beir(folder: Path, name: str) -> Corpus:
    """The set of a folder. Raises EvaluationError."""
    texts: dict[str, Text] = {}
    for line in read_lines(_corpus_file(folder)):
        title = " ".join(line.get("title", str, "").split())
        texts[file_of(line.get("_id", str))] = Text(title, line.get("text", str, ""))
    relevant = _relevant(folder / "qrels" / f"{SPLIT}.tsv", texts)
    questions = [
        Question(key, line.get("text", str), files=relevant[key])
        for line in read_lines(folder / "queries.jsonl")
        if (key := line.get("_id", str)) in relevant
    ]
    if absent := relevant.keys() - {question.id for question in questions}:
        raise EvaluationError(f"{folder / 'queries.jsonl'}: the query {min(absent)!r} of the qrels is not in it")
    return Corpus(name, folder, [QuestionSet(name, questions, by_page=False)], texts=texts)


def file_of(key: str) -> str:
    """The path that the document of this id is given: safe on every file system, and unlike any other's."""
    safe = quote(key, safe="").replace(".", "%2E").replace("~", "%7E")  # hidden files and litter are not listed
    return f"{zlib.crc32(key.encode()) % FOLDERS:02}/{safe}.md"


def _corpus_file(folder: Path) -> Path:
    packed = folder / "corpus.jsonl.gz"
    return packed if packed.is_file() else folder / "corpus.jsonl"


def _relevant(path: Path, texts: Mapping[str, Text]) -> Mapping[str, Mapping[str, int]]:
    """By query: the files that answer it, and their grades."""
    found: dict[str, dict[str, int]] = {}
    for number, row in enumerate(read_text(path).split("\n"), start=1):
        cells = row.split("\t")
        if number == 1 or not row.strip():
            continue
        if len(cells) != _COLUMNS or not cells[2].strip().lstrip("-").isdigit():
            raise EvaluationError(f"{path}:{number}: not a line of query-id, corpus-id and a whole number: {row!r}")
        query, key, grade = cells[0], cells[1], int(cells[2])
        if file_of(key) not in texts:
            raise EvaluationError(f"{path}:{number}: the document {key!r} is not in the corpus")
        if grade > 0:
            found.setdefault(query, {})[file_of(key)] = grade
    return found
