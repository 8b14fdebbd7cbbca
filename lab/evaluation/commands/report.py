"""`report`: make the page of results anew."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from lab.evaluation.commands.program import PROGRAM, check_libraries
from rag.errors import EvaluationError
from rag.program import FAILED, NO_VALUE

FOLDER = Path("docs/results")
PAGE = Path("docs/results.md")


def report(
    *,
    folder: Annotated[Path, typer.Option(metavar="FOLDER", help="Where sections and runs are kept.")] = FOLDER,
    page: Annotated[Path, typer.Option(metavar="FILE", help="The page to write.")] = PAGE,
    check: Annotated[
        bool, typer.Option("--check", metavar=NO_VALUE, help="Write nothing; end with 1 if the page is another.")
    ] = False,
) -> None:
    """Make the page of results from the files that are kept beside it.

    Each `.json` file is a section (`title`, `note`, `command`, `runs`, `show`, `sets`, `modes`, `metrics`, `others`,
    `tables`, `after`), each `.md` file a text as it stands, in the order of their names; the folder `runs` holds what
    `run --out` wrote.

    Example: python -m lab.evaluation run sets/northwind --out docs/results/runs/northwind.json && python -m
    lab.evaluation report
    """
    check_libraries()
    from lab.evaluation.reporting.page import page as made  # noqa: PLC0415  # scipy, which `--help` does not need

    try:
        text = made(folder)
        is_same = page.is_file() and page.read_bytes() == text.encode()
        if not is_same and not check:
            page.write_text(text, encoding="utf-8")
    except (EvaluationError, OSError) as error:
        PROGRAM.stop_for(error)
    if check and not is_same:
        PROGRAM.stop(f"{page} is not what {folder} gives: run `python -m lab.evaluation report`", FAILED)
    Console().print(f"{page} is {'up to date' if is_same else 'written'}", markup=False, soft_wrap=True)
