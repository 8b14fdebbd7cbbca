"""`watch`: keep the index up to the drives."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from indexer.commands.indexing import Drives
from indexer.commands.program import AsJson, print_json, read_settings, run
from indexer.console import say
from indexer.report import Report


def watch(
    drives: Drives = None,
    name: Annotated[str | None, typer.Option(help="What the corpus is called; the folder's name by default.")] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Bring the index up to the drives, and keep it there: a run after each change, until Ctrl-C or SIGTERM.

    A file is read when it has been left alone for FOOTNOTE_SETTLE_SECONDS. Drives on servers, and others that tell
    nothing of changes, are looked through every FOOTNOTE_WATCH_SECONDS. One line a run is printed.

    Example: python -m indexer watch /mnt/share --name handbook
    """
    from indexer.runs import keep_up  # noqa: PLC0415  # models and stores, which not every command needs

    def report(done: Report) -> None:
        if as_json:
            print_json(done.as_json(), indent=None)
        else:
            for line in done.lines():
                say(Console(), line)

    run(keep_up(read_settings(), drives or [], name=name, report=report))
