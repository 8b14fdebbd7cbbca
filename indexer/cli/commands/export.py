"""`export`: all chunks as lines of JSON."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Annotated

import typer
from rich.console import Console

from indexer.cli.commands.program import PROGRAM
from indexer.cli.views.console import say
from indexer.units import counted
from rag.program import FAILED, NO_VALUE


def export(
    name: Annotated[str | None, typer.Argument(metavar="CORPUS", help="Only this corpus.")] = None,
    *,
    vectors: Annotated[bool, typer.Option(metavar=NO_VALUE, help="With the vectors of each chunk, or without.")] = True,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="A file; the output by default.")
    ] = None,
) -> None:
    """Print each chunk that is indexed as one JSON object a line: where it stands, its text, its vectors.

    However large the index, little of it is in memory at a time. A file appears under its name when it is whole.

    Example: python -m indexer export handbook --no-vectors | jq -r .text

    Example: python -m indexer export -o index.jsonl
    """
    from indexer.cli.stored import write_chunks  # noqa: PLC0415  # the store: half a second, which `--help` does not need

    settings = PROGRAM.read_settings()
    if output is None:
        PROGRAM.run(write_chunks(settings, name, sys.stdout.buffer, vectors=vectors), settings)
        return
    try:
        with _opened(output) as file:
            count = PROGRAM.run(write_chunks(settings, name, file, vectors=vectors), settings)
    except OSError as error:
        remedy = "Name a file in a folder with rights and room"
        PROGRAM.stop(f"{output} cannot be written: {error.strerror}. {remedy}", FAILED)
    say(Console(stderr=True), f"{output} holds {counted(count, 'chunk')}.")


@contextmanager
def _opened(output: Path) -> Generator[IO[bytes]]:
    """A file beside the one that is asked for, which takes its place in the end."""
    unfinished = output.with_name(f"{output.name}.part")
    try:
        with unfinished.open("wb") as file:
            yield file
        unfinished.replace(output)
    finally:
        unfinished.unlink(missing_ok=True)
