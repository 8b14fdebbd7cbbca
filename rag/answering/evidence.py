"""Whether what was found is good enough to answer from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

import numpy as np

from rag.embedding.sparse import Bm25
from rag.embedding.terms import is_code
from rag.store.base import VectorStore
from rag.types import Scope, ScoredChunk

ENOUGH: Final = 0.60
THIN: Final = 0.50
"""Bounds on `Evidence.strength`; docs/adr/0006-evidence.md says what they were fitted on."""

UNSEEN: Final = 1.5
"""How much rarer a term that no document holds is than the rarest that some hold. Relative, because in a small index
all terms are common, and one unusual word must not outweigh the rest."""

_AROUND: Final = ".,;:!?\"'()[]{}“”„«»‘’。、？！（）「」"
"""Punctuation that stands around a word and is not part of it."""


class Verdict(Enum):
    """What the evidence allows."""

    ANSWER = auto()
    CAUTION = auto()
    DECLINE = auto()


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for the hits."""

    similarity: float | None
    """The best cosine of a hit to the question; None where nothing compared meanings."""
    coverage: float
    """The share of the question's terms, weighted by rarity, that the hits hold between them; 0 to 1."""
    missing_codes: tuple[str, ...]
    """Identifiers that no document in scope holds, as the question writes them."""
    weights: Mapping[str, float]
    """The question's terms and their rarity (IDF)."""

    @property
    def strength(self) -> float:
        """From 0 to 1: meaning and words count alike; words alone where nothing else was compared."""
        return self.coverage if self.similarity is None else (max(self.similarity, 0.0) + self.coverage) / 2

    @property
    def verdict(self) -> Verdict:
        """Decline without evidence, or when the question names a thing that no document does."""
        if self.missing_codes or self.strength < THIN:
            return Verdict.DECLINE
        return Verdict.ANSWER if self.strength >= ENOUGH else Verdict.CAUTION


class Judge:
    """Weighs hits against the question that they were found for."""

    recipe: Final = f"evidence-1/{THIN}/{ENOUGH}"
    """Changes when the rule does: part of what an answer that is kept depends on."""

    def __init__(self, store: VectorStore, bm25: Bm25) -> None:
        self._store = store
        self._bm25 = bm25

    async def weigh(self, question: str, hits: Sequence[ScoredChunk], scope: Scope) -> Evidence:
        """The evidence of the hits. Raises StoreError."""
        terms = list(dict.fromkeys(self._bm25.terms(question)))
        seen = await self._rarity(terms, scope)
        unseen = UNSEEN * max(seen.values(), default=1.0)
        weights = {term: seen.get(term, unseen) for term in terms}
        held = {term for hit in hits for term in self._bm25.terms(hit.chunk.searchable)}
        total = sum(weights.values())
        covered = sum(weight for term, weight in weights.items() if term in held)
        return Evidence(
            similarity=max((hit.signals["dense"] for hit in hits if "dense" in hit.signals), default=None),
            coverage=covered / total if total else 0.0,
            missing_codes=self._as_written(question, {term for term in terms if is_code(term) and term not in seen}),
            weights=weights,
        )

    def _as_written(self, question: str, codes: set[str]) -> tuple[str, ...]:
        words = dict.fromkeys(word.strip(_AROUND) for word in question.split())
        return tuple(word for word in words if not codes.isdisjoint(self._bm25.terms(word)))

    async def _rarity(self, terms: Sequence[str], scope: Scope) -> dict[str, float]:
        """The IDF of each term that some document holds, read off the score that the store gives to its best chunk."""
        if not terms:
            return {}
        found = await self._store.search([self._bm25.term(term) for term in terms], scope, limit=1)
        return {
            term: ranking[0].score / self._weight(term, ranking[0])
            for term, ranking in zip(terms, found.rankings, strict=True)
            if ranking
        }

    def _weight(self, term: str, hit: ScoredChunk) -> float:
        """The weight of a term in a chunk that holds it."""
        document = self._bm25.document(hit.chunk.searchable)
        position = np.searchsorted(document.indices, self._bm25.term(term).indices[0])
        return float(document.values[position])
