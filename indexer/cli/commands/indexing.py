"""`index` and `reindex`: bring the index up to the drives."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from indexer.cli.commands.program import GO_ON, PROGRAM, Corpus
from indexer.cli.views.report_view import show_report
from indexer.pipeline.report import Report
from rag.program import FAILED, NO_VALUE, AsJson, print_json

AllowEmpty = Annotated[
    bool,
    typer.Option(
        "--allow-empty", metavar=NO_VALUE, help="A drive that is empty, or that cannot be listed, is no mistake."
    ),
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
    name: Corpus = None,
    *,
    replace: Annotated[
        bool, typer.Option("--replace", metavar=NO_VALUE, help="The corpus may come from another folder now.")
    ] = False,
    allow_empty: AllowEmpty = False,
    as_json: AsJson = False,
) -> None:
    """Bring the index up to the drives. Only what is new or changed is read.

    The bot goes on answering from the last complete index, and takes up the new one when this is done. A run that was
    interrupted is gone on with. Without DRIVE, a drive of the file that is not there is left out, and the others are
    brought up to date; the exit code is 1 then.

    Example: python -m indexer index /mnt/share --name handbook
    """
    from indexer.cli.runs import bring_up  # noqa: PLC0415  # models and stores, which not every command needs

    settings, console = PROGRAM.read_settings(), Console(stderr=True)
    work = bring_up(settings, drives or [], console, name=name, replace=replace, allow_empty=allow_empty)
    report = PROGRAM.run(work, settings, when_stopped=GO_ON)
    _print_report(report, as_json=as_json)
    if absent := "; ".join(report.absent()):
        PROGRAM.stop(absent, FAILED)


def reindex(*, allow_empty: AllowEmpty = False, as_json: AsJson = False) -> None:
    """Build the index of all drives anew, beside the one that serves: after a change of model.

    All drives are those of FOOTNOTE_DRIVES_FILE and whatever else is indexed.

    A drive that is not there, or a folder of it that cannot be listed, stops it: its documents would be missing.

    Example: FOOTNOTE_EMBEDDING__MODEL=minilm-fp32 python -m indexer reindex
    """
    from indexer.cli.runs import rebuild  # noqa: PLC0415  # as above

    settings = PROGRAM.read_settings()
    work = rebuild(settings, Console(stderr=True), allow_empty=allow_empty)
    _print_report(PROGRAM.run(work, settings, when_stopped=GO_ON), as_json=as_json)


def _print_report(report: Report, *, as_json: bool) -> None:
    if as_json:
        print_json(report.as_json())
    else:
        show_report(Console(), report)
