"""What a retrieval mode is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from rag.types.answers import Notice, Usage
from rag.types.chunks import ScoredChunk
from rag.types.scope import Scope


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """A word of a question as documents may write it."""

    terms: tuple[str, ...]
    """A text that holds any of these holds the word; the first is the likeliest."""
    rarity: float
    """IDF: of its commonest term that some document in scope holds; of an unseen word, above the rarest one's."""
    seen: bool
    """Whether some document in scope holds it."""


@dataclass(frozen=True, slots=True)
class Confidence:
    """What the best hits are worth together."""

    words: tuple[QueryTerm, ...]
    """The question's words in order."""
    answerable: float
    """The calibrated probability that one of the best hits answers the question."""


@dataclass(frozen=True, slots=True)
class Hits:
    """What was found, best first, and in which generation of the index."""

    generation: int
    chunks: Sequence[ScoredChunk]
    rated: bool = False
    """Whether each hit bears its cosine ("dense") and, where it shares a word with the question, its BM25 ("bm25")."""
    appraisal: Confidence | None = None
    """Of the hits of a whole way; a base or a stage within it need not give one."""
    notices: tuple[Notice, ...] = ()
    """What was less than it should be on the way; every wrapper hands on what it was handed (`dataclasses.replace`)."""
    usage: Usage = field(default_factory=Usage)
    """What models behind an API consumed for the search."""
    timings: Mapping[str, float] = field(default_factory=dict[str, float])
    """Seconds by stage, of the stages that tell."""


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
