"""`index` and `reindex`: bring the index up to the drives."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from indexer.card import show_report
from indexer.commands.program import GO_ON, AsJson, print_json, read_settings, run
from indexer.report import Report

AllowEmpty = Annotated[
    bool, typer.Option("--allow-empty", help="A drive that is empty, or that cannot be listed, is no mistake.")
]
Drives = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="DRIVE",
        help="Names of drives from FOOTNOTE_DRIVES_FILE, or a folder. Without any, all of that file.",
    ),
]


def index(
    drives: Drives = None,
    name: Annotated[str | None, typer.Option(help="What the corpus is called; the folder's name by default.")] = None,
    *,
    replace: Annotated[bool, typer.Option("--replace", help="The corpus may come from another folder now.")] = False,
    allow_empty: AllowEmpty = False,
    as_json: AsJson = False,
) -> None:
    """Bring the index up to the drives. Only what is new or changed is read.

    The bot goes on answering from the last complete index, and takes up the new one when this is done. A run that was
    interrupted is gone on with.

    Example: python -m indexer index /mnt/share --name handbook
    """
    from indexer.runs import bring_up  # noqa: PLC0415  # models and stores, which not every command needs

    work = bring_up(read_settings(), drives or [], name=name, replace=replace, allow_empty=allow_empty)
    _print_report(run(work, when_stopped=GO_ON), as_json=as_json)


def reindex(*, allow_empty: AllowEmpty = False, as_json: AsJson = False) -> None:
    """Build the index of all drives anew, beside the one that serves: after a change of model.

    A drive that is not there, or a folder of it that cannot be listed, stops it: its documents would be missing.

    Example: FOOTNOTE_EMBEDDING__MODEL=minilm-fp32 python -m indexer reindex
    """
    from indexer.runs import rebuild  # noqa: PLC0415  # as above

    _print_report(run(rebuild(read_settings(), allow_empty=allow_empty), when_stopped=GO_ON), as_json=as_json)


def _print_report(report: Report, *, as_json: bool) -> None:
    if as_json:
        print_json(report.as_json())
    else:
        show_report(Console(), report)
