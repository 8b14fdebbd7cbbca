"""How a program ends, whichever it is."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
from collections.abc import Generator
from pathlib import Path

import pytest

from rag.errors import ConfigurationError, IndexMissing, StoreBusy
from rag.program import BUSY, FAILED, INTERRUPTED, MISCONFIGURED, TERMINATED, Program
from rag.settings.engine import EngineSettings

PROGRAM = Program("speaker", EngineSettings)


@pytest.fixture(autouse=True)
def _nothing_is_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    monkeypatch.chdir(tmp_path)
    for name in os.environ:
        if name.startswith("FOOTNOTE_"):
            monkeypatch.delenv(name)
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])  # those of the test runner outlive this test
    level = root.level
    yield
    root.setLevel(level)
    for package in ("rag", "speaker"):
        logging.getLogger(package).setLevel(logging.NOTSET)


async def failing(error: BaseException) -> None:
    raise error


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ConfigurationError("a setting"), MISCONFIGURED),
        (StoreBusy("another"), BUSY),
        (IndexMissing("no index"), FAILED),
        (FileNotFoundError(2, "No such file", "a.txt"), FAILED),
        (ExceptionGroup("tasks", [ExceptionGroup("inner", [StoreBusy("another")]), ValueError("late")]), BUSY),
        (KeyboardInterrupt(), INTERRUPTED),
    ],
    ids=lambda value: type(value).__name__,
)
def test_each_error_has_its_exit_code_and_is_told_in_a_line(
    error: BaseException, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        PROGRAM.run(failing(error))
    assert ended.value.code == code
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("error: ")


def test_an_error_of_ours_is_raised_with_its_traceback() -> None:
    with pytest.raises(ZeroDivisionError):
        PROGRAM.run(failing(ZeroDivisionError()))
    with pytest.raises(OSError, match="no file is named"):
        PROGRAM.run(failing(OSError("no file is named")))


def test_a_program_that_is_told_to_stop_closes_what_it_opened(capsys: pytest.CaptureFixture[str]) -> None:
    closed: list[bool] = []

    async def work() -> None:
        try:
            os.kill(os.getpid(), signal.SIGTERM)
            await asyncio.Event().wait()
        finally:
            closed.append(True)

    with pytest.raises(SystemExit) as ended:
        PROGRAM.run(work(), when_stopped="go on")
    assert (ended.value.code, closed) == (TERMINATED, [True])
    assert capsys.readouterr().err == "error: stopped; go on\n"


def test_what_a_terminal_would_obey_is_spelt_out(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        PROGRAM.stop("two\nlines \x1b[31m [bold]", FAILED)
    assert capsys.readouterr().err == "error: two\nlines \\x1b[31m [bold]\n"


def test_where_logs_are_json_the_end_is_one_object(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FOOTNOTE_LOG_STYLE", "json")
    with pytest.raises(SystemExit):
        PROGRAM.stop("why", BUSY)
    told = json.loads(capsys.readouterr().err)
    assert (told["message"], told["error"], told["exit_code"]) == ("the speaker ends", "why", BUSY)


@pytest.mark.parametrize(
    ("level", "is_quiet", "told"), [("INFO", False, True), ("INFO", True, False), ("DEBUG", True, True)]
)
def test_a_quiet_program_tells_of_its_progress_only_when_it_is_asked_to(
    level: str, is_quiet: bool, told: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FOOTNOTE_LOG_LEVEL", level)
    PROGRAM.read_settings(is_quiet=is_quiet)
    for package in ("rag.store", "speaker.slack"):
        logging.getLogger(package).info("as usual")
    assert capsys.readouterr().err.count("as usual") == (2 if told else 0)
