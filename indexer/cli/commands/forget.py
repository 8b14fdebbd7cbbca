"""`forget`: take a corpus, or some of its files, out of the index."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from rich.console import Console

from indexer.cli.commands.program import GO_ON, PROGRAM
from indexer.cli.views.console import say
from indexer.units import counted
from rag.program import NO_VALUE, WRONG_USAGE, AsJson, print_json, printable


def forget(
    name: Annotated[str, typer.Argument(metavar="CORPUS", help="The corpus, as `status` calls it.")],
    paths: Annotated[list[str] | None, typer.Argument(metavar="PATH", help="Only these files or folders.")] = None,
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", metavar=NO_VALUE, help="Do not ask.")] = False,
    as_json: AsJson = False,
) -> None:
    """Take a corpus, or files and folders of it, out of the index. The drive is not touched.

    What still lies on the drive comes back when that drive is indexed again: leave it out there first, or move it away.

    Example: python -m indexer forget handbook

    Example: python -m indexer forget handbook drafts "minutes/2019 March.docx" --yes
    """
    from indexer.cli.stored import selected, without  # noqa: PLC0415  # the store: half a second, which `--help` does not need

    settings = PROGRAM.read_settings()
    chosen = PROGRAM.run(selected(settings, name, paths or []), settings)
    documents = counted(chosen.documents, "document")
    _ask(f"Take {documents} ({counted(chosen.chunks, 'chunk')}) of {name} out of the index?", yes=yes)
    manifest = PROGRAM.run(without(settings, chosen), settings, when_stopped=GO_ON)
    done = {"corpus": name, "paths": [*chosen.uris], "documents": chosen.documents, "chunks": chosen.chunks}
    if as_json:
        print_json({"generation": manifest.generation, **done})
        return
    console = Console()
    say(console, f"Taken out of {name}: {documents}. Generation {manifest.generation} now serves.")
    say(console, f"Files that still lie in {chosen.corpus.root} come back when it is indexed again.")


def _ask(question: str, *, yes: bool) -> None:
    if yes:
        return
    if not sys.stdin.isatty():
        PROGRAM.stop(f"{question} Nobody is here to ask: pass --yes", WRONG_USAGE)
    typer.confirm(printable(question), abort=True, err=True)
