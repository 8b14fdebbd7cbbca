"""Whether what was found is good enough to answer from. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from rag.embedding.sparse import Bm25
from rag.retrieval.base import Confidence, Hits, QueryTerm
from rag.text.analyzer import is_code

_AROUND: Final = ".,;:!?\"'()[]{}“”„«»‹›‘’。、？！（）「」"
"""Punctuation that stands around a word and is not part of it."""


class Verdict(Enum):
    """What the evidence allows."""

    ANSWER = auto()
    CAUTION = auto()
    DECLINE = auto()


@dataclass(frozen=True, slots=True)
class Bounds:
    """Which probabilities decide."""

    decline: float
    """Below it nothing is answered."""
    caution: float
    """Below it the asker is warned."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for the hits."""

    strength: float
    """The calibrated probability that they answer the question."""
    missing_codes: tuple[str, ...]
    """Identifiers that no document in scope holds, as the question writes them."""
    weights: Mapping[str, float]
    """The question's terms, in every way that documents may write them, and their rarity (IDF)."""
    bounds: Bounds

    @property
    def verdict(self) -> Verdict:
        """Decline without evidence, or when the question names a thing that no document does."""
        if self.missing_codes or self.strength < self.bounds.decline:
            return Verdict.DECLINE
        return Verdict.CAUTION if self.strength < self.bounds.caution else Verdict.ANSWER


class AnswerabilityGate:
    """Weighs what a way of retrieving has found."""

    def __init__(self, bm25: Bm25, bounds: Bounds) -> None:
        self._bm25 = bm25
        self._bounds = bounds
        self.recipe = f"evidence-2/{bounds.decline}/{bounds.caution}"
        """Changes when the rule does: part of what an answer that is kept depends on."""

    def weigh(self, question: str, hits: Hits) -> Evidence:
        """The evidence of hits that are appraised; hits that are not are a mistake of the caller, and nothing."""
        appraisal = hits.appraisal or Confidence((), answerable=0.0)
        return Evidence(
            strength=appraisal.answerable if hits.chunks else 0.0,
            missing_codes=self._missing_codes(question, appraisal.words),
            weights={term: word.rarity for word in appraisal.words for term in word.terms},
            bounds=self._bounds,
        )

    def _missing_codes(self, question: str, words: tuple[QueryTerm, ...]) -> tuple[str, ...]:
        codes = {word.terms[0] for word in words if not word.seen and is_code(word.terms[0])}
        written = dict.fromkeys(word.strip(_AROUND) for word in question.split())
        return tuple(word for word in written if not codes.isdisjoint(self._bm25.terms(word)))
