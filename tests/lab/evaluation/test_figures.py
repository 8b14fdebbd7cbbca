from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from lab.evaluation.asking import VERDICTS
from lab.evaluation.declining import Weighed, declining
from lab.evaluation.figures import Estimate, figure_of, latency, mean, p_value, separation, share
from lab.evaluation.metrics import deep_scores, document_scores, documents, first_right, page_scores
from lab.evaluation.results import IndexSummary, Result, read_results, results_json
from lab.evaluation.sets.base import Question
from lab.evaluation.systems.base import FoundPassage
from rag.answering.gate import Verdict
from rag.errors import EvaluationError


def passage(*places: tuple[str, int]) -> FoundPassage:
    return FoundPassage(places, 1.0)


ELSEWHERE = passage(("other.pdf", 1))


def test_a_page_counts_when_a_passage_of_the_first_k_lies_on_it():
    question = Question("q", "?", files={"a.pdf": 1}, pages=frozenset({("a.pdf", 3), ("a.pdf", 4)}))
    ranking = [ELSEWHERE, ELSEWHERE, passage(("a.pdf", 9)), passage(("a.pdf", 4)), passage(("a.pdf", 3))]
    [scores] = page_scores([question], [ranking])
    assert {name: scores[name] for name in ("page@1", "page@3", "page@5", "page@10")} == {
        "page@1": 0,
        "page@3": 0,
        "page@5": 1,
        "page@10": 1,
    }
    assert (scores["file@1"], scores["file@5"]) == (0, 1)
    assert scores["MRR@10"] == pytest.approx(1 / 4)
    assert scores["recall@3"] == 0
    assert first_right(question, ranking) == 4


def test_recall_is_the_share_of_pages_that_must_be_found_and_others_are_right_too():
    question = Question(
        "q", "?", files={"a.pdf": 1}, pages=frozenset({("a.pdf", 3), ("a.pdf", 4)}), also=frozenset({("a.pdf", 5)})
    )
    [scores] = page_scores([question], [[passage(("a.pdf", 5)), passage(("a.pdf", 4)), ELSEWHERE]])
    assert scores["page@1"] == 1
    assert scores["recall@3"] == pytest.approx(0.5)


def test_pages_are_counted_once_however_many_of_their_passages_are_found():
    question = Question("q", "?", files={"a.pdf": 1}, pages=frozenset({("a.pdf", 2)}))
    [scores] = page_scores([question], [[*[ELSEWHERE] * 6, passage(("a.pdf", 2))]])
    assert (scores["page@5"], scores["pages@5"]) == (0, 1)


def test_a_copy_of_the_file_is_the_file():
    question = Question("q", "?", files={"a.pdf": 1}, pages=frozenset({("a.pdf", 2)}))
    [scores] = page_scores([question], [[passage(("copy.pdf", 2), ("a.pdf", 2))]])
    assert (scores["page@1"], scores["file@1"], scores["recall@3"]) == (1, 1, 1)


def test_of_a_question_without_known_pages_files_alone_are_scored():
    [scores] = page_scores([Question("q", "?", files={"a.pdf": 1})], [[passage(("a.pdf", 2))]])
    assert scores == {"file@1": 1, "file@5": 1}


def test_a_question_for_which_nothing_right_is_found_counts_as_zero():
    question = Question("q", "?", files={"a.pdf": 1}, pages=frozenset({("a.pdf", 2)}))
    for ranking in ([], [ELSEWHERE]):
        [scores] = page_scores([question], [ranking])
        assert len(scores) == 9
        assert set(scores.values()) == {0}
        assert first_right(question, ranking) is None


def test_a_document_stands_where_its_best_passage_does():
    question = Question("q", "?", files={"a": 1, "b": 1})
    ranking = [passage(("x", 1)), passage(("a", 1)), passage(("a", 2)), passage(("x", 2)), passage(("b", 1))]
    assert documents(ranking) == ["x", "a", "b"]
    [scores] = document_scores([question], [ranking])
    ideal = 1 + 1 / math.log2(3)
    assert scores["nDCG@10"] == pytest.approx((1 / math.log2(3) + 1 / math.log2(4)) / ideal)
    assert scores["recall@3"] == 1
    assert scores["MRR@10"] == pytest.approx(0.5)
    assert deep_scores([question], [ranking]) == [{"recall@100": 1}]


def test_scores_stand_in_the_order_of_their_questions():
    questions = [Question(f"q{number}", "?", files={f"{number}": 1}) for number in range(12)]
    rankings = [[passage((f"{number}", 1))] if number % 2 else [] for number in range(12)]
    assert [scores["nDCG@10"] for scores in document_scores(questions, rankings)] == [0, 1] * 6


def test_a_mean_has_an_interval_that_is_the_same_each_time_and_narrower_with_more_questions():
    few, many = mean([0, 1] * 10), mean([0, 1] * 500)
    assert few == mean([0, 1] * 10)
    assert few.value == many.value == 0.5
    assert few.low < many.low < 0.5 < many.high < few.high
    assert 0.38 < few.high - few.low < 0.5  # the normal approximation: 2 × 1.96 × √(0.25 / 20) = 0.44


def test_one_question_tells_nothing_of_the_spread():
    assert (mean([1.0]).low, mean([1.0]).high) == (0, 1)


def test_none_of_twenty_may_still_be_one_in_seven():
    found = share(0, 20)
    assert found is not None
    assert found.low == 0
    assert found.high == pytest.approx(0.161, abs=0.002)  # Wilson: z² / (n + z²)
    assert share(0, 0) is None


def test_latency_is_told_in_milliseconds():
    found = latency([0.001] * 90 + [0.1] * 10)
    assert (found.p50, found.p95) == (1, 100)


def test_separation_is_one_when_all_exceed_and_a_half_by_chance():
    assert separation([0.9, 0.8], [0.1, 0.2, 0.3]) == 1
    assert separation([0.5, 0.5], [0.5, 0.5]) == 0.5
    assert separation([], [0.5]) is None


def test_a_difference_that_could_be_chance_has_a_high_p_and_one_that_could_not_a_low_one():
    assert p_value([0.0] * 50) == 1
    assert p_value([0.1, -0.1] * 25) > 0.9
    assert p_value([0.1] * 50) < 0.001
    assert p_value([1.0, 1.0, 1.0]) == pytest.approx(0.25)  # of eight ways to swap, two are as extreme


def weighed(answerable: bool, *strengths: float, threshold: float = 0.5) -> list[Weighed]:
    return [Weighed(answerable, strength < threshold, strength) for strength in strengths]


def test_declining_is_told_from_both_sides_and_over_all_thresholds():
    found = declining([*weighed(True, 0.9, 0.8, 0.7, 0.4), *weighed(False, 0.1, 0.6)])
    assert found is not None
    assert found.recall is not None and found.answerable_declined is not None
    assert (found.recall.value, found.answerable_declined.value) == (0.5, 0.25)
    assert found.precision is not None
    assert found.precision.value == 0.5
    assert found.separation == pytest.approx(7 / 8)
    by_threshold = {point.threshold: point for point in found.curve}
    assert by_threshold[0.0].precision is None
    assert (by_threshold[0.65].recall, by_threshold[0.65].answerable_declined) == (1, 0.25)
    assert by_threshold[0.65].precision == pytest.approx(2 / 3, abs=1e-3)
    assert (by_threshold[1.0].recall, by_threshold[1.0].answerable_declined) == (1, 1)


def test_where_one_kind_alone_was_asked_its_own_share_is_told():
    found = declining(weighed(True, 0.9, 0.8, 0.1, 0.7))
    assert found is not None and found.answerable_declined is not None
    assert (found.answerable_declined.value, found.answerable_declined.n, found.recall) == (0.25, 4, None)
    assert (found.precision, found.separation, found.curve) == (None, None, [])
    found = declining(weighed(False, 0.1))
    assert found is not None and found.recall is not None
    assert (found.recall.value, found.answerable_declined) == (1, None)
    assert declining([]) is None


def test_what_is_0_or_1_of_each_question_has_an_interval_also_where_all_are_right():
    found = figure_of("page@1", [1.0] * 4)
    assert (found.value, found.high, found.n) == (1, 1, 4)
    assert found.low == pytest.approx(4 / (4 + 1.96**2), abs=1e-3)  # Wilson: n / (n + z²)
    assert figure_of("pages@5", [1.0] * 4) == figure_of("file@1", [1.0] * 4) == found
    assert figure_of("recall@3", [0.5, 1.0, 1.0, 1.0]) == mean([0.5, 1.0, 1.0, 1.0])


def test_each_verdict_has_a_name():
    assert set(VERDICTS) == set(Verdict)


def test_a_file_of_results_holds_bare_numbers_and_is_read_back_whole(tmp_path: Path) -> None:
    result = Result(
        set="own",
        mode="hybrid",
        questions=2,
        metrics={"page@5": Estimate(value=0.5, low=0.1, high=0.9, n=2)},
        latency_ms={},
        index=IndexSummary(embedder="words", documents=1),
        version="1",
        at="2026-01-01",
    )
    path = tmp_path / "results.json"
    path.write_text(results_json([result]), encoding="utf-8")
    [written] = json.loads(path.read_text(encoding="utf-8"))
    assert (written["metrics"], written["intervals"]) == ({"page@5": 0.5}, {"page@5": [0.1, 0.9, 2]})
    assert read_results(path) == [result]


@pytest.mark.parametrize("intervals", [{"page@5": [0.1]}, {"page@9": [0.1, 0.9, 2]}, [], "x"])
def test_figures_without_their_intervals_are_no_file_of_ours(tmp_path: Path, intervals: object) -> None:
    path = tmp_path / "results.json"
    path.write_text(json.dumps([{"metrics": {"page@5": 0.5}, "intervals": intervals}]), encoding="utf-8")
    with pytest.raises(EvaluationError, match="not what `run --out` writes"):
        read_results(path)
