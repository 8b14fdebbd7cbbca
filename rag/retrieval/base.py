"""What searching hands on: candidates from step to step, and in the end a result that says what it is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from rag.types.answers import Notice, Usage
from rag.types.chunks import Chunk, RetrievedChunk
from rag.types.documents import Document
from rag.types.scope import Scope


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that may answer, compared with the question as it was asked, whatever has found it."""

    chunk: Chunk
    cosine: float
    bm25: float
    """0 where chunk and question share no term."""
    also: tuple[Document, ...] = ()
    """Other documents of the scope that hold the very same passage: copies of the file."""
    rank_score: float | None = None
    """What the learned ranker orders by, comparable within one question; None where it has not gone over it."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """What a base, or a stage over it, has found."""

    generation: int
    """Of the index. Of several searches the oldest, so that the last step notices when they saw different ones."""
    ranked: Sequence[Candidate]
    """Best first."""
    notices: tuple[Notice, ...] = ()
    """What was less than it should be; every stage hands on what it was handed (`dataclasses.replace`)."""
    usage: Usage = field(default_factory=Usage)
    """What models behind an API consumed."""
    timings: Mapping[str, float] = field(default_factory=dict[str, float])
    """Seconds by stage, for logs and people; of the stages that tell."""


class Retriever(Protocol):
    """A base searches the store; a stage wraps another Retriever and is one too."""

    async def retrieve(self, question: str, scope: Scope, *, limit: int) -> Candidates:
        """The best chunks that `scope` admits: at least `limit` where there are as many. Raises StoreError."""
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


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """A word of a question as documents may write it."""

    variants: tuple[str, ...]
    """A text that holds any of these terms holds the word; the first is the likeliest."""
    idf: float
    """Of its commonest variant that some document in scope holds; of an unseen word, above the rarest one's."""
    seen: bool
    """Whether some document in scope holds it."""


@dataclass(frozen=True, slots=True)
class RetrievalResult:
    """What a whole mode has found and what it is worth. Only the last step makes one."""

    generation: int
    """Of the index: all of it comes from this one."""
    chunks: Sequence[RetrievedChunk]
    """Best first."""
    confidence: float
    """The calibrated probability that one of the best answers the question; 0 where nothing was found."""
    terms: tuple[QueryTerm, ...]
    """The question's words in order."""
    notices: tuple[Notice, ...] = ()
    """What was less than it should be."""
    usage: Usage = field(default_factory=Usage)
    """What models behind an API consumed."""
    timings: Mapping[str, float] = field(default_factory=dict[str, float])
    """Seconds by stage, of the stages that tell."""
