"""Whether what was found is good enough: the rule by itself, and weighed in the real store."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from math import nextafter
from pathlib import Path

import pytest

from rag.answering.evidence import ENOUGH, THIN, Evidence, Judge, Verdict
from rag.embedding.hybrid import HybridEmbedder
from rag.embedding.sparse import Bm25
from rag.retrieval import MODES
from rag.store.edge import EdgeStore
from rag.types import Scope, ScoredChunk
from tests.documents import WordModel
from tests.rag.answering import a_filled_store

SALES = Scope(frozenset({"drive/sales"}))
ALL = Scope.everything()


@pytest.fixture
async def store(tmp_path: Path) -> AsyncGenerator[EdgeStore]:
    async with a_filled_store(
        tmp_path,
        sales__bicycle=["The bicycle CB-4471-K has three wheels.", "The bicycle is blue."],
        sales__whales=["Blue whales sing."],
        HR__secret=["The project ZX-9000 has a budget."],
    ) as store:
        yield store


def judge(store: EdgeStore) -> Judge:
    return Judge(store, Bm25())


async def found(store: EdgeStore, question: str, scope: Scope, mode: str = "hybrid") -> Sequence[ScoredChunk]:
    retriever = MODES[mode](HybridEmbedder(WordModel(), Bm25()), store, candidates=20)
    return (await retriever.retrieve(question, scope, limit=6)).chunks


@pytest.mark.parametrize(
    ("similarity", "coverage", "missing", "verdict"),
    [
        (ENOUGH, ENOUGH, (), Verdict.ANSWER),
        (None, ENOUGH, (), Verdict.ANSWER),
        (None, nextafter(ENOUGH, 0), (), Verdict.CAUTION),
        (None, THIN, (), Verdict.CAUTION),
        (None, nextafter(THIN, 0), (), Verdict.DECLINE),
        (1.0, 1.0, ("CB-1000",), Verdict.DECLINE),
        (1.0, 0.0, (), Verdict.CAUTION),
        (-1.0, 1.0, (), Verdict.CAUTION),
        (None, 0.0, (), Verdict.DECLINE),
    ],
)
def test_the_bounds_belong_to_the_better_side(
    similarity: float | None, coverage: float, missing: tuple[str, ...], verdict: Verdict
) -> None:
    assert Evidence(similarity, coverage, missing, {}).verdict is verdict


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("Does the bicycle “CB-9999-X” have wheels?", ("CB-9999-X",)),
        ("Do CB-4471-K and cb4471k have wheels?", ()),
        ("CB-4471-Kの価格は？", ()),
        ("Is ZX-9000 or QQ-1234 blue?", ("ZX-9000", "QQ-1234")),
        ("How many wheels in 2026, FY2026 or Q3?", ()),
    ],
)
async def test_codes_that_no_document_in_scope_holds_are_named_as_they_were_asked(
    store: EdgeStore, question: str, missing: tuple[str, ...]
) -> None:
    evidence = await judge(store).weigh(question, await found(store, question, SALES), SALES)
    assert evidence.missing_codes == missing


async def test_a_code_of_another_scope_looks_like_one_that_does_not_exist(store: EdgeStore) -> None:
    question = "What is the budget of {}?"
    real, invented = [
        await judge(store).weigh(asked, await found(store, asked, SALES), SALES)
        for asked in (question.format("ZX-9000"), question.format("ZX-9001"))
    ]
    assert real.coverage == invented.coverage
    assert list(real.weights.values()) == list(invented.weights.values())
    assert (await judge(store).weigh("ZX-9000?", await found(store, "ZX-9000?", ALL), ALL)).missing_codes == ()


async def test_a_rare_term_weighs_more_than_a_common_one_and_an_unseen_one_no_less(store: EdgeStore) -> None:
    question = "blue wheels quokka"
    weights = (await judge(store).weigh(question, await found(store, question, ALL), ALL)).weights
    blue, wheel, quokka = (weights[Bm25().terms(word)[0]] for word in question.split())
    assert 0 < blue < wheel <= quokka


@pytest.mark.parametrize(
    "mode", sorted(MODES.keys() - {"hierarchical"})
)  # it needs parents, and brings the signals of hybrid
async def test_all_modes_give_a_judge_enough_to_go_by(store: EdgeStore, mode: str) -> None:
    question = "The bicycle CB-4471-K has three wheels"
    evidence = await judge(store).weigh(question, await found(store, question, SALES, mode), SALES)
    assert (evidence.similarity is None) is (mode == "bm25")
    assert evidence.verdict is Verdict.ANSWER


@pytest.mark.parametrize("question", ["", "what is the of", "🚲"])
async def test_a_question_without_terms_is_weighed_without_dividing_by_nothing(store: EdgeStore, question: str) -> None:
    evidence = await judge(store).weigh(question, [], SALES)
    assert (evidence.coverage, evidence.verdict) == (0.0, Verdict.DECLINE)
