"""The page of results, as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from lab.evaluation.declining import Declining
from lab.evaluation.figures import Estimate
from lab.evaluation.metrics import MEANINGS, in_order
from lab.evaluation.reporting.sections import Other, PageSection, Part, results_of, sections
from lab.evaluation.results import Result
from lab.evaluation.view import milliseconds, questions_of, with_interval

HEAD: Final = """\
# Results

Made by `python -m lab.evaluation report` from the files in `results/` beside this page: change those, not this.
Brackets hold the 95 % confidence interval: Wilson's where a question counts 0 or 1 (page@k, pages@k, file@k, and what
is declined), by percentile bootstrap over the questions elsewhere. Times are p50 / p95 in milliseconds.
"""


def page(folder: Path) -> str:
    """The whole page, from the files of a folder. Raises EvaluationError."""
    parts = [HEAD.rstrip(), _meanings()]
    parts += [one if isinstance(one, str) else "\n\n".join(_section(one, folder)) for one in sections(folder)]
    return "\n\n".join(parts) + "\n"


def _meanings() -> str:
    return "\n".join(["| Figure | What it says |", "|---|---|", *(f"| {k} | {v} |" for k, v in MEANINGS.items())])


def _section(section: PageSection, folder: Path) -> Iterator[str]:
    yield f"## {section.title}"
    if section.note:
        yield section.note
    if section.command:
        yield f"```\n{section.command}\n```"
    results = results_of(section, folder)
    for part in section.show if results or section.others else []:
        yield from PARTS[part](section, results)
    for table in section.tables:
        yield _table(table.columns, [[_cell(cell) for cell in row] for row in table.rows])
    if section.after:
        yield section.after


def _figures(section: PageSection, results: Sequence[Result]) -> Iterator[str]:
    """One table a set: a row a way, and below them what others reached."""
    names = [*(result.set for result in results), *(other.set for other in section.others)]
    for name in dict.fromkeys(names):
        own = [result for result in results if result.set == name]
        others = [other for other in section.others if other.set == name]
        metrics = section.metrics or in_order({metric for one in [*own, *others] for metric in one.metrics})
        shown = [metric for metric in metrics if any(metric in one.metrics for one in [*own, *others])]
        yield f"### {_title(name, own)}"
        rows = [[f"`{result.mode}`", *(_figure(result.metrics.get(metric)) for metric in shown)] for result in own]
        rows += [[other.name, *(_plain(other, metric) for metric in shown)] for other in others]
        yield _table(["", *shown], rows)


def _declining(_: PageSection, results: Sequence[Result]) -> Iterator[str]:
    rows = [
        [
            result.set,
            f"`{result.mode}`",
            f"{result.questions} / {result.unanswerable}",
            _figure(rule.recall),
            _figure(rule.answerable_declined),
            _figure(rule.precision),
            "–" if rule.separation is None else f"{rule.separation:.3f}",
        ]
        for result, rule in _rules(results)
    ]
    columns = ["set", "way", "answerable / not", "unanswerable declined", "answerable declined", "declined rightly"]
    yield _table([*columns, "strength separates (AUROC)"], rows, words=2)


def _curve(_: PageSection, results: Sequence[Result]) -> Iterator[str]:
    """What would come of other thresholds: a column a way, each with both shares."""
    for name in dict.fromkeys(result.set for result in results):
        own = [(result, rule) for result, rule in _rules(results) if result.set == name and rule.curve]
        if not own:
            continue
        yield f"### {name}: unanswerable / answerable declined, were the threshold another"
        rows = [
            [f"{points[0].threshold:.2f}", *(f"{one.recall:.0%} / {one.answerable_declined:.0%}" for one in points)]
            for points in zip(*(rule.curve for _, rule in own), strict=False)  # all have the same thresholds
        ]
        yield _table(["strength below", *(f"`{result.mode}`" for result, _ in own)], rows)


def _latency(_: PageSection, results: Sequence[Result]) -> Iterator[str]:
    yield "### Milliseconds, p50 / p95"
    stages = list(dict.fromkeys(stage for result in results for stage in result.latency_ms))
    rows = [
        [result.set, f"`{result.mode}`", *(milliseconds(result.latency_ms.get(stage)) for stage in stages)]
        for result in results
    ]
    yield _table(["set", "way", *stages], rows, words=2)


def _index(_: PageSection, results: Sequence[Result]) -> Iterator[str]:
    found = {result.set: result.index for result in results if result.index.chunks}
    rows = [
        [name, f"{one.documents:,}", f"{one.chunks:,}", str(one.unread), f"`{one.embedder}`", f"`{one.chunker}`"]
        for name, one in found.items()
    ]
    yield _table(["set", "documents", "chunks", "not read", "embedder", "chunker"], rows)


PARTS: Final[Mapping[Part, Callable[[PageSection, Sequence[Result]], Iterator[str]]]] = {
    "figures": _figures,
    "declining": _declining,
    "curve": _curve,
    "latency": _latency,
    "index": _index,
}


def _rules(results: Sequence[Result]) -> list[tuple[Result, Declining]]:
    return [(result, result.declining) for result in results if result.declining is not None]


def _title(name: str, own: Sequence[Result]) -> str:
    if not own:
        return name
    skipped = f", {own[0].skipped} left out as unverified" if own[0].skipped else ""
    unread = max(result.index.unread for result in own)
    lacking = f"; {unread} files could not be read" if unread else ""
    for result in own:
        lacking += "".join(f"; `{result.mode}`: {code} {count} times" for code, count in result.degraded.items())
    return f"{name} ({questions_of(own[0])}{skipped}{lacking})"


def _figure(figure: Estimate | None) -> str:
    return with_interval(figure)


def _plain(other: Other, metric: str) -> str:
    return "–" if metric not in other.metrics else f"{other.metrics[metric]:.3f}"


def _cell(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:,}"


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, words: int = 1) -> str:
    """The first `words` columns stand at the left, numbers at the right."""
    lines = [columns, ["---" if place < words else "---:" for place in range(len(columns))], *rows]
    return "\n".join(f"| {' | '.join(map(_escaped, line))} |" for line in lines)


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|")
