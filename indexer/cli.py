"""The indexer's commands: settings, engine parts and pipeline put together."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, NoReturn, TypeVar

import typer
from rich.console import Console

from indexer.bootstrap import open_pipeline
from indexer.console import show_report, watching
from indexer.drive import Drive
from indexer.pipeline import Options
from indexer.report import Report
from indexer.settings import IndexerSettings
from indexer.status import read_status, show_status
from rag.bootstrap import open_store
from rag.errors import ConfigurationError, FootnoteError, StoreBusy
from rag.settings import load_settings
from rag.telemetry import configure_logging

FAILED: Final = 1
MISCONFIGURED: Final = 3
BUSY: Final = 4
INTERRUPTED: Final = 130

T = TypeVar("T")

app = typer.Typer(
    help="Reads shared drives and fills the index that the bot answers from.",
    epilog="Exit codes: 0 done (files that could not be read are in the report), 1 failed, 2 wrong usage, "
    "3 a setting cannot work, 4 another indexer is writing, 130 interrupted.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]


@app.command()
def index(
    drive: Annotated[str, typer.Argument(help="The folder to index.")],
    name: Annotated[str | None, typer.Option(help="What the corpus is called; the folder's name by default.")] = None,
    *,
    replace: Annotated[bool, typer.Option("--replace", help="The corpus may come from another folder now.")] = False,
    allow_empty: Annotated[bool, typer.Option("--allow-empty", help="An empty folder is no mistake.")] = False,
    as_json: AsJson = False,
) -> None:
    """Bring the index up to one drive. Only what is new or changed is read.

    The bot goes on answering from the last complete index, and takes up the new one when this is done. A run that was
    interrupted is gone on with.

    Example: python -m indexer index /mnt/share --name handbook
    """
    settings = _settings()
    if not drive:
        _stop("the drive is an empty string: name its folder (is a variable unset?)", MISCONFIGURED)
    options = Options(replace_root=replace, allow_empty=allow_empty)
    report = _run(_index(settings, [(Path(drive), name)], options))
    _print_report(report, as_json=as_json)


@app.command()
def reindex(*, as_json: AsJson = False) -> None:
    """Build the index of all drives anew, beside the one that serves: after a change of model.

    Example: FOOTNOTE_EMBEDDING__MODEL=minilm-fp32 python -m indexer reindex
    """
    settings = _settings()

    async def work() -> Report:
        async with open_store(settings) as store:
            corpora = (await store.manifest()).corpora.values()
        return await _index(settings, [(Path(corpus.root), corpus.name) for corpus in corpora], Options(fresh=True))

    _print_report(_run(work()), as_json=as_json)


@app.command()
def status(*, as_json: AsJson = False) -> None:
    """Show what is indexed: corpora, documents by state, failures with reasons, model, chunker.

    Example: python -m indexer status --json
    """
    settings = _settings()

    async def work() -> None:
        async with open_store(settings) as store:
            found = await read_status(store)
        if as_json:
            _print_json(found.as_json())
        else:
            show_status(Console(), found)

    _run(work())


async def _index(settings: IndexerSettings, drives: Sequence[tuple[Path, str | None]], options: Options) -> Report:
    async with open_store(settings) as store:
        named = [Drive.at(root, name) for root, name in drives]
        async with open_pipeline(settings, store) as pipeline:
            with watching(Console(stderr=True)) as progress:
                return await pipeline.run(named, progress, options)


def _settings() -> IndexerSettings:
    try:
        settings = load_settings(IndexerSettings)
    except ConfigurationError as error:
        _stop(str(error), MISCONFIGURED)
    configure_logging(level=settings.log_level, style=settings.log_style)
    return settings


def _run(work: Awaitable[T]) -> T:
    """The result, or the program's end with a message and an exit code."""

    async def wait() -> T:
        return await work

    try:
        return asyncio.run(wait())
    except KeyboardInterrupt:
        _stop("interrupted; what was done is kept: run the same command again to go on", INTERRUPTED)
    except BaseExceptionGroup as group:
        _stop_for(_first(group))
    except (FootnoteError, OSError) as error:
        _stop_for(error)


def _stop_for(error: BaseException) -> NoReturn:
    match error:
        case ConfigurationError():
            _stop(str(error), MISCONFIGURED)
        case StoreBusy():
            _stop(str(error), BUSY)
        case FootnoteError():
            _stop(str(error), FAILED)
        case OSError(filename=str(path)):
            _stop(f"{path}: {error.strerror} (FOOTNOTE_DATA_DIR must be a folder that can be written)", MISCONFIGURED)
        case _:
            raise error


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The exception that made a group of tasks end."""
    error = group.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error


def _stop(message: str, code: int) -> NoReturn:
    Console(stderr=True).print(f"error: {message}", style="red", markup=False, highlight=False, soft_wrap=True)
    raise SystemExit(code)


def _print_report(report: Report, *, as_json: bool) -> None:
    if as_json:
        _print_json(report.as_json())
    else:
        show_report(Console(), report)


def _print_json(value: Mapping[str, Any]) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")
