"""Figures over time: one line a run, set and way, so that a fall shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, FiniteFloat

from lab.evaluation.results import LOWER_IS_BETTER, Result, read_models

Against: TypeAlias = Literal["best", "last"]


class HistoryEntry(BaseModel):
    """One way over one set, on one day."""

    model_config = ConfigDict(frozen=True)

    at: str
    version: str
    commit: str | None = None
    set: str
    mode: str
    questions: int
    metrics: dict[str, FiniteFloat]


@dataclass(frozen=True, slots=True)
class Fall:
    """A figure that is worse than it was."""

    set: str
    mode: str
    metric: str
    was: float
    now: float


def read_history(path: Path) -> list[HistoryEntry]:
    """What was appended so far; nothing where there is no such file. Raises EvaluationError."""
    return read_models(path, HistoryEntry, "`history`") if path.exists() else []


def append(path: Path, entries: Sequence[HistoryEntry]) -> None:
    """Add to the end of the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    is_whole = not path.exists() or path.read_bytes()[-1:] in {b"", b"\n"}  # editors leave the last line feed away
    with path.open("a", encoding="utf-8") as file:
        file.write("" if is_whole else "\n")
        file.writelines(f"{entry.model_dump_json(exclude_none=True)}\n" for entry in entries)


def entry_of(result: Result, commit: str | None) -> HistoryEntry:
    """A result as one line."""
    return HistoryEntry(
        at=result.at,
        version=result.version,
        commit=commit,
        set=result.set,
        mode=result.mode,
        questions=result.questions,
        metrics={**result.flat()},
    )


def falls(
    history: Sequence[HistoryEntry], now: Sequence[HistoryEntry], *, tolerance: float, against: Against
) -> list[Fall]:
    """Each figure that is worse by more than `tolerance` than the best there was, or than the last.

    Only runs over as many questions count: others asked something else.
    """
    return [
        Fall(entry.set, entry.mode, metric, was, value)
        for entry in now
        for metric, was in _marks(history, entry, against).items()
        if (value := entry.metrics.get(metric)) is not None and _worse(metric, was, value) > tolerance
    ]


def _marks(history: Sequence[HistoryEntry], entry: HistoryEntry, against: Against) -> Mapping[str, float]:
    """What each figure is held against."""
    marks: dict[str, float] = {}
    for metric, value in _earlier(history, entry):
        if metric not in marks or against == "last" or _worse(metric, marks[metric], value) < 0:
            marks[metric] = value
    return marks


def _earlier(history: Sequence[HistoryEntry], entry: HistoryEntry) -> Iterator[tuple[str, float]]:
    for old in history:
        if (old.set, old.mode, old.questions) == (entry.set, entry.mode, entry.questions):
            yield from old.metrics.items()


def _worse(metric: str, was: float, now: float) -> float:
    """By how much `now` is worse."""
    return now - was if metric == LOWER_IS_BETTER else was - now
