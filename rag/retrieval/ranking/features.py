"""What tells a passage that answers a question from one that does not, in numbers. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from rag.embedding.sparse import K1
from rag.retrieval.base import QueryTerm
from rag.retrieval.ranking import term_matches as passages
from rag.retrieval.ranking.term_matches import TermMatches
from rag.text.analyzer import Terms
from rag.types.chunks import Chunk

Features: TypeAlias = npt.NDArray[np.float32]
"""One row a candidate, in order; one column a feature."""

Column: TypeAlias = Sequence[float] | npt.NDArray[np.float64]

_QUANTITY: Final = re.compile(
    r"\b(how (?:many|much|old|long|often|far|large|big|high)|what (?:is|was|are|were) the (?:number|amount|percent\w*|"
    r"rate|total|cost|price|ratio|date|year)|when|percent\w*|wie ?(?:viele?|hoch|lange|oft)|wann|"
    r"combien|quand|cuánt\w+)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk, with what either way of searching thinks of it."""

    chunk: Chunk
    dense: float
    """Cosine to the question."""
    bm25: float
    """0 where they share no word."""


class CandidateTable:
    """The candidates of one question. Passages are read only where a feature demands it."""

    def __init__(
        self, question: str, words: Sequence[QueryTerm], candidates: Sequence[Candidate], terms: Terms
    ) -> None:
        self._given = question, words, candidates, terms
        self._words = words
        self._terms = terms
        self.chunks = [candidate.chunk for candidate in candidates]
        self.dense = np.array([candidate.dense for candidate in candidates])
        self.bm25 = np.array([candidate.bm25 for candidate in candidates])
        self.rarity = np.array([word.rarity for word in words])
        self.total = float(self.rarity.sum()) or 1.0
        self.known = sum(word.rarity for word in words if word.seen) / self.total
        """The share of the question's words, by rarity, that some document in scope holds."""
        self.numbered = {i for i, word in enumerate(words) if any(map(str.isdigit, word.terms[0]))}
        self.asks_quantity = bool(_QUANTITY.search(question))

    def rows(self, order: Sequence[int]) -> CandidateTable:
        """A table of some of the candidates, in that order."""
        question, words, candidates, terms = self._given
        return CandidateTable(question, words, [candidates[i] for i in order], terms)

    @cached_property
    def readings(self) -> list[TermMatches]:
        """Each candidate, read."""
        return [passages.read(chunk, self._words, self._terms) for chunk in self.chunks]


def _places(scores: npt.NDArray[np.float64]) -> Column:
    """The logarithm of each one's place, counted from 1; equals share the better one."""
    return np.log(np.searchsorted(np.sort(-scores), -scores) + 1.0)


def _numbers_missing(table: CandidateTable) -> Column:
    wanted = table.numbered
    return [len(wanted - reading.held) / len(wanted) if wanted else 0.0 for reading in table.readings]


FEATURES: Final[Mapping[str, Callable[[CandidateTable], Column]]] = {
    # Cosine, and the place by cosine among the candidates.
    "dense": lambda table: table.dense,
    "dense_rank": lambda table: _places(table.dense),
    # BM25 as its share of the best that a passage could have, and of the best that a candidate has; the place by it.
    "bm25": lambda table: table.bm25 / (table.total * (K1 + 1)),
    "bm25_lead": lambda table: table.bm25 / (table.bm25.max(initial=0.0) or 1.0),
    "bm25_rank": lambda table: _places(table.bm25),
    # The share of the question's words, by rarity, that passage, title and headings hold; that title and headings do.
    "coverage": lambda table: [passages.weight(row.held, table.rarity) / table.total for row in table.readings],
    "head_coverage": lambda table: [passages.weight(row.above, table.rarity) / table.total for row in table.readings],
    # … that stand close together, and of neighbours that stand side by side.
    "window": lambda table: [passages.window(row, table.rarity) / table.total for row in table.readings],
    "pairs": lambda table: [passages.pairs(row, table.rarity) for row in table.readings],
    # The share of the question's words with digits that are missing.
    "numbers_missing": _numbers_missing,
    # Digits, where the question asks how much, how many or when.
    "quantity_digits": lambda table: [
        passages.digits(chunk.text) if table.asks_quantity else 0.0 for chunk in table.chunks
    ],
    # Tables of contents; first chunks of documents.
    "listing": lambda table: [passages.listing(chunk.text) for chunk in table.chunks],
    "start": lambda table: [float(chunk.ordinal == 0) for chunk in table.chunks],
}
"""All that there is to learn from. Which of them decide, and how much, the weights say."""


def features_of(table: CandidateTable, names: Sequence[str]) -> Features:
    """The features of these names: shape (candidates, len(names)). They depend on the other candidates, too."""
    columns = [np.asarray(FEATURES[name](table), dtype=np.float32) for name in names]
    return np.stack(columns, axis=1) if columns else np.empty((len(table.chunks), 0), dtype=np.float32)
