"""`inspect`: what would be indexed of single files."""

from __future__ import annotations

from typing import Annotated, Final, get_args

import typer
from rich.console import Console

from indexer.cli.commands.program import PROGRAM
from indexer.settings import ChunkerName
from rag.program import NO_VALUE, print_json

_CHUNKERS: Final = get_args(ChunkerName)  # those of the table, which a test holds to; importing that takes numpy


def inspect(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="The files to read.")],
    *,
    chunker: Annotated[
        str | None,
        typer.Option(metavar="NAME", help=f"Cut by this chunker instead of FOOTNOTE_CHUNKER: {', '.join(_CHUNKERS)}."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", metavar=NO_VALUE, help="Print one JSON object a line and file.")
    ] = False,
    text: Annotated[bool, typer.Option("--text", metavar=NO_VALUE, help="Print the text of each page, too.")] = False,
) -> None:
    """Show what would be indexed of files: pages, chunks, warnings, errors. Nothing is stored.

    The files are read as `index` reads them, with the same settings and limits. A file that cannot be read is shown
    with the reason, and is no failure of this command.

    Example: python -m indexer inspect "Handbook.pdf" minutes/*.docx

    Example: python -m indexer inspect --json --chunker sentence Handbook.pdf | jq '.chunks[].text'
    """
    from indexer.cli.views.inspection_view import show_inspected  # noqa: PLC0415  # as above
    from indexer.operations.inspection import inspect as inspect_files  # noqa: PLC0415  # parsers, which not every command needs

    settings = PROGRAM.read_settings()
    if chunker is not None:
        settings = settings.model_copy(update={"chunker": _known(chunker)})
    console = Console()
    PROGRAM.run(
        inspect_files(
            settings,
            files,
            lambda found: (
                print_json(found.as_json(), indent=None) if as_json else show_inspected(console, found, with_text=text)
            ),
        ),
        settings,
    )


def _known(chunker: str) -> str:
    if chunker not in _CHUNKERS:
        known = ", ".join(_CHUNKERS)
        raise typer.BadParameter(f"{chunker!r} is no chunker: choose one of {known}", param_hint="--chunker")
    return chunker
