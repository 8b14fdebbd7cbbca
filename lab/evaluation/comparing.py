"""Two runs held against each other, question by question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from lab.evaluation.figures import Estimate, figure_of, p_value
from lab.evaluation.results import Detail
from rag.errors import EvaluationError

Run: TypeAlias = Mapping[str, Detail]
"""One way over one set: what came of each question, by its id."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One figure of two runs, over the questions that both asked."""

    metric: str
    before: Estimate
    after: Estimate
    delta: float
    """After less before."""
    p: float
    """How likely so large a difference is by chance."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs over one set."""

    set: str
    before: str
    """The way."""
    after: str
    lines: Sequence[Compared]


def compare(before: Sequence[Detail], after: Sequence[Detail]) -> list[Comparison]:
    """Each set that both have: way against the same way; or the one way of each, where those differ.

    Raises EvaluationError when nothing can be held against each other.
    """
    compared = [
        Comparison(name, mine, theirs, list(_lines(old[mine], new[theirs])))
        for name, old, new in _shared_sets(before, after)
        for mine, theirs in _pairs(name, old, new)
    ]
    if not compared:
        raise EvaluationError("the two files have no set in common: nothing can be compared")
    for one in compared:
        if not one.lines:
            raise EvaluationError(f"{one.set}: no figure of any question is in both files: nothing can be compared")
    return compared


def _shared_sets(
    before: Sequence[Detail], after: Sequence[Detail]
) -> Iterator[tuple[str, Mapping[str, Run], Mapping[str, Run]]]:
    old, new = _by_set(before), _by_set(after)
    for name, ways in old.items():
        if name in new:
            yield name, ways, new[name]


def _by_set(details: Sequence[Detail]) -> Mapping[str, Mapping[str, Run]]:
    sets: dict[str, dict[str, dict[str, Detail]]] = {}
    for detail in details:
        run = sets.setdefault(detail.set, {}).setdefault(detail.mode, {})
        if detail.id in run:
            raise EvaluationError(f"{detail.set}, {detail.mode}: the question {detail.id!r} stands twice in one file")
        run[detail.id] = detail
    return sets


def _pairs(name: str, old: Mapping[str, Run], new: Mapping[str, Run]) -> list[tuple[str, str]]:
    if same := [mode for mode in old if mode in new]:
        return [(mode, mode) for mode in same]
    if len(old) == len(new) == 1:
        return [(next(iter(old)), next(iter(new)))]
    raise EvaluationError(
        f"{name}: {', '.join(old)} on one side, {', '.join(new)} on the other: it cannot be told what to compare with "
        "what; give files with one way each"
    )


def _lines(before: Run, after: Run) -> Iterator[Compared]:
    shared = [key for key in before if key in after]
    values = [({**_scores(before[key])}, {**_scores(after[key])}) for key in shared]
    for metric in dict.fromkeys(metric for old, _ in values for metric in old):
        both = [(old[metric], new[metric]) for old, new in values if metric in old and metric in new]
        if not both:
            continue
        old, new = np.array(both).T
        delta = round(float(np.mean(new - old)), 4)
        yield Compared(metric, figure_of(metric, old), figure_of(metric, new), delta, p_value(new - old))


def _scores(detail: Detail) -> Mapping[str, float]:
    """Its figures, and whether it was declined: rightly or wrongly."""
    if detail.verdict is None:
        return detail.metrics
    name = "answerable declined" if detail.answerable else "unanswerable declined"
    return {**detail.metrics, name: float(detail.verdict == "decline")}
