"""Questions on their way to a cited answer, and the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from typing import Literal

from rag.types.chunks import Chunk
from rag.types.documents import Document
from rag.types.groundedness import SentenceSupport


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a thread."""

    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Usage:
    """What one or more LLM calls consumed; adds up."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: Decimal = Decimal(0)

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cost_usd + other.cost_usd,
        )


class Outcome(StrEnum):
    """How a question ended."""

    ANSWERED = "answered"
    CAUTIOUS = "cautious"
    """Answered, but the evidence is thin or the model cited nothing; the reader is told."""
    EXCERPTS = "excerpts"
    """No model wrote: the best passages are quoted."""
    DECLINED = "declined"
    """Nothing in scope answers. No sources are shown."""
    FAILED = "failed"
    """Something of ours broke; the cause is stated."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that the reader must know about how an answer came to be."""

    code: str
    """Stable, for logs and counters: "llm_unavailable", "answer_cut_off" …"""
    text: str


@dataclass(frozen=True, slots=True)
class Citation:
    """A source as numbered in the answer, counted from 1 in order of first mention."""

    number: int
    chunk: Chunk
    score: float
    excerpt: str
    """The sentences of the chunk that bear on the question, verbatim but for white space."""
    page: int
    """Physical, counted from 1: where the excerpt stands."""
    label: str
    """As printed on that page; empty where nothing is printed."""
    also: tuple[Document, ...] = ()
    """Copies of the file that the asker may read, too."""

    def in_copy(self, document: Document) -> Citation:
        """The same place in a copy of the file."""
        return replace(self, chunk=replace(self.chunk, document=document), also=())


@dataclass(frozen=True, slots=True)
class Answer:
    """A finished answer."""

    text: str
    """Markdown; what was streamed, character by character."""
    outcome: Outcome
    citations: Sequence[Citation] = ()
    notices: Sequence[Notice] = ()
    usage: Usage = field(default_factory=Usage)
    timings: Mapping[str, float] = field(default_factory=dict[str, float])
    """Seconds by stage."""
    question: str = ""
    """The stand-alone question that was searched for."""
    generation: int = 0
    """The generation of the index that it came from."""
    model: str = ""
    """The LLM that wrote it; empty when none did."""
    cached: bool = False
    support: Sequence[SentenceSupport] = ()
    """Its sentences in order, as far as they were checked: none where passages are quoted or nothing was answered."""


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of an answer while it is being written."""

    text: str


@dataclass(frozen=True, slots=True)
class StageBegun:
    """A stage has begun: something to show while the reader waits ("Searching …")."""

    text: str
