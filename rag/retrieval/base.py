"""What a retrieval mode is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rag.types import Scope, ScoredChunk


@dataclass(frozen=True, slots=True)
class Hits:
    """What was found, best first, and in which generation of the index."""

    generation: int
    chunks: Sequence[ScoredChunk]


class Retriever(Protocol):
    """A mode is a Retriever; a mode over another mode wraps it and is one too."""

    async def retrieve(self, question: str, scope: Scope, *, limit: int) -> Hits:
        """The best `limit` chunks that `scope` admits. Raises StoreError."""
        ...


class Reranker(Protocol):
    """Reads question and passage together: slower and better than comparing vectors."""

    @property
    def name(self) -> str:
        """Names the model."""
        ...

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """One relevance a text, in order; higher is better."""
        ...
