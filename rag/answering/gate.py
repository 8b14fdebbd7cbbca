"""Whether what was found is good enough to answer from. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from rag.embedding.sparse import Bm25
from rag.retrieval.base import Confidence, QueryTerm
from rag.text.codes import is_code

_AROUND: Final = ".,;:!?\"'()[]{}“”„«»‹›‘’。、？！（）「」"
"""Punctuation that stands around a word and is not part of it."""


class Verdict(Enum):
    """What may be done with what was found."""

    ANSWER = auto()
    CAUTION = auto()
    DECLINE = auto()


@dataclass(frozen=True, slots=True)
class GateDecision:
    """What may be done, and why."""

    verdict: Verdict
    probability: float
    """Calibrated: that one of the best hits answers the question."""
    missing_codes: tuple[str, ...] = ()
    """Identifiers that no document in scope holds, as the question writes them."""


class AnswerabilityGate:
    """Two bounds on a probability; and a question that names a code which no document holds is declined."""

    def __init__(self, bm25: Bm25, *, decline: float, caution: float) -> None:
        self._bm25 = bm25
        self._decline = decline
        self._caution = caution
        self.recipe = f"gate-1/{decline}/{caution}"
        """Changes when the rule does: part of what a cached answer depends on."""

    def decide(self, question: str, confidence: Confidence) -> GateDecision:
        """What may be done with hits that are worth this. A probability that is a bound belongs to the better side."""
        missing = self._missing_codes(question, confidence.words)
        if missing or confidence.answerable < self._decline:
            verdict = Verdict.DECLINE
        else:
            verdict = Verdict.CAUTION if confidence.answerable < self._caution else Verdict.ANSWER
        return GateDecision(verdict, confidence.answerable, missing)

    def _missing_codes(self, question: str, words: Sequence[QueryTerm]) -> tuple[str, ...]:
        codes = {word.terms[0] for word in words if not word.seen and is_code(word.terms[0])}
        written = dict.fromkeys(word.strip(_AROUND) for word in question.split())
        return tuple(word for word in written if not codes.isdisjoint(self._bm25.terms(word)))
