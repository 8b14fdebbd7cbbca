"""The indexer's commands. To add one: write its file in `commands/`, add its line."""

from __future__ import annotations

from importlib import metadata
from typing import Annotated

import typer

from indexer.cli.commands.convert import convert
from indexer.cli.commands.doctor import doctor
from indexer.cli.commands.export import export
from indexer.cli.commands.forget import forget
from indexer.cli.commands.indexing import index, reindex
from indexer.cli.commands.inspect import inspect
from indexer.cli.commands.program import BUSY, FAILED, INTERRUPTED, MISCONFIGURED, NO_VALUE, TERMINATED, WRONG_USAGE
from indexer.cli.commands.status import status
from indexer.cli.commands.watch import watch

COMMANDS = (
    index,
    reindex,
    watch,
    status,
    inspect,
    forget,
    export,
    doctor,
    convert,
)

app = typer.Typer(
    help="Reads shared drives and fills the index that the bot answers from.",
    epilog=f"Exit codes: 0 done (files that could not be read are in the report), {FAILED} failed, {WRONG_USAGE} wrong "
    f"usage, {MISCONFIGURED} a setting cannot work, {BUSY} another indexer is writing, {INTERRUPTED} interrupted, "
    f"{TERMINATED} told to stop (`watch` ends with 0 for both).",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)
for command in COMMANDS:
    app.command()(command)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"footnote {metadata.version('footnote')}")
        raise typer.Exit


@app.callback()
def main(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version", metavar=NO_VALUE, callback=_show_version, is_eager=True, help="Print the version and end."
        ),
    ] = False,
) -> None:
    """Read shared drives and fill the index that the bot answers from."""
    del version  # its callback has done all
