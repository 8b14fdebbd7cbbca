"""Copies of one file as one source, and what a file repeats as one passage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from rag.retrieval.base import Candidate, Candidates, Retriever
from rag.types.scope import Scope

_ROUNDS: Final = 3
_FACTOR: Final = 4
"""How many times more is asked for in each round, while copies take the places of other passages."""


class Deduplicated:
    """What a base finds, each passage once: its copies in other files are named in `also`.

    The candidates come out of the scope's own search, so no copy is named that the scope does not admit.
    """

    def __init__(self, inner: Retriever) -> None:
        self._inner = inner

    async def retrieve(self, question: str, scope: Scope, *, limit: int) -> Candidates:
        """The best `limit` passages. Raises StoreError."""
        found = await self._inner.retrieve(question, scope, limit=limit)
        wanted = limit
        for _ in range(_ROUNDS):
            if len(without_copies(found.ranked)) >= limit or len(found.ranked) < wanted:
                break
            wanted *= _FACTOR
            found = await self._inner.retrieve(question, scope, limit=wanted)
        return replace(found, ranked=without_copies(found.ranked)[:limit])


def without_copies(candidates: Sequence[Candidate]) -> list[Candidate]:
    """One candidate a passage, in the order of the best of its copies. Files are copies when their bytes are.

    What a document repeats word for word under the same headings is one passage, too, wherever it stands.
    """
    first: dict[tuple[object, ...], Candidate] = {}
    for candidate in candidates:
        chunk = candidate.chunk
        key = (chunk.document.fingerprint, chunk.text, chunk.headings)
        seen = first.get(key)
        if seen is None:
            first[key] = candidate
        elif chunk.document.id not in {document.id for document in (seen.chunk.document, *seen.also)}:
            first[key] = replace(seen, also=(*seen.also, chunk.document))
    return list(first.values())
