"""What a way of finding is, as the evaluation sees it: a question in, places in files out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from lab.evaluation.sets.base import Page
from rag.answering.gate import GateDecision


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """Something that was found."""

    places: tuple[Page, ...]
    """Where it stands: each page that it lies on, in the file and then in its copies; never empty."""
    score: float

    @property
    def files(self) -> tuple[str, ...]:
        """The files, each once."""
        return tuple(dict.fromkeys(file for file, _ in self.places))


@dataclass(frozen=True, slots=True)
class Ranking:
    """What came of one question."""

    passages: Sequence[FoundPassage]
    """Best first."""
    seconds: Mapping[str, float] = field(default_factory=dict[str, float])
    """By stage."""
    decision: GateDecision | None = None
    """Whether it is enough to answer from; None where it was not asked for, or nothing decides it."""
    notices: tuple[str, ...] = ()
    """The codes of what was less than it should be on the way."""


class MeasuredMode(Protocol):
    """A way of finding, over one corpus."""

    @property
    def name(self) -> str:
        """As `--mode` spells it."""
        ...

    async def ask(self, question: str, *, limit: int, decide: bool = False) -> Ranking:
        """The best `limit` passages; with `decide`, what the gate allows where this way has a rule for that."""
        ...
