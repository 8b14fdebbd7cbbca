"""`watch`: keep the index up to the drives."""

from __future__ import annotations

from datetime import datetime

from rich.console import Console

from indexer.cli.commands.indexing import Drives
from indexer.cli.commands.program import PROGRAM, Corpus
from indexer.cli.views.console import say
from indexer.pipeline.report import Report
from rag.program import AsJson, print_json


def watch(
    drives: Drives = None,
    name: Corpus = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Bring the index up to the drives, and keep it there: a run after each change, until Ctrl-C or SIGTERM.

    A file is read when it has been left alone for FOOTNOTE_SETTLE_SECONDS. Drives on servers, and others that tell
    nothing of changes, are looked through every FOOTNOTE_WATCH_SECONDS. One line a run is printed,
    and one a file that could not be read. Ctrl-C and SIGTERM are its proper end: the exit code is 0 then.

    Example: python -m indexer watch /mnt/share --name handbook
    """
    from indexer.cli.runs import keep_up  # noqa: PLC0415  # models and stores, which not every command needs

    def report(done: Report) -> None:
        if as_json:
            print_json(done.as_json(), indent=None)
        else:
            at = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M:%S")
            for line in done.lines():
                say(Console(), f"{at} {line}")

    settings = PROGRAM.read_settings()
    PROGRAM.run(keep_up(settings, drives or [], Console(stderr=True), name=name, report=report), settings)
