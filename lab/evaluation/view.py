"""Figures as tables: with rules in a terminal, as plain lines that are never cut in a pipe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from lab.evaluation.figures import Estimate, Latency
from lab.evaluation.results import Result


def show_results(console: Console, results: Sequence[Result]) -> None:
    """One table a set: a row a figure, a column a way."""
    for name in dict.fromkeys(result.set for result in results):
        own = [result for result in results if result.set == name]
        show_table(console, _title(own), ["", *(result.mode for result in own)], list(_rows(own)))


def show_table(console: Console, title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """The rows under their headings; numbers stand at the right of all columns but the first."""
    console.print(Text(title, style="bold"), soft_wrap=True)
    if console.is_terminal:
        table = Table()
        for place, heading in enumerate(headings):
            table.add_column(heading, justify="right" if place else "left", overflow="fold")
        for row in rows:
            table.add_row(*map(Text, row))
        console.print(table)
        return
    lines = [headings, *rows]
    widths = [max(len(line[place]) for line in lines) for place in range(len(headings))]
    for first, *others in lines:
        cells = [first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))]
        console.print(Text("  ".join(cells).rstrip()), soft_wrap=True)


def with_interval(figure: Estimate | None) -> str:
    """The value and where it lies with 95 % confidence; a dash where there is none."""
    return "–" if figure is None else f"{figure.value:.3f} [{figure.low:.2f}–{figure.high:.2f}]"


def questions_of(result: Result) -> str:
    """How many questions of each kind a title says there are."""
    answerable = f"{result.questions} answerable question{'' if result.questions == 1 else 's'}"
    return f"{answerable}, {result.unanswerable} unanswerable" if result.unanswerable else answerable


def milliseconds(latency: Latency | None) -> str:
    """Half stay within the first, 95 % within the second."""
    return "–" if latency is None else f"{latency.p50:.1f} / {latency.p95:.1f}"


def _title(own: Sequence[Result]) -> str:
    first = own[0]
    skipped = f", {first.skipped} left out as unverified" if first.skipped else ""
    unread = max(result.index.unread for result in own)
    warning = f"; {unread} files COULD NOT BE READ" if unread else ""
    for result in own:
        degraded = ", ".join(f"{code} {count} times" for code, count in result.degraded.items())
        warning += f"; {result.mode} WAS DEGRADED ({degraded})" if degraded else ""
    return f"{first.set}: {questions_of(first)}{skipped}{warning}"


def _rows(own: Sequence[Result]) -> Iterator[list[str]]:
    for name in dict.fromkeys(name for result in own for name in result.metrics):
        yield [name, *(with_interval(result.metrics.get(name)) for result in own)]
    weighed = [result.declining for result in own]
    if any(one and one.recall for one in weighed):
        yield ["unanswerable declined", *(with_interval(one and one.recall) for one in weighed)]
    if any(one and one.answerable_declined for one in weighed):
        yield ["answerable declined", *(with_interval(one and one.answerable_declined) for one in weighed)]
    if any(one and one.curve for one in weighed):  # both kinds were asked
        yield ["declined rightly", *(with_interval(one and one.precision) for one in weighed)]
        yield [
            "strength separates",
            *("–" if one is None or one.separation is None else f"{one.separation:.3f}" for one in weighed),
        ]
    for stage in dict.fromkeys(stage for result in own for stage in result.latency_ms):
        yield [f"{stage}, p50 / p95 ms", *(milliseconds(result.latency_ms.get(stage)) for result in own)]
