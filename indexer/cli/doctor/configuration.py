"""Whether the settings can work."""

from __future__ import annotations

from typing import TypeVar

from indexer.cli.doctor.base import CheckResult, failed, ok, warning
from indexer.settings import IndexerSettings
from rag.errors import ConfigurationError
from rag.settings import AnsweringSettings, load_settings, unknown_names

S = TypeVar("S", IndexerSettings, AnsweringSettings)


def check_settings() -> tuple[IndexerSettings | None, AnsweringSettings | None, list[CheckResult]]:
    """The settings of the indexer and of what answers, where they can be read, and what is wrong with them."""
    findings: list[CheckResult] = []
    unknown: set[str] = set()
    ours = _load(IndexerSettings, "settings", findings, unknown)
    others = _load(AnsweringSettings, "settings of the bot", findings, unknown)
    for name in sorted(unknown):
        says = f"{name} is not a setting and changes nothing"
        findings.append(warning("settings", says, "Remove it, unless it is meant for something else."))
    if not findings:
        findings.append(ok("settings", "all can be read, and none is misspelt"))
    return ours, others, findings


def _load(kind: type[S], about: str, findings: list[CheckResult], unknown: set[str]) -> S | None:
    try:
        unknown |= set(unknown_names(kind))
        return load_settings(kind)
    except ConfigurationError as error:
        if all(finding.says != str(error) for finding in findings):  # the engine's own settings are in both
            findings.append(failed(about, str(error)))
        return None
