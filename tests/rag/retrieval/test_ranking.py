"""The learned ranker: what its features see, what its file may not be."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.embedding.sparse import Bm25
from rag.errors import ConfigurationError
from rag.retrieval.base import Candidate, QueryTerm
from rag.retrieval.ranking import term_matches
from rag.retrieval.ranking.features import FEATURES, CandidateTable, features_of
from rag.retrieval.ranking.model import PACKAGED, answer_log_odds, load_weights, passage_log_odds, probability, scores
from tests.documents import a_chunk, a_document

BM25 = Bm25()
NOTE = a_document(title="Note")


def query_terms(question: str, *idfs: float) -> tuple[QueryTerm, ...]:
    words = BM25.query_words(question)
    return tuple(
        QueryTerm(variants, idf, seen=True) for variants, idf in zip(words, idfs or [1.0] * len(words), strict=True)
    )


def a_table(question: str, *texts: str, dense: Sequence[float] = (), bm25: Sequence[float] = ()) -> CandidateTable:
    candidates = [
        Candidate(a_chunk(NOTE, i, text), dense[i] if dense else 0.5, bm25[i] if bm25 else 1.0)
        for i, text in enumerate(texts)
    ]
    return CandidateTable(question, query_terms(question), candidates, BM25.terms)


def feature(name: str, question: str, *texts: str, **scored: Sequence[float]) -> list[float]:
    return [round(float(value), 4) for value in features_of(a_table(question, *texts, **scored), [name])[:, 0]]


def test_coverage_counts_rare_words_more() -> None:
    rare, common = 3.0, 1.0
    asked = query_terms("quokka holiday", rare, common)
    held = [
        term_matches.read(a_chunk(NOTE, 0, text), asked, BM25.terms).held
        for text in ("A quokka.", "A holiday.", "Nothing.")
    ]
    assert [term_matches.weight(one, np.array([rare, common])) for one in held] == [3.0, 1.0, 0.0]


def test_words_that_stand_together_make_a_window_and_words_far_apart_do_not() -> None:
    """Together is within about two sentences: some thirty words, and not some seventy."""
    within, beyond = (" ".join(["stone"] * count) for count in (30, 70))
    texts = ("The red bicycle.", f"Red {within} bicycle.", f"Red {beyond} bicycle.")
    assert feature("window", "red bicycle", *texts) == [1.0, 1.0, 0.5]


def test_neighbours_in_the_question_are_looked_for_as_neighbours() -> None:
    assert feature("pairs", "parental leave", "Parental leave is paid.", "Leave it to parental care.") == [1.0, 0.0]


def test_neighbours_may_have_one_term_between_them_and_not_three() -> None:
    texts = ("Parental xx leave.", "Parental xx yy zz leave.")
    assert feature("pairs", "parental leave", *texts) == [1.0, 0.0]


def test_a_number_that_the_passage_lacks_is_missed() -> None:
    assert feature("numbers_missing", "revenue of 2021 and 2022", "In 2022 and 2021.", "In 2022.", "Never.") == [
        0.0,
        0.5,
        1.0,
    ]


def test_digits_speak_for_a_passage_only_where_an_amount_is_asked_for() -> None:
    assert feature("quantity_digits", "How many days of leave?", "30 days")[0] > 0
    assert feature("quantity_digits", "Who approves leave?", "30 days") == [0.0]


def test_a_table_of_contents_is_told_by_its_page_numbers() -> None:
    contents = "Leave ....... 12\nTravel ....... 14\nExpenses   17"
    assert feature("listing", "leave", contents, "Leave is granted for 12 days.\nAsk HR.") == [1.0, 0.0]


def test_a_long_line_that_ends_in_a_number_is_prose_and_no_entry_of_a_table_of_contents() -> None:
    entry, prose = (f"{'Leave and travel ' * times}12" for times in (5, 11))  # 87 and 189 characters
    assert feature("listing", "leave", entry, prose) == [1.0, 0.0]


def test_equals_share_the_better_place() -> None:
    assert feature("dense_rank", "x", "a", "b", "c", dense=[0.2, 0.9, 0.9]) == [round(float(np.log(3)), 4), 0.0, 0.0]


@given(st.lists(st.text(max_size=60), min_size=1, max_size=4), st.text(max_size=60))
def test_features_are_numbers_whatever_is_asked_and_written(texts: list[str], question: str) -> None:
    values = features_of(a_table(question, *texts), list(FEATURES))
    assert values.shape == (len(texts), len(FEATURES))
    assert np.isfinite(values).all()


def test_without_candidates_there_are_no_rows() -> None:
    assert features_of(a_table("anything"), list(FEATURES)).shape == (0, len(FEATURES))


def test_what_ships_says_what_it_was_fitted_on_and_weighs_a_few_kilobytes() -> None:
    weights = load_weights()
    record = json.loads(PACKAGED.read_text(encoding="utf-8"))["record"]
    assert weights.order.keys() <= FEATURES.keys()
    assert record["packages"]
    assert sum(record["questions"].values()) > 1000
    assert PACKAGED.stat().st_size < 20_000


def _without_bias(file: dict[str, Any]) -> None:
    del file["answer"]["bias"]


def _unknown(file: dict[str, Any]) -> None:
    file["order"]["shoe_size"] = 1.0


def _not_a_number(file: dict[str, Any]) -> None:
    file["order"]["dense"] = float("nan")


def _swapped_bounds(file: dict[str, Any]) -> None:
    file["bounds"] = {"decline": 0.5, "caution": 0.1}


def _newer(file: dict[str, Any]) -> None:
    file["format"] = 99


def _beyond_numbers(file: dict[str, Any]) -> None:
    file["order"]["dense"] = 10**400


def _beyond_what_is_learned(file: dict[str, Any]) -> None:
    file["answer"]["bias"] = -1e308


def _without_features(file: dict[str, Any]) -> None:
    file["order"] = {}


DAMAGES = [
    *(_without_bias, _unknown, _not_a_number, _swapped_bounds, _newer),
    *(_beyond_numbers, _beyond_what_is_learned, _without_features),
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_of_weights_is_named_with_the_remedy(
    tmp_path: Path, damage: Callable[[dict[str, Any]], None]
) -> None:
    file = json.loads(PACKAGED.read_text(encoding="utf-8"))
    damage(file)
    path = tmp_path / "weights.json"
    path.write_text(json.dumps(file), encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"weights\.json .*training\.ranker"):
        load_weights(path)


@pytest.mark.parametrize("content", ["", "[]", "{", '"x"', "null", "[" * 100_000])
def test_what_is_no_file_of_weights_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "weights.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ConfigurationError, match="damaged"):
        load_weights(path)


def test_what_is_beyond_doubt_is_a_probability_too() -> None:
    assert probability(np.array([-1e6, 0.0, 1e6])).tolist() == pytest.approx([0.0, 0.5, 1.0])


def test_the_better_passage_is_never_less_probable() -> None:
    weights = load_weights()
    table = a_table("red bicycle", "The red bicycle.", "Blue.", "Red.", dense=[0.8, 0.1, 0.5], bm25=[9.0, 0.0, 4.0])
    ordering = scores(weights, table)
    chances = probability(passage_log_odds(weights, 0.3, ordering))
    assert np.argsort(-ordering).tolist() == np.argsort(-chances).tolist() == [0, 2, 1]
    assert ((chances > 0) & (chances < 1)).all()


def test_a_single_good_passage_is_as_good_as_one_among_others() -> None:
    weights, question = load_weights(), "wheels of the bicycle"
    good = "The bicycle has three wheels."
    alone = answer_log_odds(weights, a_table(question, good, dense=[0.7], bm25=[9.0]))
    among = answer_log_odds(
        weights, a_table(question, good, "Whales.", "Rain.", dense=[0.7, 0.55, 0.55], bm25=[9.0, 0, 0])
    )
    assert alone == pytest.approx(among, abs=0.25)
