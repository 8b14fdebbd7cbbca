"""Judgements as tables."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from lab.evaluation.judging.results import JudgedSet, JudgingCost
from lab.evaluation.view import show_table, with_interval


def show_judged(console: Console, result: JudgedSet) -> None:
    """The figures, then who wrote, who judged, and what it cost."""
    others = f", {result.unanswerable} that nothing answers" if result.unanswerable else ""
    title = f"{result.set}: {result.questions} questions{others}, by {result.mode}"
    show_table(console, title, ["", "figure", "not judged", "why not"], list(_rows(result)))
    for line in _notes(result):
        console.print(Text(line), soft_wrap=True)


def _rows(result: JudgedSet) -> Iterator[list[str]]:
    for name, found in result.judgements.items():
        share = "–" if found.not_judged is None else f"{found.not_judged.value:.1%}"
        reasons = ", ".join(f"{why}: {count}" for why, count in found.reasons.items())
        yield [name, with_interval(found.figure), share, reasons]
    yield ["answerable declined", with_interval(result.answerable_declined), "", ""]
    if result.unanswerable:
        yield ["unanswerable declined", with_interval(result.unanswerable_declined), "", ""]


def _notes(result: JudgedSet) -> Iterator[str]:
    yield f"written by {', '.join(result.writers) or 'no model'} ({_spent(result.answers_cost)})"
    if result.recalled:
        yield f"{result.recalled} answers were kept from before, and cost nothing this time"
    again = f", {result.retries} asked for twice" if result.retries else ""
    yield f"judged by {', '.join(result.judges) or 'no model'} ({_spent(result.judging_cost)}{again})"
    if result.judges_itself:
        yield "the judge wrote what it judged, and may like it too well: name another by --judge"


def _spent(cost: JudgingCost) -> str:
    tokens = f"{cost.input_tokens + cost.output_tokens:,} tokens"
    unpriced = f", {cost.unpriced_calls:,} calls without a known price" if cost.unpriced_calls else ""
    return f"{tokens}, {cost.usd:.4f} USD{unpriced}"
