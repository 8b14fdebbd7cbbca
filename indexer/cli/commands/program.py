"""What all commands share: settings, the way a program ends, and its exit codes."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import signal
import sys
from collections.abc import Coroutine, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, NoReturn, TypeVar

import typer
from rich.console import Console

from indexer.cli.views.console import printable
from indexer.settings import IndexerSettings
from rag.errors import ConfigurationError, FootnoteError, StoreBusy, first_cause
from rag.settings.loading import load_settings, log_style
from rag.telemetry import configure_logging

log = logging.getLogger(__name__)

FAILED: Final = 1
WRONG_USAGE: Final = 2
MISCONFIGURED: Final = 3
BUSY: Final = 4
INTERRUPTED: Final = 130
TERMINATED: Final = 143

GO_ON: Final = "what was done is kept: run the same command again to go on"
"""What is said when a run over drives is stopped."""

NO_VALUE: Final = ""
"""The metavar of a flag: help would name a type otherwise, as if one were to be given."""

AsJson = Annotated[bool, typer.Option("--json", metavar=NO_VALUE, help="Print JSON instead of tables.")]
Corpus = Annotated[
    str | None, typer.Option("--name", metavar="NAME", help="What the corpus is called; the folder's name by default.")
]

_SURROGATES: Final = re.compile("[\ud800-\udfff]")
"""How Python holds the bytes of a file's name that are no UTF-8."""

T = TypeVar("T")


class _Terminated(Exception):  # noqa: N818  # reads as the fact that it is
    """The program was asked to stop by SIGTERM."""


def read_settings() -> IndexerSettings:
    """The settings, with logs set up; or the program's end."""
    configure_logging(level="WARNING", style=log_style(IndexerSettings))
    try:
        settings = load_settings(IndexerSettings)
    except ConfigurationError as error:
        stop(str(error), MISCONFIGURED)
    configure_logging(level=settings.log_level, style=settings.log_style)
    return settings


def run(work: Coroutine[Any, Any, T], settings: IndexerSettings | None = None, *, when_stopped: str = "") -> T:
    """The result, or the program's end with a message and an exit code.

    `settings` are those that the work goes by. `when_stopped` is said on Ctrl-C and on SIGTERM: what the operator can
    do next.
    """
    end = f"; {when_stopped}" if when_stopped else ""
    try:
        return asyncio.run(_until_terminated(work))
    except KeyboardInterrupt:
        stop(f"interrupted{end}", INTERRUPTED)
    except _Terminated:
        stop(f"stopped{end}", TERMINATED)
    except BaseExceptionGroup as group:
        _stop_for(first_cause(group), settings)
    except (FootnoteError, OSError) as error:
        _stop_for(error, settings)


async def _until_terminated(work: Coroutine[Any, Any, T]) -> T:
    """SIGTERM ends the work as Ctrl-C does: by cancelling it, so that everything is closed."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    received: list[signal.Signals] = []

    def terminate() -> None:
        received.append(signal.SIGTERM)
        if task is not None:
            task.cancel()

    loop.add_signal_handler(signal.SIGTERM, terminate)
    try:
        return await work
    except asyncio.CancelledError:
        if not received:
            raise
        raise _Terminated from None
    finally:
        loop.remove_signal_handler(signal.SIGTERM)


def _stop_for(error: BaseException, settings: IndexerSettings | None) -> NoReturn:
    match error:
        case ConfigurationError():
            stop(str(error), MISCONFIGURED)
        case StoreBusy():
            stop(str(error), BUSY)
        case FootnoteError():
            stop(str(error), FAILED)
        case BrokenPipeError():
            # Whoever read our output has left. What is still buffered must not fail again when Python ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise SystemExit(FAILED)
        case OSError(filename=str(path)) if settings is not None and _is_of_data(Path(path), settings.data_dir):
            stop(f"{path}: {error.strerror} (FOOTNOTE_DATA_DIR must be a folder that can be written)", MISCONFIGURED)
        case OSError(filename=str(path)):
            stop(f"{path}: {error.strerror}: is it there, and may we use it?", FAILED)
        case _:
            raise error


def _is_of_data(path: Path, data: Path) -> bool:
    """Whether it lies in the data folder, or is that folder or one above it: those are made when they are missing."""
    path, data = path.absolute(), data.absolute()
    return path.is_relative_to(data) or data.is_relative_to(path)


def stop(message: str, code: int) -> NoReturn:
    """End the program; as one JSON object on stderr where logs are such."""
    if log_style(IndexerSettings) == "json":
        configure_logging(level="ERROR", style="json")
        log.error("the indexer ends", extra={"error": message, "exit_code": code})
    else:
        error = "\n".join(map(printable, f"error: {message}".splitlines()))
        Console(stderr=True).print(error, style="red", markup=False, highlight=False, soft_wrap=True)
    raise SystemExit(code)


def print_json(value: Mapping[str, Any], *, indent: int | None = 2) -> None:
    """One object to the output, in UTF-8 whatever the locale says, and at once."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    line = _SURROGATES.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"
    sys.stdout.flush()
    sys.stdout.buffer.write(line.encode())
    sys.stdout.buffer.flush()
