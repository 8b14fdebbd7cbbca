"""`python -m bot` as an operator meets it when it cannot start."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.processes import run_program


@pytest.mark.parametrize(
    ("settings", "exit_code", "told"),
    [({"FOOTNOTE_HTTP_PORT": "70000"}, 3, "FOOTNOTE_HTTP_PORT"), ({}, 1, "nothing is indexed yet")],
    ids=["settings", "index"],
)
async def test_where_logs_are_json_so_is_the_reason_for_an_end(
    tmp_path: Path, settings: dict[str, str], exit_code: int, told: str
) -> None:
    code, out, errors = await run_program(
        "bot", "ask", "Why?", "--channel", "C1", folder=tmp_path, FOOTNOTE_LOG_STYLE="json", **settings
    )
    assert (code, out) == (exit_code, "")
    last = json.loads(errors.splitlines()[-1])
    assert (last["level"], last["exit_code"]) == ("ERROR", exit_code) and told in last["error"]

    code, _, errors = await run_program("bot", "ask", "Why?", "--channel", "C1", folder=tmp_path, **settings)
    assert code == exit_code and errors.startswith("error: ") and told in errors


@pytest.mark.parametrize(
    ("way", "told"),
    [("densee", "'densee' is no retrieval mode"), ("hybrid+crosss", "'crosss', and what there is are")],
)
async def test_a_way_that_does_not_exist_is_an_end_before_anything_is_asked(
    tmp_path: Path, way: str, told: str
) -> None:
    code, out, errors = await run_program("bot", "ask", "Why?", "--mode", way, folder=tmp_path)
    assert (code, out) == (3, "")
    assert errors.startswith("error: ") and told in errors and "hybrid" in errors
