"""Old Office files: what LibreOffice is asked, and what becomes of its answers."""

from __future__ import annotations

import shutil
import sys
import time
from pathlib import Path

import docx
import olefile
import psutil
import pytest

from indexer.extraction.base import ExtractionContext
from indexer.extraction.dispatch import extract_inner
from indexer.extraction.formats.legacy import libreoffice
from indexer.extraction.formats.legacy.extractor import LegacyExtractor
from rag.errors import ExtractionError

SOFFICE = shutil.which("soffice")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="programs are started through a POSIX shell")


def _is_doc(_path: Path) -> str:
    return "doc"


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that is taken for an old Word document, under a name that says nothing."""
    monkeypatch.setattr("indexer.extraction.formats.legacy.extractor.kind_of", _is_doc)
    path = tmp_path / "rates; $(touch x)"
    path.write_bytes(olefile.MAGIC + b"\x00" * 600)
    return path


@pytest.fixture
def successor(tmp_path: Path) -> Path:
    document = docx.Document()
    document.add_heading("Rates", 1)
    document.add_paragraph("Nine coins a day.")
    path = tmp_path / "new.docx"
    document.save(str(path))
    return path


def program(folder: Path, *lines: str) -> Path:
    """A stand-in for soffice; `$7` is the folder for the result, `$8` the file."""
    path = folder / "soffice"
    path.write_text("\n".join(["#!/bin/sh", *lines]), encoding="utf-8")
    path.chmod(0o755)
    return path


def context(path: Path | None) -> ExtractionContext:
    return ExtractionContext(libreoffice=path, inner=extract_inner)


def failure(path: Path, given: ExtractionContext) -> str:
    with pytest.raises(ExtractionError) as raised:
        LegacyExtractor().extract(path, given)
    return raised.value.failure.code


def test_the_converted_file_is_read_as_what_it_is(tmp_path: Path, old: Path, successor: Path):
    written = tmp_path / "arguments"
    converter = program(
        tmp_path,
        f'printf "%s\\n" "$@" > "{written}"',
        f'mkdir -p "$8" && cp "{successor}" "$8/original.docx"',
    )
    extraction = LegacyExtractor().extract(old, context(converter))
    assert extraction.title == "Rates"
    assert [page.text for page in extraction.pages] == ["# Rates\n\nNine coins a day."]
    profile, *given = written.read_text(encoding="utf-8").splitlines()
    assert profile.startswith("-env:UserInstallation=file://")
    assert given[:5] == ["--headless", "--norestore", "--nolockcheck", "--convert-to", "docx"]
    assert not Path(given[-1]).exists()


def test_macros_and_links_are_switched_off_before_it_starts(tmp_path: Path, old: Path, successor: Path):
    kept = tmp_path / "settings.xcu"
    converter = program(
        tmp_path,
        f'cp profile/user/registrymodifications.xcu "{kept}"',
        f'mkdir -p "$8" && cp "{successor}" "$8/original.docx"',
    )
    LegacyExtractor().extract(old, context(converter))
    assert "DisableMacrosExecution" in kept.read_text(encoding="utf-8")


def test_without_libreoffice_the_remedy_is_named(old: Path):
    assert failure(old, context(None)) == "needs_libreoffice"


def test_a_program_that_cannot_be_started_is_named_too(tmp_path: Path, old: Path):
    assert failure(old, context(tmp_path / "nowhere")) in {"needs_libreoffice", "damaged"}


def test_a_file_that_it_cannot_open_is_damaged(tmp_path: Path, old: Path):
    assert failure(old, context(program(tmp_path, "exit 0"))) == "damaged"


def test_a_conversion_that_hangs_is_ended_with_all_that_it_started(
    tmp_path: Path, old: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(libreoffice, "CONVERSION_SECONDS", 1)
    started = tmp_path / "pid"
    converter = program(tmp_path, "sleep 600 &", f'echo $! > "{started}"', "wait")
    assert failure(old, context(converter)) == "too_slow"
    child = int(started.read_text(encoding="ascii"))
    while psutil.pid_exists(child) and psutil.Process(child).status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.01)


@pytest.mark.skipif(SOFFICE is None, reason="LibreOffice is not installed")
def test_a_real_old_document_is_read(tmp_path: Path, successor: Path):
    old = libreoffice.converted(Path(SOFFICE or ""), successor, "docx", "doc", tmp_path / "first")
    extraction = LegacyExtractor().extract(old, context(Path(SOFFICE or "")))
    assert [page.text for page in extraction.pages] == ["# Rates\n\nNine coins a day."]
