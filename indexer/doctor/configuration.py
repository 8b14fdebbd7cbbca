"""Whether the settings can work."""

from __future__ import annotations

import logging
from collections.abc import Generator
from contextlib import contextmanager
from typing import TypeVar

from indexer.doctor.base import Finding, failed, ok, warning
from indexer.settings import IndexerSettings
from rag import settings as reader
from rag.errors import ConfigurationError
from rag.settings import AnsweringSettings, load_settings

S = TypeVar("S", IndexerSettings, AnsweringSettings)


def check_settings() -> tuple[IndexerSettings | None, AnsweringSettings | None, list[Finding]]:
    """The settings of the indexer and of what answers, where they can be read, and what is wrong with them."""
    findings: list[Finding] = []
    with _heard() as complaints:
        ours = _load(IndexerSettings, "settings", findings)
    said = set(complaints)
    with _heard() as complaints:
        others = _load(AnsweringSettings, "settings of the bot", findings)
    remedy = "Remove it, unless it is meant for something else."
    findings += [warning("settings", complaint, remedy) for complaint in sorted(said | set(complaints))]
    if not findings:
        findings.append(ok("settings", "all can be read, and none is misspelt"))
    return ours, others, findings


def _load(kind: type[S], about: str, findings: list[Finding]) -> S | None:
    try:
        return load_settings(kind)
    except ConfigurationError as error:
        findings.append(failed(about, str(error)))
        return None


class _Ear(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.heard.append(record.getMessage())


@contextmanager
def _heard() -> Generator[list[str]]:
    """What the reading of settings complains about in the log, which does not get it then."""
    log, ear = logging.getLogger(reader.__name__), _Ear()
    before = log.propagate
    log.addHandler(ear)
    log.propagate = False
    try:
        yield ear.heard
    finally:
        log.removeHandler(ear)
        log.propagate = before
