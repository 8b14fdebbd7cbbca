"""The bot's commands."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from bot.settings import BotSettings
from rag.program import FAILED, INTERRUPTED, MISCONFIGURED, NO_VALUE, TERMINATED, WRONG_USAGE, Program

PROGRAM: Final = Program("bot", BotSettings)

app = typer.Typer(
    help="Answers questions in Slack from the indexed drives, with the page for every statement. "
    "Without a command it connects to Slack.",
    epilog=f"Exit codes: 0 done, {FAILED} failed, {WRONG_USAGE} wrong usage, {MISCONFIGURED} a setting cannot work, "
    f"{INTERRUPTED} interrupted, {TERMINATED} told to stop.",
    add_completion=False,
    pretty_exceptions_enable=False,
)

Corpus = Annotated[
    str | None, typer.Option(metavar="CORPUS", help="Search only this corpus, or folder of one (drive/HR).")
]
Channel = Annotated[
    str | None, typer.Option(metavar="CHANNEL", help="Answer as in this channel: with what it may read.")
]

Mode = Annotated[
    str | None,
    typer.Option(
        "--mode",
        metavar="MODE",
        help="Retrieve in this mode (dense, hybrid+cross …), not as FOOTNOTE_RETRIEVAL__MODE says.",
    ),
]


@app.callback(invoke_without_command=True)
def main(context: typer.Context) -> None:
    """Connect to Slack, unless a command follows."""
    if context.invoked_subcommand is None:
        from bot.service import serve  # noqa: PLC0415  # Slack's libraries, which a terminal does not need

        settings = PROGRAM.read_settings()
        PROGRAM.run(serve(settings), settings)


@app.command()
def ask(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What you want to know.")],
    *,
    corpus: Corpus = None,
    channel: Channel = None,
    mode: Mode = None,
    as_json: Annotated[bool, typer.Option("--json", metavar=NO_VALUE, help="Print JSON instead of text.")] = False,
) -> None:
    """Answer one question.

    Example: python -m bot ask "How many days of leave do I get?" --corpus handbook
    """
    from bot.terminal import ask as answer  # noqa: PLC0415  # as above

    settings = PROGRAM.read_settings(is_quiet=True)
    asked = answer(settings, question, corpus=corpus, channel=channel, mode=mode, json=as_json)
    if not PROGRAM.run(asked, settings):
        raise typer.Exit(FAILED)


@app.command()
def chat(*, corpus: Corpus = None, channel: Channel = None, mode: Mode = None) -> None:
    """Converse in this terminal; follow-ups are understood.

    Example: python -m bot chat --corpus handbook
    """
    from bot.terminal import chat as converse  # noqa: PLC0415  # as above

    settings = PROGRAM.read_settings(is_quiet=True)
    PROGRAM.run(converse(settings, corpus=corpus, channel=channel, mode=mode), settings)
