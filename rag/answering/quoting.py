"""Passages as citations with excerpts, and an answer of excerpts alone. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from rag.answering.excerpts import excerpt, page_at, spread, telling, term_weights
from rag.retrieval.base import QueryTerm
from rag.text.analyzer import Terms
from rag.types.answers import Citation
from rag.types.chunks import RetrievedChunk


class Quoter:
    """Quotes the sentences of passages that bear on one question."""

    def __init__(self, terms: Terms, question: Sequence[QueryTerm]) -> None:
        self._terms = terms
        self._weights = term_weights(question)

    def cite(self, number: int, hit: RetrievedChunk) -> Citation:
        """The passage as source `number`, with the sentences that bear on the question and their page."""
        text, offset = excerpt(hit.chunk.text, telling(self._weights, hit.chunk, self._terms), self._terms)
        page, label = page_at(hit.chunk, offset)
        return Citation(number, hit.chunk, hit.probability, text, page, label, hit.also)

    def quotes(self, hits: Sequence[RetrievedChunk], *, limit: int) -> tuple[Citation, ...]:
        """At most `limit` of the passages, best first, spread over documents and pages."""
        return tuple(self.cite(number, hit) for number, hit in enumerate(spread(hits, limit=limit), start=1))


def pieces_of(quotes: Sequence[Citation]) -> list[str]:
    """An answer that quotes these and says nothing else, as a Markdown list in a piece a quote."""
    items = [f"- “{quote.excerpt}” [{quote.number}]" for quote in quotes]
    return [*items[:1], *(f"\n{item}" for item in items[1:])]
