"""What an operator sees while the indexer works: two bars in a terminal, a line now and then in a log."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

from indexer.cli.views.console import duration, say
from indexer.cli.views.throughput import Throughput
from indexer.pipeline.report import RunProgress
from rag.program import printable

LINE_SECONDS: Final = 10.0  # between two lines of progress in a pipe


class BarProgress:
    """A bar of files read and one of chunks embedded; the second is the one that takes the time."""

    def __init__(self, bars: Bars) -> None:
        self._bars = bars
        self._throughput = Throughput({})
        self._reading: TaskID | None = None
        self._embedding: TaskID | None = None

    def planned(self, corpus: str, sizes: Mapping[str, int]) -> None:
        """Two new bars."""
        self._throughput = Throughput(sizes)
        name = escape(printable(corpus))
        self._reading = self._bars.add_task(f"{name}: reading", total=len(sizes), says="")
        self._embedding = self._bars.add_task(f"{name}: embedding", total=None, says="")
        self._show()

    def read(self, uri: str, pages: int, chunks: int) -> None:
        """The first moves, and more is known to be embedded."""
        self._throughput.read(uri, pages, chunks)
        self._show()

    def embedded(self, chunks: int) -> None:
        """The second moves."""
        self._throughput.chunks_embedded += chunks
        self._show()

    def _show(self) -> None:
        throughput = self._throughput
        if self._reading is None or self._embedding is None:
            return
        read = f"{throughput.files_read:,}/{throughput.files:,} files, {throughput.pages_per_second:.1f} pages/s"
        self._bars.update(self._reading, completed=throughput.files_read, says=read)
        total = throughput.chunks_expected if throughput.chunks_expected or throughput.is_read else None
        says = _embedding(throughput)
        self._bars.update(self._embedding, completed=throughput.chunks_embedded, total=total, says=says)


class LineProgress:
    """The same as a line now and then, for logs."""

    def __init__(self, console: Console, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._console = console
        self._clock = clock
        self._corpus = ""
        self._throughput = Throughput({}, clock=clock)
        self._next = clock() + LINE_SECONDS

    def planned(self, corpus: str, sizes: Mapping[str, int]) -> None:
        """The lines are about this drive from now on."""
        self._corpus = corpus
        self._throughput = Throughput(sizes, clock=self._clock)

    def read(self, uri: str, pages: int, chunks: int) -> None:
        """A line, if it is time."""
        self._throughput.read(uri, pages, chunks)
        self._show()

    def embedded(self, chunks: int) -> None:
        """A line, if it is time."""
        self._throughput.chunks_embedded += chunks
        self._show()

    def _show(self) -> None:
        if self._clock() < self._next:
            return
        self._next = self._clock() + LINE_SECONDS
        throughput = self._throughput
        read = f"{throughput.files_read:,}/{throughput.files:,} files read ({throughput.pages_per_second:.1f} pages/s)"
        say(self._console, f"{self._corpus}: {read}, {_embedding(throughput)}")


def _embedding(throughput: Throughput) -> str:
    about = "" if throughput.is_read else "about "
    text = f"{throughput.chunks_embedded:,}/{about}{throughput.chunks_expected:,} chunks embedded"
    text += f" ({throughput.chunks_per_second:.1f} chunks/s)"
    left = throughput.seconds_left
    return text if left is None else f"{text}, {duration(left)} left"


@contextmanager
def open_progress(console: Console) -> Generator[RunProgress]:
    """The progress that suits the console: bars where they can move."""
    if not console.is_terminal:
        yield LineProgress(console)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[says]}"), TimeElapsedColumn())
    with Bars(*columns, console=console) as bars:
        yield BarProgress(bars)
