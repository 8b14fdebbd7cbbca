"""`export`: all chunks as lines of JSON."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Annotated

import typer
from rich.console import Console

from indexer.commands.program import read_settings, run
from indexer.console import say


def export(
    name: Annotated[str | None, typer.Argument(help="Only this corpus.")] = None,
    *,
    vectors: Annotated[bool, typer.Option(help="With the vectors of each chunk, or without.")] = True,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A file; the output by default.")] = None,
) -> None:
    """Print each chunk that is indexed as one JSON object a line: where it stands, its text, its vectors.

    However large the index, little of it is in memory at a time. A file appears under its name when it is whole.

    Example: python -m indexer export handbook --no-vectors | jq -r .text

    Example: python -m indexer export -o index.jsonl
    """
    from indexer.exporting import lines  # noqa: PLC0415  # the store, which not every command needs
    from rag.bootstrap import open_store  # noqa: PLC0415  # as above

    settings = read_settings()

    async def work() -> int:
        count = 0
        async with open_store(settings) as store:
            with _opened(output) as file:
                async for line in lines(store, name, vectors=vectors):
                    file.write(line.encode("utf-8", "backslashreplace") + b"\n")
                    count += 1
        return count

    count = run(work())
    if output is not None:
        say(Console(stderr=True), f"{count:,} chunks are in {output}.")


@contextmanager
def _opened(output: Path | None) -> Generator[IO[bytes]]:
    """The output, or a file beside the one that is asked for, which takes its place in the end."""
    if output is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    unfinished = output.with_name(f"{output.name}.part")
    try:
        with unfinished.open("wb") as file:
            yield file
        unfinished.replace(output)
    finally:
        unfinished.unlink(missing_ok=True)
