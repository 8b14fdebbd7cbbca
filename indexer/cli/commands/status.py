"""`status`: what is indexed."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from indexer.cli.commands.program import PROGRAM
from rag.program import NO_VALUE, AsJson, print_json


def status(
    *,
    files: Annotated[
        bool, typer.Option("--files", metavar=NO_VALUE, help="A line for each file, with its warnings.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show what is indexed: corpora, documents by state, failures with reasons, model and what runs it, chunker.

    Example: python -m indexer status

    Example: python -m indexer status --json | jq '.documents[] | select(.pages_without_text > 0)'
    """
    from indexer.cli.stored import status_of  # noqa: PLC0415  # the store: half a second, which `--help` does not need
    from indexer.cli.views.status_view import show_status  # noqa: PLC0415  # it imports the store, too

    settings = PROGRAM.read_settings()
    found = PROGRAM.run(status_of(settings), settings)
    if as_json:
        print_json(found.as_json())
    else:
        show_status(Console(), found, with_files=files)
