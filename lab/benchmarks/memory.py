"""Peak memory while indexing one long PDF, of the indexer and of the process that reads files, added up."""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

import psutil
import pymupdf

from tests.processes import ROOT, clean_environment

SAMPLE_SECONDS: Final = 0.05
WORDS: Final = (
    "axle brake bolt cargo chain disc fork frame guard hub lever motor nut pad rim saddle spoke tyre valve wheel"
)


def write_pdf(path: Path, pages: int) -> None:
    """A PDF of distinct pages of about 2,500 characters."""
    dice = random.Random(1)  # noqa: S311  # the same pages each time
    words = WORDS.split()
    document = pymupdf.open()
    for number in range(1, pages + 1):
        page = document.new_page()
        lines = [" ".join(dice.choices(words, k=12)).capitalize() + "." for _ in range(40)]
        page.insert_text((50, 60), [f"Chapter {number // 10}, page {number}", *lines], fontsize=9)
    document.save(path)
    document.close()


async def measure(pages: int) -> dict[str, Any]:
    """Peaks in MB, sampled 20 times a second; memory that both processes share counts twice."""
    with tempfile.TemporaryDirectory() as folder:
        drive = Path(folder) / "drive"
        drive.mkdir()
        write_pdf(drive / "long.pdf", pages)
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "indexer",
            "index",
            str(drive),
            "--json",
            cwd=ROOT,
            env=clean_environment(FOOTNOTE_DATA_DIR=str(Path(folder) / "data")),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        ended = asyncio.create_task(process.communicate())
        peak = {"indexer": 0, "readers": 0, "together": 0}
        while not ended.done():
            own, readers = _memory(process.pid)
            for name, value in (("indexer", own), ("readers", readers), ("together", own + readers)):
                peak[name] = max(peak[name], value)
            await asyncio.sleep(SAMPLE_SECONDS)
        report = json.loads((await ended)[0])["drives"][0]
    return {
        "pages": pages,
        "chunks": report["chunks"],
        "seconds": report["seconds"],
        **{f"peak_{name}_mb": round(value / 1e6, 1) for name, value in peak.items()},
    }


def _memory(pid: int) -> tuple[int, int]:
    """Resident bytes of the process and of all below it."""
    try:
        process = psutil.Process(pid)
        children = process.children(recursive=True)
        return process.memory_info().rss, sum(child.memory_info().rss for child in children)
    except psutil.NoSuchProcess:
        return 0, 0


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=400)
    print(json.dumps(asyncio.run(measure(parser.parse_args().pages)), indent=2))


if __name__ == "__main__":
    main()
