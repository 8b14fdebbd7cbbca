"""Sets of questions with the pages that answer them: `questions.jsonl` beside a folder of files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Final, cast

from lab.evaluation.sets.base import Page, Question, QuestionCorpus, QuestionSet
from lab.evaluation.sets.lengths import Lengths
from lab.evaluation.sets.lines import JsonLine, by_key, read_lines
from rag.errors import EvaluationError

FOLDERS: Final = ("pdfs", "files")
QUESTIONS: Final = "questions.jsonl"
UNANSWERABLE: Final = "unanswerable.jsonl"
UNFIT: Final = frozenset({"unverified", "answer_not_literal", "partly", "page_has_no_text_layer"})
"""Values of `verification` that say: the page was not confirmed."""
CROSS_LANGUAGE: Final = "cross-language"
"""Questions in another language than their documents are a set of their own."""


def is_pages(folder: Path) -> bool:
    """Whether a folder has this layout."""
    return (folder / QUESTIONS).is_file()


def read_pages(folder: Path, name: str, drive: Path | None = None) -> QuestionCorpus:
    """The set of a folder; its files stand in `drive`, or in its folder `pdfs` or `files`. Raises EvaluationError."""
    places = [drive] if drive is not None else [folder / own for own in FOLDERS]
    found = next((place for place in places if place.is_dir()), None)
    if found is None:
        raise EvaluationError(
            f"{folder}: its files are not there: {' and '.join(map(str, places))} is no folder; "
            "put them there, or name their folder with --files"
        )
    asked = list(read_lines(folder / QUESTIONS))
    others = list(read_lines(folder / UNANSWERABLE)) if (folder / UNANSWERABLE).is_file() else []
    by_key((line, line.words("id")) for line in (*asked, *others))
    lengths = Lengths(found)
    rows = [*(_read(line, found, lengths) for line in asked), *(_Row(_plain(line)) for line in others)]
    if not any(row.is_fit for row in rows):
        marked = f": all {len(rows)} are marked as unfit ({', '.join(sorted(UNFIT))})" if rows else ""
        raise EvaluationError(f"{folder / QUESTIONS}: it holds no question that can be scored{marked}")
    near = [row for row in rows if not row.is_cross_language]
    sets = [_set(name, near)]
    if len(near) < len(rows):
        sets.append(_set(f"{name}/{CROSS_LANGUAGE}", [row for row in rows if row.is_cross_language]))
    return QuestionCorpus(name, folder, sets, drive=found)


@dataclass(frozen=True, slots=True)
class _Row:
    """A question, and how it is counted."""

    question: Question
    is_fit: bool = True
    is_cross_language: bool = False


def _set(name: str, rows: Sequence[_Row]) -> QuestionSet:
    fit = [row.question for row in rows if row.is_fit]
    return QuestionSet(
        name,
        [question for question in fit if question.is_answerable],
        [question for question in fit if not question.is_answerable],
        skipped=len(rows) - len(fit),
    )


def _read(line: JsonLine, drive: Path, lengths: Lengths) -> _Row:
    question = _plain(line)
    crosses = line.get("cross_language", bool, False)
    if line.get("unanswerable", bool, False) or line.values.get("kind") == "unanswerable":
        return _Row(question, is_cross_language=crosses)
    pages = frozenset(_pages(line, "gold_pages"))
    files = {*_files(line), *(file for file, _ in pages)}
    if not files:
        raise line.error("neither gold_file nor gold_files says which file answers it")
    for file in sorted(files):
        if not _is_below(file, drive):
            raise line.error(
                f"its file {file!r} is not in {drive}: paths begin there, with forward slashes and without '.' or '..'"
            )
    also = frozenset(_pages(line, "also_ok_pages")) - pages
    for name, named in (("gold_pages", pages), ("also_ok_pages", also)):
        if beyond := lengths.beyond(page for page in named if page[0] in files):
            raise line.error(f"{beyond[0]} has {lengths.of(beyond[0])} pages, {name} names {beyond[1]}")
    return _Row(
        Question(
            question.id,
            question.text,
            files=dict.fromkeys(sorted(files), 1),
            pages=pages,
            also=also,
            answer=str(line.values.get("answer") or ""),
        ),
        is_fit=line.get("verification", str, "") not in UNFIT,
        is_cross_language=crosses,
    )


def _is_below(file: str, drive: Path) -> bool:
    """Whether it is a file of the folder, named as the indexer will name it: in another way it is never found."""
    path = PurePosixPath(file)
    if path.is_absolute() or ".." in path.parts or str(path) != file:
        return False
    try:
        return (drive / file).is_file()
    except OSError:  # a name that no file can have
        return False


def _plain(line: JsonLine) -> Question:
    return Question(line.words("id"), line.words("question"))


def _files(line: JsonLine) -> list[str]:
    one = line.get("gold_file", str, "")
    return [one] if one else [str(file) for file in line.get("gold_files", list, cast("list[Any]", []))]


def _pages(line: JsonLine, name: str) -> Iterator[Page]:
    """As `[12, 13]` of the one gold file, or as `[["file.pdf", 12], …]`."""
    for item in line.get(name, list, cast("list[Any]", [])):
        match item:
            case bool() | [_, bool()]:
                raise line.error(f"{name} holds {item!r}, which is no page")
            case int() if item > 0 and line.values.get("gold_file"):
                yield line.get("gold_file", str), item
            case [str() as file, int() as page] if page > 0:
                yield file, page
            case _:
                raise line.error(f"{name} holds {item!r}, which is neither a page of gold_file nor [file, page]")
