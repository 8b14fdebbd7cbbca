from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from typer.testing import CliRunner

from lab.evaluation.cli import app
from lab.evaluation.comparing import compare
from lab.evaluation.figures import Estimate, Latency
from lab.evaluation.history import HistoryEntry, append, falls, read_history
from lab.evaluation.results import Detail, IndexSummary, Result, read_details, read_results, results_json, write_lines
from rag.errors import EvaluationError


def details(
    mode: str,
    values: list[float],
    *,
    first: int = 0,
    verdict: Literal["answer", "decline"] | None = None,
    of: str = "wool",
) -> list[Detail]:
    return [
        Detail(
            set=of,
            mode=mode,
            id=f"q{first + number}",
            answerable=True,
            metrics={"page@1": value},
            verdict=verdict,
            found=[],
        )
        for number, value in enumerate(values)
    ]


def result(value: float, *, questions: int = 20, mode: str = "hybrid") -> Result:
    return Result(
        set="wool",
        mode=mode,
        questions=questions,
        metrics={"page@1": Estimate(value=value, low=0, high=1, n=questions)},
        latency_ms={"retrieve": Latency(p50=1, p95=2)},
        index=IndexSummary(embedder="none", documents=2),
        version="0.1.0",
        at="2026-01-31",
    )


def entry(*, at: str = "2026-01-31", questions: int = 20, **metrics: float) -> HistoryEntry:
    return HistoryEntry(at=at, version="0.1.0", set="wool", mode="hybrid", questions=questions, metrics=metrics)


def test_only_what_both_asked_is_compared_question_by_question():
    before, after = details("hybrid", [0.0] * 12), details("hybrid", [1.0] * 12, first=2)
    [found] = compare(before, after)
    [line] = found.lines
    assert (line.before.value, line.after.value, line.delta, line.before.n) == (0, 1, 1, 10)
    assert 0.7 < line.after.low < 0.75  # Wilson's, of ten of ten
    assert line.p < 0.01


def test_the_one_way_of_each_file_is_compared_and_several_without_a_namesake_are_not():
    [found] = compare(details("hybrid", [0.0, 1.0]), details("dense", [1.0, 1.0]))
    assert (found.before, found.after, found.lines[0].delta) == ("hybrid", "dense", 0.5)
    several = [*details("dense", [1.0]), *details("bm25", [1.0])]
    with pytest.raises(EvaluationError, match="wool: hybrid on one side, dense, bm25 on the other"):
        compare(details("hybrid", [0.0]), several)
    with pytest.raises(EvaluationError, match="no set in common"):
        compare(details("hybrid", [0.0]), details("hybrid", [0.0], of="looms"))


def test_wrong_declining_is_compared_too():
    [found] = compare(details("hybrid", [1.0] * 3, verdict="decline"), details("hybrid", [1.0] * 3, verdict="answer"))
    assert {line.metric: line.delta for line in found.lines} == {"page@1": 0, "answerable declined": -1}


def test_compare_reads_what_run_writes_and_says_where_a_file_is_none(tmp_path: Path):
    before, after = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    write_lines(before, details("hybrid", [0.0] * 12))
    write_lines(after, details("hybrid", [1.0] * 12))
    done = CliRunner().invoke(app, ["compare", str(before), str(after)])
    assert done.exit_code == 0
    assert "+1.000" in done.stdout and "*" in done.stdout
    after.write_text('{"set": "wool"}\n', encoding="utf-8")
    done = CliRunner().invoke(app, ["compare", str(before), str(after)])
    assert done.exit_code == 1
    assert "b.jsonl:1: not what `run --details` writes: mode" in " ".join(done.output.split())


def test_results_are_read_as_they_were_written(tmp_path: Path):
    file = tmp_path / "results.json"
    file.write_text(results_json([result(0.5)]), encoding="utf-8")
    assert read_results(file) == [result(0.5)]
    file.write_text("[{}]", encoding="utf-8")
    with pytest.raises(EvaluationError, match=r"results\.json: not what `run --out` writes: 0\.set"):
        read_results(file)
    with pytest.raises(EvaluationError, match="cannot be read"):
        read_details(tmp_path / "gone.jsonl")


def test_a_figure_falls_when_it_is_worse_than_the_best_by_more_than_the_tolerance():
    history = [entry(page=0.8, answerable_declined=0.1), entry(page=0.7, answerable_declined=0.2)]
    now = [entry(page=0.75, answerable_declined=0.15)]
    assert [fall.metric for fall in falls(history, now, tolerance=0.02, against="best")] == [
        "page",
        "answerable_declined",
    ]
    assert falls(history, now, tolerance=0.06, against="best") == []
    assert falls(history, now, tolerance=0.02, against="last") == []


def test_runs_over_other_questions_are_not_held_against_each_other():
    assert falls([entry(page=0.9, questions=5)], [entry(page=0.1)], tolerance=0.02, against="best") == []


def test_history_appends_each_run_and_ends_with_1_when_a_figure_falls(tmp_path: Path):
    file, results = tmp_path / "history.jsonl", tmp_path / "results.json"
    codes: list[int] = []
    for value in (0.80, 0.79, 0.70):
        results.write_text(results_json([result(value)]), encoding="utf-8")
        done = CliRunner().invoke(app, ["history", str(file), str(results)])
        codes.append(done.exit_code)
    assert codes == [0, 0, 1]
    assert "page@1 was 0.800, is 0.700" in done.output
    assert [line.metrics["page@1"] for line in read_history(file)] == [0.80, 0.79, 0.70]


def test_what_has_no_figure_of_a_question_in_common_is_not_compared():
    with pytest.raises(EvaluationError, match="wool: no figure of any question is in both files"):
        compare(details("hybrid", [0.0]), details("hybrid", [1.0], first=9))


def test_a_question_that_stands_twice_in_one_file_is_not_compared_by_whichever_came_last():
    with pytest.raises(EvaluationError, match="wool, hybrid: the question 'q0' stands twice in one file"):
        compare(details("hybrid", [0.0]), [*details("hybrid", [0.0]), *details("hybrid", [1.0])])


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_a_figure_that_is_no_number_is_refused_instead_of_never_falling(tmp_path: Path, number: str):
    file = tmp_path / "now.json"
    file.write_text(results_json([result(0.5)]).replace("0.5", number), encoding="utf-8")
    with pytest.raises(EvaluationError, match=r"value: Input should be a finite number"):
        read_results(file)


def test_a_file_without_any_result_is_no_success(tmp_path: Path):
    file = tmp_path / "now.json"
    file.write_text("[]", encoding="utf-8")
    with pytest.raises(EvaluationError, match="it holds no result"):
        read_results(file)


def test_a_history_whose_last_line_does_not_end_is_gone_on_with(tmp_path: Path):
    file = tmp_path / "history.jsonl"
    file.write_text("\ufeff" + entry().model_dump_json(), encoding="utf-8")
    append(file, [entry(at="2026-02-01")])
    assert [one.at for one in read_history(file)] == ["2026-01-31", "2026-02-01"]
