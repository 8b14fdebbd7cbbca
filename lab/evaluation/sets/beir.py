"""Sets in the layout of BEIR: `corpus.jsonl`, `queries.jsonl`, `qrels/test.tsv`; documents are scored."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final
from urllib.parse import quote

from lab.evaluation.sets.base import Question, QuestionCorpus, QuestionSet, SetText
from lab.evaluation.sets.lines import by_key, read_lines, read_text
from rag.errors import EvaluationError

SPLIT: Final = "test"
FOLDERS: Final = 100
"""So many folders share the documents: their names are two digits, which no text is found by."""
_COLUMNS: Final = 3
_GRADE: Final = re.compile(r"-?[0-9]{1,4}")
_LONGEST_NAME: Final = 200
"""Bytes: with what follows, a file system takes them as a name (255)."""


def is_beir(folder: Path) -> bool:
    """Whether a folder has this layout."""
    return _corpus_file(folder).is_file() and (folder / "qrels").is_dir()


def read_beir(folder: Path, name: str) -> QuestionCorpus:
    """The set of a folder. Raises EvaluationError."""
    documents = by_key((line, line.words("_id")) for line in read_lines(_corpus_file(folder)))
    texts = {
        file_of(key): SetText(" ".join(line.get("title", str, "").split()), line.get("text", str, ""))
        for key, line in documents.items()
    }
    relevant = _relevant(folder / "qrels" / f"{SPLIT}.tsv", texts)
    queries = by_key((line, line.words("_id")) for line in read_lines(folder / "queries.jsonl"))
    questions = [
        Question(key, line.words("text"), files=relevant[key]) for key, line in queries.items() if key in relevant
    ]
    if absent := relevant.keys() - {question.id for question in questions}:
        raise EvaluationError(f"{folder / 'queries.jsonl'}: the query {min(absent)!r} of the qrels is not in it")
    if not questions:
        raise EvaluationError(f"{folder / 'qrels' / f'{SPLIT}.tsv'}: it names no document that answers a query")
    return QuestionCorpus(name, folder, [QuestionSet(name, questions, by_page=False)], texts=texts)


def file_of(key: str) -> str:
    """The path that the document of this id is given: safe on every file system, and unlike any other's."""
    safe = quote(key, safe="").replace(".", "%2E").replace("~", "%7E")  # hidden files and litter are not listed
    if len(safe) > _LONGEST_NAME:
        safe = f"{safe[:_LONGEST_NAME]}-{sha256(key.encode()).hexdigest()[:16]}"
    return f"{zlib.crc32(key.encode()) % FOLDERS:02}/{safe}.md"


def _corpus_file(folder: Path) -> Path:
    packed = folder / "corpus.jsonl.gz"
    return packed if packed.is_file() else folder / "corpus.jsonl"


def _relevant(path: Path, texts: Mapping[str, SetText]) -> Mapping[str, Mapping[str, int]]:
    """By query: the files that answer it, and their grades."""
    found: dict[str, dict[str, int]] = {}
    for number, row in enumerate(read_text(path).split("\n"), start=1):
        cells = row.split("\t")
        is_judgement = len(cells) == _COLUMNS and _GRADE.fullmatch(cells[2].strip())
        if not row.strip() or (number == 1 and not is_judgement):  # the first line names the columns, as a rule
            continue
        if not is_judgement:
            raise EvaluationError(f"{path}:{number}: not a line of query-id, corpus-id and a whole number: {row!r}")
        query, key, grade = cells[0], cells[1], int(cells[2])
        if file_of(key) not in texts:
            raise EvaluationError(f"{path}:{number}: the document {key!r} is not in the corpus")
        if grade > 0:
            found.setdefault(query, {})[file_of(key)] = grade
    return found
