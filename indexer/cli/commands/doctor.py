"""`doctor`: whether all that the indexer needs is there and works."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

import typer
from rich.console import Console

from indexer.cli.commands.program import PROGRAM
from indexer.cli.doctor.base import CheckResult, CheckStatus
from indexer.cli.views.console import say_beside
from rag.program import FAILED, AsJson, print_json

_LABEL: Final = 8  # the longest word for how well something is, and a space


def doctor(*, as_json: AsJson = False) -> None:
    """Try all that indexing needs: settings, disk, memory, model, store, cache, drives, OCR, LibreOffice.

    Each line says ok, warning or failed, and what to do. Ends with 1 when something failed. Nothing is changed.

    Example: python -m indexer doctor

    Example: python -m indexer doctor --json | jq '.findings[] | select(.health != "ok")'
    """
    from indexer.cli.doctor.rounds import examine  # noqa: PLC0415  # models and stores, which few commands need

    PROGRAM.configure_logs("ERROR")
    console = Console()
    colours = {CheckStatus.OK: "green", CheckStatus.WARNING: "yellow", CheckStatus.FAILED: "red"}

    async def work() -> list[CheckResult]:
        findings: list[CheckResult] = []
        async for finding in examine():
            findings.append(finding)
            if not as_json:
                text = " ".join(map(_sentence, filter(None, (f"{finding.about}: {finding.says}", finding.remedy))))
                say_beside(console, finding.health.value, text, width=_LABEL, style=colours[finding.health])
        return findings

    findings = PROGRAM.run(work())
    is_well = all(finding.health is not CheckStatus.FAILED for finding in findings)
    if as_json:
        print_json({"healthy": is_well, "findings": [asdict(finding) for finding in findings]})
    if not is_well:
        raise typer.Exit(FAILED)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text}."
