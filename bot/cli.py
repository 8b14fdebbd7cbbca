"""The bot's commands."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Annotated, Any, Final, NoReturn, TypeVar

import typer
from rich.console import Console

from bot.settings import BotSettings
from rag.errors import ConfigurationError, FootnoteError
from rag.settings.loading import load_settings, log_style
from rag.telemetry import configure_logging

log = logging.getLogger(__name__)

FAILED: Final = 1
MISCONFIGURED: Final = 3
INTERRUPTED: Final = 130

T = TypeVar("T")

app = typer.Typer(
    help="Answers questions in Slack from the indexed drives, with the page for every statement. "
    "Without a command it connects to Slack.",
    epilog="Exit codes: 0 done, 1 failed, 2 wrong usage, 3 a setting cannot work, 130 interrupted.",
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

        _run(serve(_settings("INFO")))


@app.command()
def ask(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What you want to know.")],
    *,
    corpus: Corpus = None,
    channel: Channel = None,
    mode: Mode = None,
    as_json: Annotated[bool, typer.Option("--json", metavar="", help="Print JSON instead of text.")] = False,
) -> None:
    """Answer one question.

    Example: python -m bot ask "How many days of leave do I get?" --corpus handbook
    """
    from bot.terminal import ask as answer  # noqa: PLC0415  # as above

    if not _run(answer(_settings("WARNING"), question, corpus=corpus, channel=channel, mode=mode, json=as_json)):
        raise typer.Exit(FAILED)


@app.command()
def chat(*, corpus: Corpus = None, channel: Channel = None, mode: Mode = None) -> None:
    """Converse in this terminal; follow-ups are understood.

    Example: python -m bot chat --corpus handbook
    """
    from bot.terminal import chat as converse  # noqa: PLC0415  # as above

    _run(converse(_settings("WARNING"), corpus=corpus, channel=channel, mode=mode))


def _settings(quietest: str) -> BotSettings:
    configure_logging(level="WARNING", style=log_style(BotSettings))
    try:
        settings = load_settings(BotSettings)
    except ConfigurationError as error:
        _stop(str(error), MISCONFIGURED)
    level = quietest if settings.log_level == "INFO" else settings.log_level
    configure_logging(level=level, style=settings.log_style)
    return settings


def _run(work: Coroutine[Any, Any, T]) -> T:
    """The result, or the program's end with a message and an exit code."""
    try:
        return asyncio.run(work)
    except KeyboardInterrupt:
        _stop("interrupted", INTERRUPTED)
    except ConfigurationError as error:
        _stop(str(error), MISCONFIGURED)
    except FootnoteError as error:
        _stop(str(error), FAILED)
    except OSError as error:
        if error.filename is None:
            raise
        hint = "FOOTNOTE_DATA_DIR must be a folder that can be written"
        _stop(f"{error.filename}: {error.strerror} ({hint})", MISCONFIGURED)


def _stop(message: str, code: int) -> NoReturn:
    """End the program; as one JSON object on stderr where logs are such."""
    if log_style(BotSettings) == "json":
        configure_logging(level="ERROR", style="json")
        log.error("the bot ends", extra={"error": message, "exit_code": code})
    else:
        Console(stderr=True).print(f"error: {message}", style="red", markup=False, highlight=False, soft_wrap=True)
    raise SystemExit(code)
