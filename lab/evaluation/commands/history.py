"""`history`: keep figures over time, and tell when one falls."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console

from lab.evaluation.commands.program import PROGRAM, check_libraries
from rag.errors import EvaluationError
from rag.program import FAILED

TOLERANCE = 0.02


def history(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The history, JSON lines; made when it is missing.")],
    results: Annotated[list[Path], typer.Argument(metavar="RESULT", help="What `run --out` wrote.")],
    *,
    tolerance: Annotated[
        float, typer.Option(min=0, max=1, metavar="SHARE", help="How much worse a figure may be.")
    ] = TOLERANCE,
    against: Annotated[
        Literal["best", "last"], typer.Option(help="Hold figures against the best there was, or against the last.")
    ] = "best",
) -> None:
    """Append figures to a history, and end with 1 when one is worse than it was by more than the tolerance.

    They are held against runs of the same way over the same set with as many questions. All figures but the share of
    answerable questions that is declined are better when they are higher. Times are no matter. What fell is
    appended, too.

    Example: python -m lab.evaluation history evaluation.jsonl northwind.json scifact.json
    """
    check_libraries()
    from lab.evaluation.history import append, entry_of, falls, read_history  # noqa: PLC0415  # scipy
    from lab.evaluation.results import read_results  # noqa: PLC0415  # likewise

    try:
        earlier = read_history(file)
        now = [entry_of(result, commit()) for path in results for result in read_results(path)]
        append(file, now)
    except (EvaluationError, OSError) as error:
        PROGRAM.stop_for(error)
    fallen = falls(earlier, now, tolerance=tolerance, against=against)
    if fallen:
        lines = [f"{one.set}, {one.mode}: {one.metric} was {one.was:.3f}, is {one.now:.3f}" for one in fallen]
        PROGRAM.stop(f"worse by more than {tolerance}:\n" + "\n".join(lines), FAILED)
    Console().print(
        f"{len(now)} results appended to {file}; none is worse by more than {tolerance}", markup=False, soft_wrap=True
    )


def commit() -> str | None:
    """The commit that is checked out here; None where that cannot be told."""
    git = shutil.which("git")
    if git is None:
        return None
    done = subprocess.run(  # noqa: S603  # a program found on the PATH, with arguments of ours
        [git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    )
    return done.stdout.strip() if done.returncode == 0 else None
