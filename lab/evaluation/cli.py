"""The evaluation's commands. To add one: write its file in `commands/`, add its line."""

from __future__ import annotations

from importlib import metadata
from typing import Annotated

import typer

from lab.evaluation.commands.compare import compare
from lab.evaluation.commands.history import history
from lab.evaluation.commands.judge import judge
from lab.evaluation.commands.program import EXIT_CODES, NO_VALUE
from lab.evaluation.commands.report import report
from lab.evaluation.commands.run import run

COMMANDS = (run, compare, history, report, judge)

app = typer.Typer(
    help="Measures retrieval and declining on sets of questions, by the very code that serves.",
    epilog=EXIT_CODES,
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
    """Measure retrieval and declining on sets of questions."""
    del version  # its callback has done all
