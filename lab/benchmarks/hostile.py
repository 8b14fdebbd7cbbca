"""How many of a folder's hostile files come out right, by category, through the processes that the indexer reads with.

The folder holds `expected.jsonl`: one object a file, with `file` (a path below the folder), `category`, and `expect`,
which says what is right: see `lab/benchmarks/verdicts.py`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from indexer.bootstrap import build_extraction_context
from indexer.drives.base import is_litter
from indexer.extraction.base import ExtractionContext
from indexer.extraction.sandbox.extract_job import ExtractJob, Unchanged
from indexer.extraction.sandbox.pool import ExtractorPool
from indexer.settings import IndexerSettings
from lab.benchmarks.measuring import FileCost, open_measured
from lab.benchmarks.verdicts import Expected, came_out, objection
from rag.settings.loading import load_settings


@dataclass(frozen=True, slots=True)
class Judged:
    """One file: empty `objection` means right."""

    file: str
    category: str
    expect: str
    objection: str
    came_out: str
    seconds: float
    peak_mb: float


async def measure(folder: Path, *, categories: Sequence[str], jobs: int) -> list[Judged]:
    """Every file that is listed, in the order of the list."""
    settings = load_settings(IndexerSettings)
    lines = (folder / "expected.jsonl").read_text("utf-8").splitlines()
    listed = [Expected.from_json(json.loads(line)) for line in lines if line.strip()]
    expected = [wanted for wanted in listed if not categories or wanted.category in categories]
    context = build_extraction_context(settings)
    judged: dict[str, Judged] = {}

    async def judge(todo: Iterator[Expected], pool: ExtractorPool, costs: Mapping[Path, FileCost]) -> None:
        for wanted in todo:
            judged[wanted.file] = await _judged(folder, wanted, pool, costs, context)

    todo = iter(expected)
    async with (
        open_measured(jobs, seconds=settings.file_seconds, memory_mb=settings.file_memory_mb) as (pool, costs),
        asyncio.TaskGroup() as group,
    ):
        for _ in range(jobs):
            group.create_task(judge(todo, pool, costs))
    return [judged[wanted.file] for wanted in expected]


async def _judged(
    folder: Path, wanted: Expected, pool: ExtractorPool, costs: Mapping[Path, FileCost], context: ExtractionContext
) -> Judged:
    path = folder / wanted.file
    about = (wanted.file, wanted.category, wanted.expect)
    if not path.is_file():
        return Judged(*about, "the file is missing", "", 0.0, 0.0)
    if is_litter(path.name):  # the walk passes it over
        return Judged(*about, objection(wanted, None), came_out(None), 0.0, 0.0)
    outcome = await pool.extract(ExtractJob(path, "", wanted.context(context)))
    if isinstance(outcome, Unchanged):
        raise TypeError("nothing was known of the file")
    return Judged(
        *about,
        objection(wanted, outcome),
        came_out(outcome),
        round(costs[path].seconds, 2),
        round(costs[path].peak_bytes / 1e6, 1),
    )


def summary(judged: Sequence[Judged]) -> list[dict[str, Any]]:
    """One row a category, in the order of the list, and one of all."""
    categories = list(dict.fromkeys(file.category for file in judged))
    groups = [(name, [file for file in judged if file.category == name]) for name in categories]
    return [
        {
            "category": name,
            "files": len(files),
            "right": sum(1 for file in files if not file.objection),
            "share": round(sum(1 for file in files if not file.objection) / max(len(files), 1), 3),
            "slowest_s": max((file.seconds for file in files), default=0),
            "peak_mb": max((file.peak_mb for file in files), default=0),
        }
        for name, files in [*groups, ("all", list(judged))]
    ]


def show(judged: Sequence[Judged]) -> None:
    """A table, and each file that is not right."""
    print(f"{'category':<14}{'files':>7}{'right':>7}{'share':>8}{'slowest s':>11}{'peak MB':>9}")
    for row in summary(judged):
        print(
            f"{row['category']:<14}{row['files']:>7}{row['right']:>7}{row['share']:>8.3f}"
            f"{row['slowest_s']:>11.2f}{row['peak_mb']:>9.0f}"
        )
    for file in judged:
        if file.objection:
            print(f"\n{file.file}  ({file.expect}; {file.seconds} s)\n  {file.objection}\n  came out: {file.came_out}")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where expected.jsonl lies")
    parser.add_argument("--category", action="append", default=[], help="only this one; may be given several times")
    parser.add_argument("--jobs", type=int, default=1, help="files at once")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    arguments = parser.parse_args()
    judged = asyncio.run(measure(arguments.folder, categories=arguments.category, jobs=arguments.jobs))
    if arguments.json:
        print(json.dumps({"summary": summary(judged), "files": [asdict(file) for file in judged]}, ensure_ascii=False))
    else:
        show(judged)


if __name__ == "__main__":
    main()
