"""The demo company's evaluation set: sound in itself, and the gate that retrieval must pass as it comes."""

from __future__ import annotations

import asyncio
import json
import shutil
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Final

import pytest
from pydantic import BaseModel, ConfigDict

from lab.evaluation.indexing import settings_for
from lab.evaluation.sets import read_set
from lab.evaluation.settings import EvaluationSettings
from rag.bootstrap.models import embedder_name
from rag.embedding.minilm import MiniLM
from tests.demo.drive import DEMO, files_of, read_questions
from tests.demo.shared import demo_drive, demo_index
from tests.processes import run_program

SET: Final = DEMO / "evaluation"
RECALL_AT_3: Final = 0.90
"""Of the questions in the language of their documents, asked in the default way."""


class Answerable(BaseModel):
    """A line of questions.jsonl."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    question: str
    answer: str
    gold_file: str
    gold_pages: tuple[int, ...]
    also_ok_pages: tuple[int, ...]
    lang: str
    kind: str
    cross_language: bool = False


class Unanswerable(BaseModel):
    """A line of unanswerable.jsonl."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    question: str
    kind: str
    lang: str
    absent: str


def _lines(name: str) -> Sequence[str]:
    return (SET / name).read_text(encoding="utf-8").splitlines()


ANSWERABLE: Final = [Answerable.model_validate_json(line) for line in _lines("questions.jsonl")]
UNANSWERABLE: Final = [Unanswerable.model_validate_json(line) for line in _lines("unanswerable.jsonl")]


@pytest.fixture(scope="module")
def drive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo company's drive."""
    return demo_drive(tmp_path_factory)


@pytest.fixture
async def pages(drive: Path, tmp_path: Path) -> Mapping[str, Sequence[str]]:
    """The pages of each file as the indexer reads them, scans too."""
    files = (str(drive / file) for file in files_of(drive))
    code, output, errors = await run_program("indexer", "inspect", "--json", "--text", *files, folder=tmp_path)
    assert code == 0, errors
    read: list[dict[str, Any]] = [json.loads(line) for line in output.splitlines()]
    return {
        Path(file["path"]).relative_to(drive).as_posix(): [_plain(page["text"]) for page in file["pages"]]
        for file in read
    }


def _plain(text: str) -> str:
    """Without emphasis, white space collapsed."""
    return " ".join(unicodedata.normalize("NFKC", text).replace("**", "").split())


async def test_each_answer_stands_on_each_of_its_pages_and_what_has_none_is_named_nowhere(
    pages: Mapping[str, Sequence[str]],
):
    missing = [
        (question.id, number)
        for question in ANSWERABLE
        for number in (*question.gold_pages, *question.also_ok_pages)
        if _plain(question.answer) not in pages[question.gold_file][number - 1]
    ]
    assert missing == []
    whole = " ".join(page for file in pages.values() for page in file).casefold()
    assert [question.id for question in UNANSWERABLE if _plain(question.absent).casefold() in whole] == []


def test_the_questions_are_about_files_of_every_kind_and_in_several_languages(drive: Path):
    kinds = {PurePosixPath(file).suffix for file in files_of(drive)}
    assert {PurePosixPath(question.gold_file).suffix for question in ANSWERABLE} == kinds
    assert {question.kind for question in ANSWERABLE} == {"fact", "table", "exact code", "version", "scan"}
    assert {question.kind for question in UNANSWERABLE} == {"near", "product", "year", "code", "place", "off topic"}
    own = Counter(question.lang for question in ANSWERABLE if not question.cross_language)
    assert own.keys() == {"en", "de", "fr", "es", "ja"} == {question.lang for question in UNANSWERABLE}
    assert (len(ANSWERABLE), own.total(), len(UNANSWERABLE)) == (92, 82, 36)


def test_no_question_is_asked_twice():
    asked = [question.question.casefold() for question in (*ANSWERABLE, *UNANSWERABLE, *read_questions())]
    assert [question for question, count in Counter(asked).items() if count > 1] == []
    assert len({question.id for question in (*ANSWERABLE, *UNANSWERABLE)}) == len(ANSWERABLE) + len(UNANSWERABLE)


@pytest.mark.timeout(300)
async def test_the_default_way_finds_the_page(drive: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory):
    (tmp_path / "demo").symlink_to(SET)
    questions, work = tmp_path / "demo", tmp_path / "work"
    corpus, embedder = read_set(questions, files=drive), embedder_name(MiniLM())
    shutil.copytree(
        await asyncio.to_thread(demo_index, tmp_path_factory),
        settings_for(corpus, work, EvaluationSettings(), embedder).data_dir,
    )
    command = ("run", str(questions), "--files", str(drive), "--work", str(work), "--json")
    code, output, errors = await run_program("lab.evaluation", *command, folder=tmp_path)
    assert code == 0, errors
    results: list[dict[str, Any]] = json.loads(output)
    own = next(result for result in results if not result["set"].endswith("cross-language"))
    assert (own["questions"], own["index"]["unread"]) == (82, 0)
    print(json.dumps({"metrics": own["metrics"], "declining": own["declining"]}))  # noqa: T201  # shown when it fails, and by -s
    assert own["metrics"]["recall@3"] >= RECALL_AT_3
