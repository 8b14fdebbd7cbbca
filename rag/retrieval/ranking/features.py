"""What tells a passage that answers a question from one that does not, in numbers. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from rag.embedding.sparse import K1
from rag.retrieval.base import Candidate, QueryTerm
from rag.retrieval.ranking import term_matches
from rag.retrieval.ranking.term_matches import TermMatches
from rag.text.analyzer import Terms

Features: TypeAlias = npt.NDArray[np.float32]
"""One row a candidate, in order; one column a feature."""

Column: TypeAlias = Sequence[float] | npt.NDArray[np.float64]

_QUANTITY: Final = re.compile(
    r"\b(how (?:many|much|old|long|often|far|large|big|high)|what (?:is|was|are|were) the (?:number|amount|percent\w*|"
    r"rate|total|cost|price|ratio|date|year)|when|percent\w*|wie ?(?:viele?|hoch|lange|oft)|wann|"
    r"combien|quand|cuánt\w+)\b",
    re.IGNORECASE,
)


class CandidateTable:
    """The candidates of one question. Passages are read only where a feature demands it."""

    def __init__(
        self, question: str, terms: Sequence[QueryTerm], candidates: Sequence[Candidate], tokenize: Terms
    ) -> None:
        """`tokenize`: splits texts as those were split in which the terms are looked for."""
        self._given = question, terms, candidates, tokenize
        self._terms = terms
        self._tokenize = tokenize
        self.chunks = [candidate.chunk for candidate in candidates]
        self.cosine = np.array([candidate.cosine for candidate in candidates])
        self.bm25 = np.array([candidate.bm25 for candidate in candidates])
        self.idf = np.array([term.idf for term in terms])
        self.total = float(self.idf.sum()) or 1.0
        self.known = sum(term.idf for term in terms if term.seen) / self.total
        """The share of the question's terms, by IDF, that some document in scope holds."""
        self.numbered = {i for i, term in enumerate(terms) if any(map(str.isdigit, term.variants[0]))}
        self.asks_quantity = bool(_QUANTITY.search(question))

    def rows(self, order: Sequence[int]) -> CandidateTable:
        """A table of some of the candidates, in that order."""
        question, terms, candidates, tokenize = self._given
        return CandidateTable(question, terms, [candidates[i] for i in order], tokenize)

    @cached_property
    def matches(self) -> list[TermMatches]:
        """Where each candidate holds the terms."""
        return [term_matches.read(chunk, self._terms, self._tokenize) for chunk in self.chunks]


def _places(scores: npt.NDArray[np.float64]) -> Column:
    """The logarithm of each one's place, counted from 1; equals share the better one."""
    return np.log(np.searchsorted(np.sort(-scores), -scores) + 1.0)


def _numbers_missing(table: CandidateTable) -> Column:
    wanted = table.numbered
    return [len(wanted - row.held) / len(wanted) if wanted else 0.0 for row in table.matches]


FEATURES: Final[Mapping[str, Callable[[CandidateTable], Column]]] = {
    # Cosine, and the place by cosine among the candidates.
    "dense": lambda table: table.cosine,
    "dense_rank": lambda table: _places(table.cosine),
    # BM25 as its share of the best that a passage could have, and of the best that a candidate has; the place by it.
    "bm25": lambda table: table.bm25 / (table.total * (K1 + 1)),
    "bm25_lead": lambda table: table.bm25 / (table.bm25.max(initial=0.0) or 1.0),
    "bm25_rank": lambda table: _places(table.bm25),
    # The share of the question's terms, by IDF, that passage, title and headings hold; that title and headings do.
    "coverage": lambda table: [term_matches.weight(row.held, table.idf) / table.total for row in table.matches],
    "head_coverage": lambda table: [term_matches.weight(row.above, table.idf) / table.total for row in table.matches],
    # … that stand close together, and of neighbours that stand side by side.
    "window": lambda table: [term_matches.window(row, table.idf) / table.total for row in table.matches],
    "pairs": lambda table: [term_matches.pairs(row, table.idf) for row in table.matches],
    # The share of the question's terms with digits that are missing.
    "numbers_missing": _numbers_missing,
    # Digits, where the question asks how much, how many or when.
    "quantity_digits": lambda table: [
        term_matches.digits(chunk.text) if table.asks_quantity else 0.0 for chunk in table.chunks
    ],
    # Tables of contents; first chunks of documents.
    "listing": lambda table: [term_matches.listing(chunk.text) for chunk in table.chunks],
    "start": lambda table: [float(chunk.ordinal == 0) for chunk in table.chunks],
}
"""All that there is to learn from. Which of them decide, and how much, the weights say."""


def features_of(table: CandidateTable, names: Sequence[str]) -> Features:
    """The features of these names: shape (candidates, len(names)). They depend on the other candidates, too."""
    columns = [np.asarray(FEATURES[name](table), dtype=np.float32) for name in names]
    return np.stack(columns, axis=1) if columns else np.empty((len(table.chunks), 0), dtype=np.float32)
