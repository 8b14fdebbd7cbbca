"""What reading costs: text against the bare parser, a run in which nothing has changed, and one very long PDF.

Each part measures both sides in one run, so that the ratios hold anywhere.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import pymupdf

from indexer.drives.folder import FolderDrive
from indexer.extraction.base import ExtractionContext
from indexer.extraction.sandbox.extract_job import ExtractedText, ExtractJob
from indexer.extraction.sandbox.pool import DEFAULT_MEMORY_MB, ExtractorPool, open_pool
from indexer.pipeline.pipeline import RunOptions
from lab.benchmarks.measuring import open_measured
from lab.benchmarks.memory import write_pdf
from rag.store.edge import EdgeStore
from tests.indexer.indexing import Watcher, a_pipeline
from tests.indexer.pools import open_new_pool

FILE_SECONDS: Final = 600.0
FILES_A_FOLDER: Final = 100
SENTENCE: Final = "Form {number} is kept by the office for ten years and then destroyed. "
WITHOUT_OCR: Final = ExtractionContext(ocr_languages=())
"""Recognition takes a hundred times as long as reading: `lab.benchmarks.ocr` measures it by itself."""


async def speed(paths: Sequence[Path]) -> dict[str, Any]:
    """Pages per second over some PDFs: bare `page.get_text()`, one process, two processes."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(process, bare, paths)  # the files are in memory then, as for the others
        bare_pages, bare_seconds = await loop.run_in_executor(process, bare, paths)
    figures: dict[str, Any] = {"files": len(paths), "pages": bare_pages, "bare_pages_per_s": bare_pages / bare_seconds}
    for count in (1, 2):
        pages, seconds = await _read_all(paths, count)
        figures[f"pages_per_s_{count}"] = pages / seconds
        figures[f"share_of_bare_{count}"] = pages / seconds / figures["bare_pages_per_s"]
    return {name: round(value, 3) for name, value in figures.items()}


def bare(paths: Sequence[Path]) -> tuple[int, float]:
    """Pages and seconds of the parser by itself; files that it cannot open count for neither."""
    pages = 0
    began = time.perf_counter()
    for path in paths:
        try:
            with pymupdf.open(path) as document:
                if document.needs_pass:
                    continue
                for page in document:
                    page.get_text()
                    pages += 1
        except (RuntimeError, ValueError):
            continue
    return pages, time.perf_counter() - began


async def _read_all(paths: Sequence[Path], count: int) -> tuple[int, float]:
    async with open_pool(count, seconds=FILE_SECONDS) as pool:
        await asyncio.gather(
            *(pool.extract(ExtractJob(paths[0], "", WITHOUT_OCR)) for _ in range(count))
        )  # they have started
        began = time.perf_counter()
        pages = await asyncio.gather(*(_pages(pool, path) for path in paths))
        return sum(pages), time.perf_counter() - began


async def _pages(pool: ExtractorPool, path: Path) -> int:
    outcome = await pool.extract(ExtractJob(path, "", WITHOUT_OCR))
    return len(outcome.pages) if isinstance(outcome, ExtractedText) else 0


async def unchanged(files: int) -> dict[str, Any]:
    """A run over small files that are all indexed already: its time, and what it read of them and of the index."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name) / "drive"
        for number in range(files):
            path = root / f"folder {number // FILES_A_FOLDER}" / f"form {number}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(SENTENCE.format(number=number) * 20, encoding="utf-8")
        on_drive = sum(path.stat().st_size for path in root.rglob("*.txt"))
        store = EdgeStore(Path(name) / "index")
        pipeline = a_pipeline(store, open_pool=open_new_pool)
        began = time.perf_counter()
        await pipeline.run([FolderDrive("forms", root)], Watcher(), RunOptions())
        first = time.perf_counter() - began
        read_before, began = _bytes_read(), time.perf_counter()
        report = await pipeline.run([FolderDrive("forms", root)], Watcher(), RunOptions())
        seconds, read = time.perf_counter() - began, _bytes_read() - read_before
        await store.aclose()
    return {
        "files": files,
        "unchanged": report.drives[0].unchanged,
        "mb_on_drive": round(on_drive / 1e6, 1),
        "first_run_s": round(first, 1),
        "second_run_s": round(seconds, 2),
        "second_run_mb_read": round(read / 1e6, 2),
    }


def _bytes_read() -> int:
    """What this process has read through system calls: proc_pid_io(5)."""
    lines = Path("/proc/self/io").read_text("ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("rchar:"))


async def long(pages: int) -> dict[str, Any]:
    """A process that reads one long PDF: pages, seconds, and the most that it holds, beside one of a page."""
    figures: dict[str, Any] = {"pages": pages}
    with tempfile.TemporaryDirectory() as name:
        async with open_measured(1, seconds=FILE_SECONDS, memory_mb=DEFAULT_MEMORY_MB) as (pool, costs):
            for part, count in (("short", 1), ("long", pages)):
                path = Path(name) / f"{part}.pdf"
                write_pdf(path, count)
                outcome = await pool.extract(ExtractJob(path, "", WITHOUT_OCR))
                if not isinstance(outcome, ExtractedText) or len(outcome.pages) != count:
                    raise TypeError(outcome)
                figures[f"{part}_s"] = round(costs[path].seconds, 2)
                figures[f"{part}_peak_mb"] = round(costs[path].peak_bytes / 1e6, 1)
    return figures


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parts = parser.add_subparsers(dest="part", required=True)
    parts.add_parser("speed").add_argument("folder", type=Path, help="PDFs, at any depth")
    parts.add_parser("unchanged").add_argument("--files", type=int, default=20_000)
    parts.add_parser("long").add_argument("--pages", type=int, default=5_000)
    arguments = parser.parse_args()
    match arguments.part:
        case "speed":
            figures = speed(sorted(path for path in arguments.folder.rglob("*") if path.suffix.lower() == ".pdf"))
        case "unchanged":
            figures = unchanged(arguments.files)
        case _:
            figures = long(arguments.pages)
    print(json.dumps(asyncio.run(figures), indent=2))


if __name__ == "__main__":
    main()
