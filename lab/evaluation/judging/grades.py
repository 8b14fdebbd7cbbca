"""What a judgement is: a value, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rag.types.vectors import Vector


@dataclass(frozen=True, slots=True)
class Grade:
    """One judgement of one answer."""

    value: float | None
    """From 0 to 1, higher is better; None where it was not judged, which is never a zero."""
    why: str = ""
    """Why it was not judged; empty where it was."""


def likeness(one: Vector, other: Vector) -> float:
    """The cosine of two normalised vectors, those below 0 taken for 0."""
    return float(np.clip(one @ other, 0.0, 1.0))
