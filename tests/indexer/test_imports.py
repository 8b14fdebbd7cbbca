"""What our processes load: each command pays for it, and each process that reads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pymupdf
import pytest

from tests.processes import ROOT, clean_environment


def loaded(code: str) -> set[str]:
    """The names of the modules that are loaded when this has run in a process of its own."""
    told = subprocess.run(  # noqa: S603  # our own words
        [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"],
        cwd=ROOT,
        env=clean_environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return set(told.stdout.split())


@pytest.mark.parametrize(
    "module",
    [
        "indexer.operations.inspection",
        "indexer.pipeline.pipeline",
        "indexer.extraction.sandbox.worker",
        "indexer.pipeline.recipe",
    ],
)
def test_large_libraries_are_not_loaded_before_a_file_needs_them(module: str) -> None:
    assert loaded(f"import {module}") & {"pymupdf", "docutils", "onnxruntime", "simplemma"} == set()


def test_a_pdf_is_read_without_the_library_loading_its_model_of_layouts(tmp_path: Path) -> None:
    with pymupdf.open() as document:
        document.new_page().insert_text((72, 72), "Thirty days.")
        document.save(tmp_path / "leave.pdf")
    names = loaded(
        "from pathlib import Path\n"
        "from indexer.extraction.sandbox.extract_job import ExtractedText, ExtractJob, extract\n"
        f"outcome = extract(ExtractJob(Path({str(tmp_path / 'leave.pdf')!r}), ''))\n"
        "assert isinstance(outcome, ExtractedText) and outcome.pages[0].text == 'Thirty days.', outcome"
    )
    assert "pymupdf" in names
    assert names & {"pymupdf.layout", "onnxruntime"} == set()
