"""What all commands share: settings, the way the program ends, and its exit codes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from importlib.util import find_spec
from typing import Annotated, Any, Final, NoReturn, TypeVar

import typer
from rich.console import Console

from lab.evaluation.settings import EvaluationSettings
from rag.errors import ConfigurationError, FootnoteError
from rag.settings.loading import load_settings, log_style
from rag.telemetry import configure_logging

log = logging.getLogger(__name__)

FAILED: Final = 1
WRONG_USAGE: Final = 2
MISCONFIGURED: Final = 3
INTERRUPTED: Final = 130

EXIT_CODES: Final = (
    f"Exit codes: 0 done, {FAILED} failed, or a figure fell (`history`) or missed its bound (`judge`), or the page is "
    f"not up to date (`report --check`), {WRONG_USAGE} wrong usage, {MISCONFIGURED} a setting cannot work, "
    f"{INTERRUPTED} interrupted."
)
LIBRARIES: Final = ("ir_measures", "pytrec_eval", "scipy")
NO_VALUE: Final = ""
"""The metavar of a flag: help would name a type otherwise, as if one were to be given."""

AsJson = Annotated[bool, typer.Option("--json", metavar=NO_VALUE, help="Print JSON instead of tables.")]

T = TypeVar("T")


def check_libraries() -> None:
    """The program's end where the libraries of figures are not installed."""
    if absent := [name for name in LIBRARIES if find_spec(name) is None]:
        remedy = "run `pip install -c constraints.txt '.[evaluation]'` in the folder of the source"
        stop(f"{' and '.join(absent)} is not installed: {remedy}", MISCONFIGURED)


def read_settings() -> EvaluationSettings:
    """The settings, with logs set up; or the program's end."""
    configure_logging(level="WARNING", style=log_style(EvaluationSettings))
    try:
        settings = load_settings(EvaluationSettings)
    except ConfigurationError as error:
        stop(str(error), MISCONFIGURED)
    # Each question would be a line otherwise.
    configure_logging(level="WARNING" if settings.log_level == "INFO" else settings.log_level, style=settings.log_style)
    return settings


def run(work: Coroutine[Any, Any, T]) -> T:
    """The result, or the program's end with a message and an exit code."""
    try:
        return asyncio.run(work)
    except KeyboardInterrupt:
        stop("interrupted; what was indexed is kept", INTERRUPTED)
    except (FootnoteError, OSError) as error:
        stop_for(error)


def stop_for(error: FootnoteError | OSError) -> NoReturn:
    """End the program for an error."""
    match error:
        case ConfigurationError():
            stop(str(error), MISCONFIGURED)
        case OSError(filename=str(path)):
            stop(f"{path}: {error.strerror}", FAILED)
        case FootnoteError():
            stop(str(error), FAILED)
        case _:
            raise error


def stop(message: str, code: int) -> NoReturn:
    """End the program; as one JSON object on stderr where logs are such."""
    if log_style(EvaluationSettings) == "json":
        configure_logging(level="ERROR", style="json")
        log.error("the evaluation ends", extra={"error": message, "exit_code": code})
    else:
        Console(stderr=True).print(f"error: {message}", style="red", markup=False, highlight=False, soft_wrap=True)
    raise SystemExit(code)
