"""Whether what was found is good enough: the rule by itself, and weighed in the real store."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from math import nextafter
from pathlib import Path

import pytest

from rag.answering.excerpts import term_weights
from rag.answering.gate import AnswerabilityGate, GateDecision, Verdict
from rag.embedding.hybrid import HybridEmbedder
from rag.embedding.sparse import Bm25
from rag.retrieval import BASES
from rag.retrieval.base import QueryTerm, RetrievalResult
from rag.retrieval.deps import RetrievalDeps
from rag.retrieval.modes import RetrievalModes
from rag.settings.groups import RetrievalSettings
from rag.store.edge import EdgeStore
from rag.types.scope import Scope
from tests.documents import WordModel
from tests.rag.answering.parts import a_filled_store

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


DECLINE, CAUTION = 0.2, 0.4


def some_deps(store: EdgeStore) -> RetrievalDeps:
    return RetrievalDeps(HybridEmbedder(WordModel(), Bm25()), store, RetrievalSettings(candidates=20))


def a_gate() -> AnswerabilityGate:
    return AnswerabilityGate(Bm25(), decline=DECLINE, caution=CAUTION)


async def found(store: EdgeStore, question: str, scope: Scope, mode: str = "hybrid") -> RetrievalResult:
    """What a mode makes of what it finds."""
    return await RetrievalModes(some_deps(store)).retriever(mode).retrieve(question, scope, limit=6)


async def decided(store: EdgeStore, question: str, scope: Scope, mode: str = "hybrid") -> GateDecision:
    return a_gate().decide(question, await found(store, question, scope, mode))


@pytest.mark.parametrize(
    ("probability", "verdict"),
    [
        (1.0, Verdict.ANSWER),
        (CAUTION, Verdict.ANSWER),
        (nextafter(CAUTION, 0), Verdict.CAUTION),
        (DECLINE, Verdict.CAUTION),
        (nextafter(DECLINE, 0), Verdict.DECLINE),
        (0.0, Verdict.DECLINE),
    ],
)
def test_the_bounds_belong_to_the_better_side(probability: float, verdict: Verdict) -> None:
    decision = a_gate().decide("What is the budget?", RetrievalResult(1, [], probability, ()))
    assert decision == GateDecision(verdict, probability)


@pytest.mark.parametrize(
    ("word", "seen", "verdict"),
    [("CB-1000", False, Verdict.DECLINE), ("CB-1000", True, Verdict.ANSWER), ("quokka", False, Verdict.ANSWER)],
)
def test_only_a_code_that_no_document_holds_declines_what_is_else_sure(
    word: str, *, seen: bool, verdict: Verdict
) -> None:
    term = QueryTerm(tuple(Bm25().terms(word)), idf=1.0, seen=seen)
    decision = a_gate().decide(f"What is ({word})?", RetrievalResult(1, [], 1.0, (term,)))
    assert decision.verdict is verdict
    assert decision.missing_codes == ((word,) if verdict is Verdict.DECLINE else ())


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
    assert (await decided(store, question, SALES)).missing_codes == missing


async def test_a_code_of_another_scope_looks_like_one_that_does_not_exist(store: EdgeStore) -> None:
    question = "What is the budget of {}?"
    real, invented = [
        await found(store, asked, SALES) for asked in (question.format("ZX-9000"), question.format("ZX-9001"))
    ]
    assert [(term.idf, term.seen) for term in real.terms] == [(term.idf, term.seen) for term in invented.terms]
    assert (await decided(store, "ZX-9000?", ALL)).missing_codes == ()


async def test_a_rare_term_weighs_more_than_a_common_one_and_an_unseen_one_no_less(store: EdgeStore) -> None:
    question = "blue wheels quokka"
    weights = term_weights((await found(store, question, ALL)).terms)
    blue, wheel, quokka = (weights[Bm25().terms(word)[0]] for word in question.split())
    assert 0 < blue < wheel <= quokka


@pytest.mark.parametrize("mode", [*sorted(BASES.keys() - {"hierarchical"}), "hybrid+ranker", "dense+ranker"])
async def test_all_modes_are_decided_alike(store: EdgeStore, mode: str) -> None:
    question = "The bicycle CB-4471-K has three wheels, whales have none"  # so that each mode finds all three passages
    decision = await decided(store, question, SALES, mode)
    assert decision.verdict is Verdict.ANSWER
    assert decision.probability == pytest.approx((await decided(store, question, SALES)).probability, abs=0.01)


@pytest.mark.parametrize("mode", ["bm25", "hybrid", "hybrid+ranker"])
async def test_the_score_that_people_see_is_a_probability_and_the_same_in_every_mode(
    store: EdgeStore, mode: str
) -> None:
    question = "How many wheels has the bicycle CB-4471-K, and how many have whales?"
    modes = RetrievalModes(some_deps(store))
    best, *_ = (await modes.retriever(mode).retrieve(question, SALES, limit=3)).chunks
    assert best.chunk.text == "The bicycle CB-4471-K has three wheels."
    assert 0 < best.probability < 1
    others = (await modes.retriever("dense").retrieve(question, SALES, limit=3)).chunks
    assert [best.probability] == pytest.approx([hit.probability for hit in others if hit.chunk == best.chunk], abs=0.01)


@pytest.mark.parametrize("question", ["", "what is the of", "🚲"])
async def test_a_question_without_terms_is_weighed_without_dividing_by_nothing(store: EdgeStore, question: str) -> None:
    assert await decided(store, question, Scope(frozenset({"nowhere"}))) == GateDecision(Verdict.DECLINE, 0.0)
    assert 0 <= (await decided(store, question, SALES)).probability <= 1
