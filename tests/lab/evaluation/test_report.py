from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lab.evaluation.cli import app
from lab.evaluation.declining import declining
from lab.evaluation.reporting.page import page
from lab.evaluation.results import Result, results_json
from rag.errors import EvaluationError
from tests.lab.evaluation.test_comparing import result
from tests.lab.evaluation.test_figures import weighed
from tests.processes import ROOT

DOCS = ROOT / "docs"


def test_the_page_of_results_is_what_its_files_give():
    assert (DOCS / "results.md").read_text(encoding="utf-8") == page(DOCS / "results"), (
        "run python -m lab.evaluation report"
    )


def write_section(folder: Path, name: str, **fields: object) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps(fields), encoding="utf-8")


def write_runs(folder: Path, *results: Result) -> None:
    (folder / "runs").mkdir(parents=True)
    (folder / "runs" / "wool.json").write_text(results_json(results), encoding="utf-8")


def test_figures_stand_beside_what_others_reached_in_the_order_that_a_section_names(tmp_path: Path):
    write_runs(tmp_path, result(0.5, mode="dense"), result(0.7), result(0.1, mode="left-out"))
    write_section(
        tmp_path,
        "10-ways.json",
        title="Ways",
        note="Fitted on nothing.",
        command="python -m lab.evaluation run wool",
        runs=["wool.json"],
        show=["figures", "latency"],
        modes=["hybrid", "dense"],
        others=[{"set": "wool", "name": "Another library", "metrics": {"page@1": 0.6}}],
    )
    (tmp_path / "20-end.md").write_text("## The end\n", encoding="utf-8")
    made = page(tmp_path)
    assert made.index("## Ways") < made.index("Fitted on nothing.") < made.index("## The end")
    table = made[made.index("### wool (20 answerable questions)") :].splitlines()[2:7]
    assert table == [
        "|  | page@1 |",
        "| --- | ---: |",
        "| `hybrid` | 0.700 [0.00–1.00] |",
        "| `dense` | 0.500 [0.00–1.00] |",
        "| Another library | 0.600 |",
    ]
    heading = "### Milliseconds, p50 / p95\n\n| set | way | retrieve |\n| --- | --- | ---: |\n"
    assert f"{heading}| wool | `hybrid` | 1.0 / 2.0 |" in made
    assert "left-out" not in made


def test_declining_and_its_curve_are_shown_where_a_set_has_unanswerable_questions(tmp_path: Path):
    rule = declining([*weighed(True, 0.9, 0.8), *weighed(False, 0.1, 0.6)])
    write_runs(tmp_path, result(0.7).model_copy(update={"declining": rule, "unanswerable": 2}))
    write_section(tmp_path, "a.json", title="Declining", runs=["wool.json"], show=["declining", "curve"])
    made = page(tmp_path)
    assert "| wool | `hybrid` | 20 / 2 | 0.500 [" in made
    assert "| 0.65 | 100% / 0% |" in made


def test_a_set_without_unanswerable_questions_says_what_it_wrongly_declines_and_has_no_curve(tmp_path: Path):
    write_runs(tmp_path, result(0.7).model_copy(update={"declining": declining(weighed(True, 0.9, 0.1))}))
    write_section(tmp_path, "a.json", title="Declining", runs=["wool.json"], show=["declining", "curve"])
    made = page(tmp_path)
    assert "| wool | `hybrid` | 20 / 0 | – | 0.500 [0.09–0.91] | – | – |" in made
    assert "were the threshold another" not in made


def test_tables_are_shown_as_they_are(tmp_path: Path):
    table = {"columns": ["a|b", "n"], "rows": [["x", 12345], ["y", 0.25]]}
    write_section(tmp_path, "a.json", title="Table", tables=[table])
    assert "| a\\|b | n |\n| --- | ---: |\n| x | 12,345 |\n| y | 0.25 |\n" in page(tmp_path)


def test_a_section_that_says_something_unknown_is_an_error_that_names_the_file(tmp_path: Path):
    write_section(tmp_path, "a.json", title="T", figure=[])
    with pytest.raises(EvaluationError, match=r"a\.json: no section of the page: figure"):
        page(tmp_path)
    with pytest.raises(EvaluationError, match="nothing to report"):
        page(tmp_path / "empty")


def test_report_writes_the_page_and_check_only_looks(tmp_path: Path):
    folder, target = tmp_path / "results", tmp_path / "results.md"
    write_section(folder, "a.json", title="First")
    options = ["report", "--folder", str(folder), "--page", str(target)]
    assert CliRunner().invoke(app, [*options, "--check"]).exit_code == 1
    assert not target.exists()
    assert CliRunner().invoke(app, options).exit_code == 0
    assert "## First" in target.read_text(encoding="utf-8")
    assert CliRunner().invoke(app, [*options, "--check"]).exit_code == 0
    write_section(folder, "a.json", title="Second")
    assert CliRunner().invoke(app, [*options, "--check"]).exit_code == 1


def test_files_that_are_no_text_and_rows_that_do_not_fit_are_named(tmp_path: Path):
    write_section(tmp_path / "uneven", "a.json", title="T", tables=[{"columns": ["a"], "rows": [[1, 2]]}])
    with pytest.raises(EvaluationError, match=r"a\.json: no section of the page: .* each row has to have 1 cells"):
        page(tmp_path / "uneven")
    for name in ("a.md", "a.json"):
        (tmp_path / name).mkdir()
        (tmp_path / name / name).write_bytes(b"\xff\xfe")
        with pytest.raises(EvaluationError, match="it is not UTF-8"):
            page(tmp_path / name)


def test_a_page_that_is_no_text_is_written_anew(tmp_path: Path):
    folder, target = tmp_path / "results", tmp_path / "results.md"
    write_section(folder, "a.json", title="First")
    target.write_bytes(b"\xff")
    assert CliRunner().invoke(app, ["report", "--folder", str(folder), "--page", str(target)]).exit_code == 0
    assert "## First" in target.read_text(encoding="utf-8")
