"""The keys that operators are told to find in JSON are those that stand there."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from indexer.chunking.base import Piece
from indexer.cli.doctor.base import CheckResult
from indexer.operations.export import lines
from indexer.operations.inspection import Inspected
from indexer.operations.status import Status
from indexer.pipeline.report import DriveReport, Report
from rag.types.documents import Failure, Page
from rag.types.index import CorpusInfo, Manifest
from tests.documents import a_document, a_record
from tests.indexer.indexing import a_store, index, write
from tests.processes import ROOT

PAGE = Page(1, "Apples are red.")
FAILURE = Failure("damaged", "The file is cut off.", "Copy it again.")


@pytest.fixture(scope="module")
def told() -> dict[str, set[str]]:
    """The keys by what stands before them, explanations in parentheses left out."""
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    table = page.split("#### What `--json` prints")[1].split("| In | Keys |\n|---|---|\n")[1].split("\n\n")[0]
    rows = (line.strip("| ").split(" | ") for line in table.splitlines())
    return {name: set(re.findall(r"`(\w+)`", re.sub(r"\(.*?\)", "", keys))) for name, keys in rows}


def keys(value: object) -> set[str]:
    assert isinstance(value, dict)
    return set(json.loads(json.dumps(value)))


def test_a_run(told: dict[str, set[str]]) -> None:
    report = Report(1, is_new_generation=True, resumed=False, drives=[DriveReport("drive")], seconds=1.0).as_json()
    assert keys(report) == told["`index`, `reindex`, `watch`"]
    assert keys(report["drives"][0]) == told["… each of `drives`"]


def test_status(told: dict[str, set[str]]) -> None:
    now = datetime.now(UTC)
    manifest = Manifest(1, "words", 4, "fixed", 2, now, {"drive": CorpusInfo("drive", "/mnt", 1, 1, now)})
    status = Status(manifest, (a_record(a_document()),)).as_json()
    assert keys(status) == told["`status`"]
    assert keys(status["corpora"]["drive"]) == told["… each of `corpora`"]
    assert keys(status["documents"][0]) == told["… each of `documents`"]


def test_an_inspected_file(told: dict[str, set[str]]) -> None:
    found = Inspected("a.md", "markdown", [PAGE], [Piece(PAGE, 0, 6, ())], failure=FAILURE).as_json()
    assert keys(found) == told["`inspect`"]
    assert keys(found["pages"][0]) == told["… each of `pages`"]
    assert keys(found["chunks"][0]) == told["… each of `chunks`"]
    assert keys(found["error"]) | {"path", "status", "corpus"} == told["each `error` or failure"]


def test_a_finding_of_the_doctor(told: dict[str, set[str]]) -> None:
    assert {field.name for field in fields(CheckResult)} == told["… each of `findings`"]


async def test_an_exported_chunk(told: dict[str, set[str]], tmp_path: Path) -> None:
    write(tmp_path / "drive", a_md="Apples are red.")
    async with a_store(tmp_path / "index") as store:
        await index(store, tmp_path / "drive")
        [line] = [json.loads(line) async for line in lines(store, None, vectors=True)]
    assert keys(line) == told["`export`"]
    assert np.isclose(np.linalg.norm(line["dense"]), 1)
