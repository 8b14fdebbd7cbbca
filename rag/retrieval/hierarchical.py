"""From parents down to their chunks."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from rag.errors import StoreError
from rag.retrieval.base import Candidates
from rag.retrieval.deps import RetrievalDeps
from rag.retrieval.searches import by_rank, search
from rag.types.scope import Scope

PARENTS: Final = 10
"""How many are gone down into: with twelve chunks each, more than an answer is written from."""
MARK: Final = "hierarchical-"
"""How the recipe of a chunker begins that makes parents."""


class HierarchicalRetriever:
    """The base `hierarchical`: the nearest parents, then `hybrid` in them. A passage alone among others is missed."""

    def __init__(self, deps: RetrievalDeps) -> None:
        self._deps = deps

    async def retrieve(self, question: str, scope: Scope, *, limit: int) -> Candidates:
        """The best chunks by fused rank. Raises StoreError, also where the index has no parents."""
        deps = self._deps
        embedding = await deps.embedder.embed_query(question)
        parents = await deps.store.search_parents(embedding.dense, scope, limit=PARENTS)
        if not parents.ids and (reason := without_parents((await deps.store.manifest()).chunker)):
            raise StoreError(reason)
        query = by_rank(deps.settings, embedding, limit)
        found = await search(deps, embedding, query, scope, limit=limit, within=parents.ids)
        return replace(found, generation=parents.generation)


def without_parents(chunker: str) -> str:
    """Why an index that was cut by this chunker cannot be searched so; empty where it can."""
    if chunker.startswith(MARK):
        return ""
    return (
        f"FOOTNOTE_RETRIEVAL__MODE=hierarchical needs an index with parents, and this one was cut by {chunker!r}: "
        "set FOOTNOTE_CHUNKER=hierarchical and run `python -m indexer reindex`, or choose another mode"
    )
