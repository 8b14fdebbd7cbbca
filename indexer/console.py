"""What an operator sees of the indexer: a bar while it works, tables afterwards; plain text in a pipe."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar
from rich.table import Table

from indexer.report import DriveReport, Progress, Report

FAILURES_SHOWN: Final = 50
LINE_SECONDS: Final = 10.0  # between two lines of progress in a pipe


class BarProgress:
    """A bar of files with pages/s, chunks/s and the time left."""

    def __init__(self, bar: Bar) -> None:
        self._bar = bar
        self._task: TaskID | None = None
        self._began = time.monotonic()
        self._files = self._done = self._pages = self._read_chunks = self._chunks = 0

    def planned(self, corpus: str, files: int) -> None:
        """A new bar."""
        self._files, self._done = files, 0
        self._task = self._bar.add_task(escape(corpus), total=files, rates="")

    def read(self, uri: str, pages: int, chunks: int) -> None:
        """More is known to be embedded."""
        del uri
        self._pages += pages
        self._read_chunks += chunks
        self._show()

    def embedded(self, chunks: int) -> None:
        """What takes the time."""
        self._chunks += chunks
        self._show()

    def stored(self, uri: str) -> None:
        """The bar moves."""
        del uri
        self._done += 1
        self._show()

    def _show(self) -> None:
        if self._task is not None:
            self._bar.update(self._task, completed=self._done, rates=self.rates())

    def rates(self) -> str:
        """Pages/s, chunks/s, and the time left, judged by the chunks that a file has had so far."""
        seconds = max(time.monotonic() - self._began, 1e-6)
        text = f"{self._pages / seconds:.1f} pages/s, {self._chunks / seconds:.1f} chunks/s"
        if not self._done or not self._chunks:
            return text
        expected = self._read_chunks / self._done * self._files if self._done < self._files else self._read_chunks
        left = max(expected - self._chunks, 0) * seconds / self._chunks
        return f"{text}, {_duration(left)} left"


class LineProgress(BarProgress):
    """The same as a line now and then, for logs."""

    def __init__(self, console: Console) -> None:
        super().__init__(Bar(console=console, disable=True))
        self._console = console
        self._next = time.monotonic() + LINE_SECONDS

    def _show(self) -> None:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + LINE_SECONDS
            self._console.print(f"{self._done}/{self._files} files, {self.rates()}", highlight=False, soft_wrap=True)


@contextmanager
def watching(console: Console) -> Generator[Progress]:
    """The progress that suits the console."""
    if not console.is_terminal:
        yield LineProgress(console)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("files, {task.fields[rates]}"),
        TimeElapsedColumn(),
    )
    with Bar(*columns, console=console) as bar:
        yield BarProgress(bar)


def show_report(console: Console, report: Report) -> None:
    """The report card of a run."""
    if report.resumed:
        console.print("An earlier run had been interrupted; this one went on from there.")
    for drive in report.drives:
        console.print(_summary(drive))
        show_failures(console, [(uri, failure.message, failure.remedy) for uri, failure in drive.failed])
        for uri, message in drive.warned:
            console.print(f"[yellow]{escape(printable(uri))}:[/] {escape(message)}")
        for folder in drive.unreadable_folders:
            console.print(
                f"[yellow]could not be listed:[/] {escape(printable(folder))} (what is known of its files still holds)"
            )
    state = "now serves" if report.is_new_generation else "still serves: nothing has changed"
    console.print(f"Generation {report.generation} {state}. {_duration(report.seconds)} in all.")


def _summary(drive: DriveReport) -> Table:
    table = Table(title=f"Corpus {escape(drive.corpus)}", title_justify="left", show_header=False)
    table.add_column()
    table.add_column(justify="right")
    rows = {
        "new": drive.new,
        "changed": drive.changed,
        "same bytes, new date": drive.touched,
        "unchanged": drive.unchanged,
        "kept as indexed before": drive.kept,
        "gone": drive.gone,
        "without text": drive.empty,
        "failed": len(drive.failed),
        "pages read": drive.pages,
        "pages without text": drive.pages_without_text,
        "chunks made": drive.chunks,
        "links and special files skipped": drive.skipped,
    }
    for name, count in rows.items():
        if count or name in {"new", "changed", "unchanged", "gone", "failed"}:
            table.add_row(name, f"{count:,}", style="red" if name == "failed" and count else None)
    if drive.seconds and drive.chunks:
        rates = f"{drive.pages / drive.seconds:.1f} pages/s, {drive.chunks / drive.seconds:.1f} chunks/s"
        table.add_row("time", f"{_duration(drive.seconds)} ({rates})")
    return table


def show_failures(console: Console, failures: Sequence[tuple[str, str, str]]) -> None:
    """Path, reason and remedy of what could not be read."""
    if not failures:
        return
    table = Table(title=f"Not read ({len(failures)})", title_justify="left")
    for heading in ("file", "reason", "what to do"):
        table.add_column(heading, overflow="fold")
    for uri, message, remedy in failures[:FAILURES_SHOWN]:
        table.add_row(escape(printable(uri)), escape(message), escape(remedy))
    console.print(table)
    if len(failures) > FAILURES_SHOWN:
        console.print(f"… and {len(failures) - FAILURES_SHOWN} more: `python -m indexer status --json` lists all.")


def printable(text: str) -> str:
    """A file's name without anything that a terminal would obey."""
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02} s" if minutes else f"{seconds:.1f} s"
