"""`compare`: two runs side by side."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from lab.evaluation.commands.program import PROGRAM, check_libraries
from rag.errors import EvaluationError
from rag.program import AsJson

if TYPE_CHECKING:
    from lab.evaluation.comparing import Comparison

SURE = 0.05


def compare(
    before: Annotated[Path, typer.Argument(metavar="A", help="What `run --details` wrote.", show_default=False)],
    after: Annotated[Path, typer.Argument(metavar="B", help="Likewise.", show_default=False)],
    *,
    as_json: AsJson = False,
) -> None:
    """Two runs side by side, with the difference of each figure and how likely so large a one is by chance.

    Both are what `run --details` wrote: only the questions that both asked are compared, one by one (Fisher's
    randomization test). Ways of the same name are held against each other, or the one way of each file.

    Example: python -m lab.evaluation compare before.jsonl after.jsonl
    """
    check_libraries()
    from lab.evaluation import comparing, results  # noqa: PLC0415  # scipy, models and stores, which `--help` does not need

    try:
        comparisons = comparing.compare(results.read_details(before), results.read_details(after))
    except EvaluationError as error:
        PROGRAM.stop_for(error)
    if as_json:
        typer.echo(json.dumps([_as_json(one) for one in comparisons], indent=1))
    else:
        _show(Console(), comparisons)


def _show(console: Console, comparisons: Sequence[Comparison]) -> None:
    from lab.evaluation.view import show_table, with_interval  # noqa: PLC0415  # the same

    for one in comparisons:
        rows = [
            [
                line.metric,
                with_interval(line.before),
                with_interval(line.after),
                f"{line.delta:+.3f}",
                f"{line.p:.4f}{' *' if line.p < SURE else '  '}",
            ]
            for line in one.lines
        ]
        title = f"{one.set}: {one.before} (A) and {one.after} (B); * where p < {SURE}"
        show_table(console, title, ["", "A", "B", "B − A", "p"], rows)


def _as_json(one: Comparison) -> dict[str, object]:
    lines = [
        {**asdict(line), "before": line.before.model_dump(), "after": line.after.model_dump()} for line in one.lines
    ]
    return {"set": one.set, "before": one.before, "after": one.after, "lines": lines}
