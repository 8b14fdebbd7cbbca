"""What a program says of itself: times, counters, and logs in two shapes."""

from __future__ import annotations

import json
import logging
from collections.abc import Generator

import pytest

from rag.telemetry import Counters, Stopwatch, configure_logging


@pytest.fixture
def logger() -> Generator[logging.Logger]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    root.handlers = []  # those of the test runner outlive this test
    try:
        yield logging.getLogger("rag.some.module")
    finally:
        root.handlers = handlers
        root.setLevel(level)
        for package in ("rag", "bot", "indexer"):
            logging.getLogger(package).setLevel(logging.NOTSET)


def test_a_stage_that_is_entered_twice_adds_up_and_one_that_fails_counts() -> None:
    watch = Stopwatch()
    watch.add({"write": 1.5})
    watch.add({"write": 0.5})
    with pytest.raises(ValueError, match="broken"), watch.stage("search"):
        raise ValueError("broken")
    assert list(watch.seconds) == ["write", "search"]
    assert watch.seconds["write"] == 2.0
    assert watch.seconds["search"] >= 0


def test_what_was_given_out_does_not_change_behind_its_reader() -> None:
    counters = Counters()
    counters.count("a")
    before = counters.counts
    counters.count("a")
    assert (before, counters.counts) == ({"a": 1}, {"a": 2})


def test_a_record_is_one_line_of_json_with_its_fields(
    logger: logging.Logger, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logging(level="INFO", style="json", packages=["rag"])
    logger.info("two\nlines", extra={"seconds": {"écrire": 1.5}, "thing": object})
    [line] = capsys.readouterr().err.splitlines()
    record = json.loads(line)
    assert (record["message"], record["level"], record["logger"]) == ("two\nlines", "INFO", "rag.some.module")
    assert record["seconds"] == {"écrire": 1.5}


@pytest.mark.parametrize("style", ["json", "text"])
def test_a_traceback_is_kept_and_libraries_are_quiet(
    logger: logging.Logger, capsys: pytest.CaptureFixture[str], style: str
) -> None:
    configure_logging(level="INFO", style="json" if style == "json" else "text", packages=["rag"])
    logging.getLogger("httpx").info("a request was made")
    logger.debug("too much")
    try:
        _ = {}["gone"]
    except KeyError:
        logger.exception("failed", extra={"stage": "search"})
    output = capsys.readouterr().err
    assert "KeyError: 'gone'" in output and "search" in output
    assert "a request" not in output and "too much" not in output
