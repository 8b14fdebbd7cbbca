"""How well declining tells questions that the documents answer from those that they do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel, ConfigDict

from lab.evaluation.figures import Estimate, separation, share

THRESHOLDS: Final = tuple(step / 20 for step in range(21))


@dataclass(frozen=True, slots=True)
class Weighed:
    """What was made of one question."""

    is_answerable: bool
    is_declined: bool
    strength: float


class Point(BaseModel):
    """What would come of declining whatever is weaker than a threshold."""

    model_config = ConfigDict(frozen=True)

    threshold: float
    recall: float
    """The share of the unanswerable questions that is declined."""
    answerable_declined: float
    precision: float | None = None
    """The share of the declined ones that is unanswerable; None where nothing is declined."""


class Declining(BaseModel):
    """How the rule that serves does, and how its strength would do at other thresholds."""

    model_config = ConfigDict(frozen=True)

    recall: Estimate | None = None
    """The share of the unanswerable questions that is declined; None where no such question was asked."""
    answerable_declined: Estimate | None = None
    """The share of the answerable ones that is, likewise; lower is better."""
    precision: Estimate | None = None
    """The share of the declined ones that is unanswerable: it depends on how many of each were asked.

    With the next two, only where both kinds were.
    """
    separation: float | None = None
    """How often an answerable question's strength exceeds an unanswerable one's: 0.5 by chance, 1 at best."""
    curve: list[Point]


def declining(weighed: Sequence[Weighed]) -> Declining | None:
    """None where nothing was weighed."""
    answerable = [one for one in weighed if one.is_answerable]
    others = [one for one in weighed if not one.is_answerable]
    recall = share(sum(one.is_declined for one in others), len(others))
    lost = share(sum(one.is_declined for one in answerable), len(answerable))
    if not weighed:
        return None
    if not answerable or not others:
        return Declining(recall=recall, answerable_declined=lost, curve=[])
    declined = [one for one in weighed if one.is_declined]
    return Declining(
        recall=recall,
        answerable_declined=lost,
        precision=share(sum(not one.is_answerable for one in declined), len(declined)),
        separation=separation([one.strength for one in answerable], [one.strength for one in others]),
        curve=[
            _point(threshold, [one.strength for one in answerable], [one.strength for one in others])
            for threshold in THRESHOLDS
        ],
    )


def _point(threshold: float, answerable: Sequence[float], others: Sequence[float]) -> Point:
    lost = sum(strength < threshold for strength in answerable)
    right = sum(strength < threshold for strength in others)
    return Point(
        threshold=threshold,
        recall=round(right / len(others), 4),
        answerable_declined=round(lost / len(answerable), 4),
        precision=round(right / (lost + right), 4) if lost + right else None,
    )
