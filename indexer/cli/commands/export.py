"""`export`: all chunks as lines of JSON."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import aclosing, contextmanager
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
    from indexer.operations.export import lines  # noqa: PLC0415  # the store, which not every command needs
    from rag.bootstrap.stores import open_store  # noqa: PLC0415  # as above

    settings = PROGRAM.read_settings()

    async def work(file: IO[bytes]) -> int:
        async with open_store(settings) as store:
            return await _write(lines(store, name, vectors=vectors), file)

    if output is None:
        PROGRAM.run(work(sys.stdout.buffer), settings)
        return
    try:
        with _opened(output) as file:
            count = PROGRAM.run(work(file), settings)
    except OSError as error:
        remedy = "Name a file in a folder with rights and room"
        PROGRAM.stop(f"{output} cannot be written: {error.strerror}. {remedy}", FAILED)
    say(Console(stderr=True), f"{output} holds {counted(count, 'chunk')}.")


async def _write(lines: AsyncGenerator[str], file: IO[bytes]) -> int:
    """How many lines there were. Closes them, also where the file cannot be written: they hold the store."""
    count = 0
    async with aclosing(lines):
        async for line in lines:
            file.write(line.encode("utf-8", "backslashreplace") + b"\n")
            count += 1
    file.flush()
    return count


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
