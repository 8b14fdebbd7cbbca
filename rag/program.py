"""What every command line does alike: settings, logs, a run to its end, exit codes."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import signal
import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any, Final, Generic, NoReturn, TypeVar

import typer
from rich.console import Console

from rag.errors import ConfigurationError, FootnoteError, StoreBusy, first_cause
from rag.settings.engine import EngineSettings
from rag.settings.loading import load_settings, log_style
from rag.telemetry import configure_logging

log = logging.getLogger(__name__)

FAILED: Final = 1
WRONG_USAGE: Final = 2
MISCONFIGURED: Final = 3
BUSY: Final = 4
INTERRUPTED: Final = 130
TERMINATED: Final = 143

NO_VALUE: Final = ""
"""The metavar of a flag: help would name a type otherwise, as if one were to be given."""

AsJson = Annotated[bool, typer.Option("--json", metavar=NO_VALUE, help="Print JSON instead of tables.")]

_SURROGATES: Final = re.compile("[\ud800-\udfff]")
"""How Python holds the bytes of a file's name that are no UTF-8."""

S = TypeVar("S", bound=EngineSettings)
T = TypeVar("T")


class _Terminated(Exception):  # noqa: N818  # reads as the fact that it is
    """The program was asked to stop by SIGTERM."""


@dataclass(frozen=True, slots=True)
class Program(Generic[S]):
    """A program of the command line."""

    name: str
    """As it speaks of itself, and as its package is called: `bot`."""
    settings: type[S]

    def read_settings(self, *, is_quiet: bool = False) -> S:
        """The settings, with logs set up; or the program's end.

        `is_quiet`: what happens is not told as long as all goes well, unless FOOTNOTE_LOG_LEVEL is DEBUG.
        """
        self.configure_logs("WARNING")
        try:
            settings = load_settings(self.settings)
        except ConfigurationError as error:
            self.stop(str(error), MISCONFIGURED)
        level = "WARNING" if is_quiet and settings.log_level == "INFO" else settings.log_level
        configure_logging(level=level, style=settings.log_style, packages=("rag", self.name))
        return settings

    def configure_logs(self, level: str) -> None:
        """Logs of this level and above, whatever else the settings say."""
        configure_logging(level=level, style=log_style(self.settings), packages=("rag", self.name))

    def run(self, work: Coroutine[Any, Any, T], settings: S | None = None, *, when_stopped: str = "") -> T:
        """The result, or the program's end with a message and an exit code.

        `settings` are those that the work goes by. `when_stopped` is said on Ctrl-C and on SIGTERM: what the operator
        can do next.
        """
        end = f"; {when_stopped}" if when_stopped else ""
        try:
            return asyncio.run(_until_terminated(work))
        except KeyboardInterrupt:
            self.stop(f"interrupted{end}", INTERRUPTED)
        except _Terminated:
            self.stop(f"stopped{end}", TERMINATED)
        except BaseExceptionGroup as group:
            self.stop_for(first_cause(group), settings)
        except (FootnoteError, OSError) as error:
            self.stop_for(error, settings)

    def stop_for(self, error: BaseException, settings: S | None = None) -> NoReturn:
        """End the program for an error; it is raised again where it is none that an operator can do anything about."""
        match error:
            case ConfigurationError():
                self.stop(str(error), MISCONFIGURED)
            case StoreBusy():
                self.stop(str(error), BUSY)
            case FootnoteError():
                self.stop(str(error), FAILED)
            case BrokenPipeError():
                # Whoever read our output has left. What is still buffered must not fail again when Python ends.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                raise SystemExit(FAILED)
            case OSError(filename=str(path)) if settings is not None and _is_of_data(Path(path), settings.data_dir):
                hint = "FOOTNOTE_DATA_DIR must be a folder that can be written"
                self.stop(f"{path}: {error.strerror} ({hint})", MISCONFIGURED)
            case OSError(filename=str(path)):
                self.stop(f"{path}: {error.strerror}: is it there, and may we use it?", FAILED)
            case _:
                raise error

    def stop(self, message: str, code: int) -> NoReturn:
        """End the program; as one JSON object on stderr where logs are such."""
        if log_style(self.settings) == "json":
            self.configure_logs("ERROR")
            log.error("the %s ends", self.name, extra={"error": message, "exit_code": code})
        else:
            error = "\n".join(map(printable, f"error: {message}".splitlines()))
            Console(stderr=True).print(error, style="red", markup=False, highlight=False, soft_wrap=True)
        raise SystemExit(code)


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


def _is_of_data(path: Path, data: Path) -> bool:
    """Whether it lies in the data folder, or is that folder or one above it: those are made when they are missing."""
    path, data = path.absolute(), data.absolute()
    return path.is_relative_to(data) or data.is_relative_to(path)


def command_line(commands: Sequence[Callable[..., None]], *, title: str, epilog: str) -> typer.Typer:
    """The command line of a program that has commands, and the option `--version`."""
    app = typer.Typer(
        help=title,
        epilog=epilog,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode="markdown",
    )
    for command in commands:
        app.command()(command)
    app.callback()(_show_version_alone)
    return app


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"footnote {metadata.version('footnote')}")
        raise typer.Exit


def _show_version_alone(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version", metavar=NO_VALUE, callback=_show_version, is_eager=True, help="Print the version and end."
        ),
    ] = False,
) -> None:
    del version  # its callback has done all


def printable(text: str) -> str:
    """A text without anything that a terminal would obey: names of files may hold such."""
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)


def print_json(value: Mapping[str, Any], *, indent: int | None = 2) -> None:
    """One object to the output, in UTF-8 whatever the locale says, and at once."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    line = _SURROGATES.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"
    sys.stdout.flush()
    sys.stdout.buffer.write(line.encode())
    sys.stdout.buffer.flush()
