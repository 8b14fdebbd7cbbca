"""Whether the settings can work."""

from __future__ import annotations

from typing import TypeVar

from indexer.cli.doctor.base import CheckResult, failed, ok, warning
from indexer.settings import IndexerSettings
from rag.errors import ConfigurationError
from rag.settings.engine import AnsweringSettings
from rag.settings.loading import read_values, unread_names

S = TypeVar("S", IndexerSettings, AnsweringSettings)


def check_settings() -> tuple[IndexerSettings | None, AnsweringSettings | None, list[CheckResult]]:
    """The settings of the indexer and of what answers, where they can be read, and what is wrong with them."""
    try:
        unread = sorted(unread_names(IndexerSettings))
    except ConfigurationError as error:
        return None, None, [failed("settings", str(error))]
    remedy = "Remove it, unless it is meant for something else."
    findings = [warning("settings", message, remedy) for message in unread]
    ours = _read(IndexerSettings, "settings", findings)
    others = _read(AnsweringSettings, "settings of the bot", findings)
    if not findings:
        findings.append(ok("settings", "all can be read, and none is misspelt"))
    return ours, others, findings


def _read(kind: type[S], about: str, findings: list[CheckResult]) -> S | None:
    try:
        return read_values(kind)
    except ConfigurationError as error:
        if all(finding.says != str(error) for finding in findings):  # the engine's own settings are in both
            findings.append(failed(about, str(error)))
        return None
