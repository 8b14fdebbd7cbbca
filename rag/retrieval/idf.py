"""Inverse document frequency: what a word of a question weighs when passages are compared by words."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence
from typing import Final

from rag.embedding.sparse import Bm25, term_number
from rag.retrieval.base import QueryTerm
from rag.store.base import VectorStore
from rag.types.scope import Scope

UNSEEN: Final = 1.5
"""How much rarer a word that no document holds is than the rarest that some hold. Relative, because in a small index
all words are common, and one unusual word must not outweigh the rest."""


def idf(chunks: int, holders: int) -> float:
    """Of a term that this many of the chunks hold: Robertson's, plus 1, as Qdrant's engine scores sparse vectors."""
    return math.log(1 + (chunks - holders + 0.5) / (holders + 0.5))


def weighed(words: Sequence[tuple[str, ...]], seen: Mapping[str, float]) -> tuple[QueryTerm, ...]:
    """Words, each the terms that stand for it, with their IDF. `seen`: the IDF of each term that is held in scope."""
    known = [min((seen[term] for term in word if term in seen), default=None) for word in words]
    unseen = UNSEEN * max((value for value in known if value is not None), default=1.0)
    return tuple(
        QueryTerm(word, unseen if value is None else value, value is not None)
        for word, value in zip(words, known, strict=True)
    )


async def query_terms(store: VectorStore, bm25: Bm25, question: str, scope: Scope) -> tuple[int, tuple[QueryTerm, ...]]:
    """The generation that was looked at, and the question's words in order, each once. Raises StoreError.

    How common a word is, is told by the whole index, as in BM25; whether it is seen, by the scope alone, so that no
    asker learns which words stand in documents that are not theirs to read.
    """
    words = await asyncio.to_thread(bm25.query_words, question)
    terms = list(dict.fromkeys(term for word in words for term in word))
    counted = await store.term_statistics([term_number(term) for term in terms], scope)
    rows = zip(terms, counted.holders, counted.held_in_scope, strict=True)
    return counted.generation, weighed(words, {term: idf(counted.chunks, n) for term, n, held in rows if held})
