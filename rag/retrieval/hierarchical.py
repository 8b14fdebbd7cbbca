"""From parents down to their chunks."""

from __future__ import annotations

from typing import Final

from rag.errors import StoreError
from rag.retrieval.base import Hits
from rag.retrieval.deps import RetrievalDeps
from rag.retrieval.hybrid import reciprocal_rank, search_fused
from rag.types.scope import Scope

PARENTS: Final = 10
"""How many are gone down into: with twelve chunks each, more than an answer is written from."""
MARK: Final = "hierarchical-"
"""How the recipe of a chunker begins that makes parents."""


class HierarchicalRetriever:
    """The nearest parents, then what either way of searching finds in them. A passage alone among others is missed."""

    def __init__(self, means: RetrievalDeps) -> None:
        self._means = means

    async def retrieve(self, question: str, scope: Scope, *, limit: int) -> Hits:
        """The best chunks by fused rank. Raises StoreError, also where the index has no parents.

        Ids of parents outlive a generation for as long as their document stays as it is: the two searches may see
        different ones.
        """
        query = await self._means.embedder.embed_query(question)
        parents = await self._means.store.search_parents(query.dense, scope, limit=PARENTS)
        if not parents.ids and (reason := without_parents((await self._means.store.manifest()).chunker)):
            raise StoreError(reason)
        by = reciprocal_rank(self._means.settings)
        return await search_fused(self._means, query, scope, by=by, signal="rrf", limit=limit, within=parents.ids)


def without_parents(chunker: str) -> str:
    """Why an index that was cut by this chunker cannot be searched so; empty where it can."""
    if chunker.startswith(MARK):
        return ""
    return (
        f"FOOTNOTE_RETRIEVAL__MODE=hierarchical needs an index with parents, and this one was cut by {chunker!r}: "
        "set FOOTNOTE_CHUNKER=hierarchical and run `python -m indexer reindex`, or choose another mode"
    )
