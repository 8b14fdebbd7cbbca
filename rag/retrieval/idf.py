"""How rare the words of a question are in the index: what a word weighs when passages are compared by words."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from rag.embedding.sparse import Bm25
from rag.retrieval.base import QueryTerm
from rag.store.base import VectorStore
from rag.types.chunks import ScoredChunk
from rag.types.scope import Scope

UNSEEN: Final = 1.5
"""How much rarer a word that no document holds is than the rarest that some hold. Relative, because in a small index
all words are common, and one unusual word must not outweigh the rest."""


def weighed(words: Sequence[tuple[str, ...]], seen: Mapping[str, float]) -> tuple[QueryTerm, ...]:
    """Words, each the terms that stand for it, with their rarity. `seen`: the IDF of each term that is held."""
    rarities = [min((seen[term] for term in word if term in seen), default=None) for word in words]
    unseen = UNSEEN * max((rarity for rarity in rarities if rarity is not None), default=1.0)
    return tuple(
        QueryTerm(word, unseen if rarity is None else rarity, rarity is not None)
        for word, rarity in zip(words, rarities, strict=True)
    )


class Idf:
    """Weighs the words of questions."""

    def __init__(self, store: VectorStore, bm25: Bm25) -> None:
        self._store = store
        self._bm25 = bm25

    async def words(self, question: str, scope: Scope) -> tuple[QueryTerm, ...]:
        """The question's words in order, each once. Raises StoreError."""
        words = await asyncio.to_thread(self._bm25.query_words, question)
        seen = await self._seen(list(dict.fromkeys(term for word in words for term in word)), scope)
        return weighed(words, seen)

    async def _seen(self, terms: Sequence[str], scope: Scope) -> Mapping[str, float]:
        """The IDF of each term that some document holds, read off the score that the store gives to its best chunk."""
        if not terms:
            return {}
        found = await self._store.search([self._bm25.term(term) for term in terms], scope, limit=1)
        best = {term: ranking[0] for term, ranking in zip(terms, found.rankings, strict=True) if ranking}
        return await asyncio.to_thread(self._rarities, best)  # about 1 ms each

    def _rarities(self, best: Mapping[str, ScoredChunk]) -> Mapping[str, float]:
        return {term: hit.score / self._weight(term, hit) for term, hit in best.items()}

    def _weight(self, term: str, hit: ScoredChunk) -> float:
        """The weight of a term in a chunk that holds it."""
        document = self._bm25.document(hit.chunk.searchable)
        position = np.searchsorted(document.indices, self._bm25.term(term).indices[0])
        return float(document.values[position])
