"""Whether what was found is good enough to answer from. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from rag.embedding.sparse import Bm25
from rag.retrieval.base import QueryTerm, RetrievalResult
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

    def decide(self, question: str, found: RetrievalResult) -> GateDecision:
        """What may be done with what was found. A probability that is a bound belongs to the better side."""
        missing = self._missing_codes(question, found.terms)
        if missing or found.confidence < self._decline:
            verdict = Verdict.DECLINE
        else:
            verdict = Verdict.CAUTION if found.confidence < self._caution else Verdict.ANSWER
        return GateDecision(verdict, found.confidence, missing)

    def _missing_codes(self, question: str, terms: Sequence[QueryTerm]) -> tuple[str, ...]:
        codes = {term.variants[0] for term in terms if not term.seen and is_code(term.variants[0])}
        written = dict.fromkeys(word.strip(_AROUND) for word in question.split())
        return tuple(word for word in written if not codes.isdisjoint(self._bm25.terms(word)))
