"""`run` as an operator starts it: the program, the indexer that it starts, the packaged model."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lab.evaluation.cli import app
from lab.evaluation.indexing import settings_for
from lab.evaluation.results import Detail, Result, read_details, read_results
from lab.evaluation.sets import read_set
from lab.evaluation.settings import EvaluationSettings, indexer_environment
from tests.lab.evaluation.small_sets import beir_set, page_set
from tests.processes import run_program

MODES = ("hybrid", "bm25-documents", "embedding-alone")


@dataclass(frozen=True)
class Ran:
    folder: Path
    results: dict[tuple[str, str], Result]
    details: dict[tuple[str, str, str], Detail]
    misses: str
    table: str
    errors: str

    def again(self, *arguments: str, **settings: str) -> tuple[int, str, str]:
        """In the same work folder, asked in one way."""
        return asyncio.run(run_program("lab.evaluation", "run", *arguments, folder=self.folder, **settings))


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    folder = tmp_path_factory.mktemp("evaluation")
    page_set(folder / "handbook")
    beir_set(folder / "wool")
    files = ("--out", "out.json", "--details", "details.jsonl", "--misses", "misses.md")
    modes = (word for mode in MODES for word in ("--mode", mode))
    command = ("lab.evaluation", "run", "handbook", "wool", *modes, *files)
    code, table, errors = asyncio.run(run_program(*command, folder=folder))
    assert code == 0, errors
    return Ran(
        folder,
        {(one.set, one.mode): one for one in read_results(folder / "out.json")},
        {(one.set, one.mode, one.id): one for one in read_details(folder / "details.jsonl")},
        (folder / "misses.md").read_text(encoding="utf-8"),
        table,
        errors,
    )


def test_every_set_is_asked_in_every_way(ran: Ran):
    sets = ("handbook", "handbook/cross-language", "wool")
    assert set(ran.results) == {(name, mode) for name in sets for mode in MODES}
    own = ran.results["handbook", "hybrid"]
    assert (own.questions, own.unanswerable, own.skipped) == (3, 2, 1)
    assert (own.index.documents, own.index.unread) == (2, 0)
    assert own.index.chunks >= 5
    assert {"embed", "retrieve", "weigh"} <= own.latency_ms.keys()


@pytest.mark.parametrize("mode", MODES)
def test_the_page_that_answers_is_found(ran: Ran, mode: str):
    own = ran.results["handbook", mode]
    assert {own.metrics[name].value for name in ("page@1", "file@1", "recall@3", "MRR@10")} == {1}
    assert ran.details["handbook", mode, "q3"].found[0][:2] == ("Prices.pdf", 1)


@pytest.mark.parametrize("mode", MODES)
def test_the_document_that_answers_is_found_under_its_own_id(ran: Ran, mode: str):
    own = ran.results["wool", mode]
    assert {own.metrics[name].value for name in ("nDCG@10", "recall@3", "recall@100", "MRR@10")} == {1}


def test_what_is_declined_is_told_of_ways_that_have_a_rule_for_it(ran: Ran):
    rule = ran.results["handbook", "hybrid"].declining
    assert rule is not None and rule.recall is not None and rule.answerable_declined is not None
    assert (rule.recall.n, rule.answerable_declined.n) == (2, 3)
    assert ran.details["handbook", "hybrid", "u1"].verdict == "decline"
    assert ran.details["handbook", "hybrid", "q1"].verdict in {"answer", "caution"}
    assert ran.results["handbook", "bm25-documents"].declining is None


def test_a_question_that_shares_no_word_is_missed_by_words_alone(ran: Ran):
    assert "# handbook/cross-language, bm25-documents: 1 of 1 missed" in ran.misses
    assert "answered on: Handbook.pdf p. 2; not among the first 200" in ran.misses
    assert "instead: nothing" in ran.misses


def test_the_table_names_figures_and_ways_and_progress_goes_elsewhere(ran: Ran):
    assert "handbook: 3 answerable questions, 2 unanswerable, 1 left out as unverified" in ran.table
    assert "page@1" in ran.table and "embedding-alone" in ran.table
    assert "wool: asking 2 questions by hybrid" in ran.errors


def test_what_is_indexed_is_not_indexed_again_and_the_index_that_serves_is_left_alone(ran: Ran):
    indexes = set((ran.folder / ".footnote" / "evaluation").glob("handbook-*/index-*"))
    assert len(indexes) == 1
    [index] = indexes
    generation = (index / "index" / "CURRENT").read_text(encoding="utf-8")
    code, _, errors = ran.again("handbook", "--mode", "dense", "--limit", "1")
    assert code == 0, errors
    assert (index / "index" / "CURRENT").read_text(encoding="utf-8") == generation
    assert not (ran.folder / ".footnote" / "index").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (("gone",), 1, "is no set of questions"),
        (("handbook", "--mode", "telepathy"), 3, "'telepathy'"),
        (("handbook", "wool", "--files", "."), 2, "--files goes with one set only"),
        (("wool", "--limit", "0"), 2, "Invalid value"),
    ],
)
def test_what_cannot_be_measured_ends_with_its_exit_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], code: int, complaint: str
):
    monkeypatch.chdir(tmp_path)
    page_set(tmp_path / "handbook")
    beir_set(tmp_path / "wool")
    done = CliRunner().invoke(app, ["run", *arguments])
    assert done.exit_code == code, done.output
    assert done.stdout == ""
    assert complaint in done.stderr
    assert not list(tmp_path.glob("**/index"))


def test_each_embedder_and_chunker_has_an_index_of_its_own_also_on_a_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    corpus, settings = read_set(page_set(tmp_path / "handbook")), EvaluationSettings()
    one = settings_for(corpus, tmp_path / "work", settings, "model")
    other = settings_for(corpus, tmp_path / "work", settings, "another model")
    (tmp_path / ".env").write_text("FOOTNOTE_CHUNKER=sentence\n", encoding="utf-8")
    cut = settings_for(corpus, tmp_path / "work", settings, "model")
    monkeypatch.setenv("FOOTNOTE_CHUNKER", "fixed")
    recut = settings_for(corpus, tmp_path / "work", settings, "model")
    found = [one, other, cut, recut]
    assert len({each.data_dir for each in found}) == len({each.store.collection for each in found}) == 4
    assert settings.store.collection not in {each.store.collection for each in found}
    environment = indexer_environment(one.data_dir, one.store.collection)
    assert environment["FOOTNOTE_DATA_DIR"] == str(one.data_dir)
    assert environment["FOOTNOTE_STORE__COLLECTION"] == one.store.collection
