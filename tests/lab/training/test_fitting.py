"""Orders and chances that are fitted, on data whose order and chance are known."""

from __future__ import annotations

import numpy as np
import pytest

from lab.training.fitting import CandidateLists, Floats, fit_chance, fit_order

QUESTIONS = 200
CANDIDATES = 10


def lists_of(features: Floats, worth: Floats) -> CandidateLists:
    """Each question's best candidate by `worth` answers it."""
    best = worth.reshape(QUESTIONS, CANDIDATES).argmax(axis=1) + np.arange(QUESTIONS) * CANDIDATES
    answers = np.zeros(len(features), dtype=np.bool_)
    answers[best] = True
    starts = np.arange(QUESTIONS, dtype=np.intp) * CANDIDATES
    return CandidateLists(features, starts, answers, np.full(QUESTIONS, 1 / QUESTIONS))


@pytest.fixture
def features() -> Floats:
    """Three features without a pattern, in different units."""
    return np.random.default_rng(3).normal(size=(QUESTIONS * CANDIDATES, 3)) * (1.0, 10.0, 0.1)


def test_an_order_that_features_make_is_found_whatever_their_units(features: Floats) -> None:
    worth = features @ (2.0, 0.1, 0.0)
    found = fit_order(lists_of(features, worth), ("dense", "bm25", "coverage"))
    first, second, third = found * features.std(axis=0)
    assert first / second == pytest.approx(2.0, rel=0.15)
    assert abs(third) < first / 20
    ranked = (features @ found).reshape(QUESTIONS, CANDIDATES).argmax(axis=1)
    assert np.mean(ranked == worth.reshape(QUESTIONS, CANDIDATES).argmax(axis=1)) > 0.95


def test_what_speaks_for_a_passage_is_never_learned_to_speak_against_it(features: Floats) -> None:
    worth = features @ (1.0, -0.2, 20.0)
    dense, bm25, listing = fit_order(lists_of(features, worth), ("dense", "bm25", "listing"))
    assert dense > 0 and (bm25, listing) == (0, 0)
    falling = fit_order(lists_of(features, -worth), ("dense", "bm25", "listing"))
    assert falling[0] == 0 and falling[1] > 0 and falling[2] < 0


def test_any_answer_of_a_question_that_has_several_may_come_first() -> None:
    features = np.array([[3.0], [1.0], [0.0], [2.0], [0.5], [0.0]])
    answers = np.array([True, False, True, True, False, True])
    found = fit_order(CandidateLists(features, np.array([0, 3]), answers, np.array([0.5, 0.5])), ("dense",))
    assert found[0] > 0


def test_chances_are_those_with_which_it_comes_true() -> None:
    chance = np.random.default_rng(5)
    evidence = chance.normal(size=(8_000, 2)) * (1.0, 5.0)
    true = 1 / (1 + np.exp(-(0.5 + evidence @ (1.5, 0.2))))
    bias, weights = fit_chance(evidence, chance.random(len(true)) < true, np.ones(len(true)))
    assert [bias, *weights] == pytest.approx([0.5, 1.5, 0.2], rel=0.15)
    said = 1 / (1 + np.exp(-(bias + evidence @ weights)))
    assert np.abs(said - true).mean() < 0.02


def test_rows_without_weight_teach_nothing_and_evidence_never_counts_against() -> None:
    evidence = np.array([[0.0], [1.0], [0.0], [1.0]])
    answers = np.array([False, True, True, False])
    _, [rising] = fit_chance(evidence, answers, np.array([1.0, 1.0, 0.0, 0.0]))
    _, [falling] = fit_chance(evidence, answers, np.array([0.0, 0.0, 1.0, 1.0]))
    assert rising > 0 and falling == 0
