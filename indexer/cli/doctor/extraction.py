"""Whether files can be read: by the processes that do it, by OCR, and by the programs that convert some of them."""

from __future__ import annotations

import asyncio
import subprocess
import tempfile
from pathlib import Path
from typing import Final

import pymupdf

from indexer.bootstrap import build_extraction_context
from indexer.cli.doctor.base import CheckResult, failed, ok, warning
from indexer.extraction.base import ExtractionContext
from indexer.extraction.dispatch import readable_kinds
from indexer.extraction.formats.converted.pandoc import REMEDY
from indexer.extraction.ocr.languages import data_folders, installed_languages
from indexer.extraction.sandbox.extract_job import ExtractedText, ExtractJob, Unread
from indexer.extraction.sandbox.pool import ExtractorPool, open_pool
from indexer.settings import IndexerSettings
from rag.errors import ConfigurationError

_SENTENCE: Final = "The quick brown fox jumps over the lazy dog."
_SEEN: Final = "brown fox"
_DPI: Final = 150
_VERSION_SECONDS: Final = 60


async def check_extraction(settings: IndexerSettings) -> list[CheckResult]:
    """A text and a scan, read as `index` reads files; LibreOffice, and pandoc."""
    try:
        context = build_extraction_context(settings)
    except ConfigurationError as error:
        return [failed("reading", str(error))]
    with tempfile.TemporaryDirectory(prefix="footnote-doctor-") as name:
        folder = Path(name)
        try:
            async with open_pool(1, seconds=settings.file_seconds, memory_mb=settings.file_memory_mb) as pool:
                findings = [await _check_text(pool, folder), await _check_ocr(pool, folder, context)]
        except ConfigurationError as error:
            findings = [failed("reading", str(error))]
    return [
        *findings,
        await asyncio.to_thread(check_libreoffice, context.libreoffice),
        await asyncio.to_thread(check_pandoc, context.pandoc),
    ]


async def _check_text(pool: ExtractorPool, folder: Path) -> CheckResult:
    path = folder / "sentence.txt"
    path.write_text(_SENTENCE, encoding="utf-8")
    outcome = await pool.extract(ExtractJob(path, ""))
    if isinstance(outcome, ExtractedText) and _SENTENCE in outcome.pages[0].text:
        return ok("reading", f"the process that reads files works; kinds: {', '.join(readable_kinds())}")
    return failed("reading", f"a small text cannot be read: {_reason(outcome)}", "Raise FOOTNOTE_FILE_MEMORY_MB.")


async def _check_ocr(pool: ExtractorPool, folder: Path, context: ExtractionContext) -> CheckResult:
    installed = ", ".join(sorted(installed_languages(data_folders()))) or "none"
    if not context.ocr_languages:
        says = f"FOOTNOTE_OCR_LANGUAGES is empty: scans are not read; installed: {installed}"
        return warning("OCR", says, "Name the languages of your scans, if you have any.")
    path = folder / "scan.pdf"
    await asyncio.to_thread(_make_scan, path)
    outcome = await pool.extract(ExtractJob(path, "", context))
    if isinstance(outcome, ExtractedText) and outcome.pages[0].ocr and _SEEN in outcome.pages[0].text:
        return ok("OCR", f"a scan was read as {', '.join(context.ocr_languages)}; installed: {installed}")
    says = (
        f"a small scan was not read as {', '.join(context.ocr_languages)}: {_reason(outcome)}; installed: {installed}"
    )
    return failed("OCR", says, "Install the language data anew; read one of your own scans with `inspect`.")


def _make_scan(path: Path) -> None:
    """A page that is nothing but a picture of a few lines."""
    with pymupdf.open() as typed, pymupdf.open() as scanned:
        page = typed.new_page()
        for line in range(8):
            page.insert_text((72, 100 + 40 * line), _SENTENCE, fontsize=18)
        picture = page.get_pixmap(dpi=_DPI)
        scanned.new_page().insert_image(page.rect, pixmap=picture)
        scanned.save(path)


def _reason(outcome: object) -> str:
    match outcome:
        case Unread():
            return outcome.failure.message
        case ExtractedText():
            return "its text did not come out"
        case _:
            return "nothing came out"


def check_libreoffice(program: Path | None) -> CheckResult:
    """Whether it is there and can be started."""
    if program is None:
        says = "LibreOffice is not installed: DOC, PPT and their like are not read, and XLS only as plain values"
        return warning("LibreOffice", says, "Install it if you have such files, or name it in FOOTNOTE_LIBREOFFICE.")
    return _check_program("LibreOffice", program)


def check_pandoc(program: Path | None) -> CheckResult:
    """Whether it is there and can be started."""
    if program is None:
        says = "pandoc is not installed: LaTeX, notebooks and Textile are read as plain text"
        return warning("pandoc", says, REMEDY)
    return _check_program("pandoc", program)


def _check_program(name: str, program: Path) -> CheckResult:
    try:
        done = subprocess.run(  # noqa: S603  # a program that the operator installed or named
            [program, "--version"], capture_output=True, text=True, timeout=_VERSION_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        return failed(name, f"{program} cannot be started ({type(error).__name__})", "Install it anew.")
    return ok(name, f"{done.stdout.partition(chr(10))[0].strip()} at {program}")
