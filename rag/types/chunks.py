"""Pieces of documents: what is embedded, found and cited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NewType

from rag.types.documents import Document
from rag.types.vectors import Embedding, Vector

ChunkId = NewType("ChunkId", str)


@dataclass(frozen=True, slots=True)
class Span:
    """Where a piece of text stands: page.text[start:end], in characters (Unicode code points)."""

    page: int
    label: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """The unit that is embedded, found and cited."""

    id: ChunkId
    document: Document
    ordinal: int
    """Its place in the document, counted from 0."""
    text: str
    """What stands in its spans, joined by a newline where there are several."""
    spans: tuple[Span, ...]
    """In reading order, never empty; the chunkers of this house give one, on one page."""
    headings: tuple[str, ...] = ()
    """The nearest headings above it, outermost first; last the columns of a table that it goes on with: "| A | B |"."""
    parent: ChunkId | None = None
    """The Parent that it belongs to; None where the chunker makes none."""

    @property
    def page(self) -> int:
        """The physical page that it begins on, counted from 1."""
        return self.spans[0].page

    @property
    def label(self) -> str:
        """The label printed on that page."""
        return self.spans[0].label

    @property
    def searchable(self) -> str:
        """The text that is embedded: title and headings in front, so that a passage is found by what it is about."""
        return f"{context_line(self.document.title, self.headings)}\n{self.text}"


CONTEXT_LINE_CHARS: Final = 160
"""Title and headings never take more than this of what a model reads."""


def context_line(title: str, headings: Sequence[str]) -> str:
    """Title and headings in one line, the outermost headings given up first when it grows too long."""
    kept = [heading for heading in headings if heading != title]
    while kept and len(" › ".join([title, *kept])) > CONTEXT_LINE_CHARS:
        kept.pop(0)
    return " › ".join([title, *kept])[:CONTEXT_LINE_CHARS]


@dataclass(frozen=True, slots=True)
class EmbeddedChunk:
    """A chunk with its vectors: what goes into the store."""

    chunk: Chunk
    embedding: Embedding


@dataclass(frozen=True, slots=True)
class Parent:
    """Neighbouring chunks of one document that speak of one thing: it is found first, then its chunks."""

    id: ChunkId
    document: Document
    ordinal: int
    """Its place among the document's parents, counted from 0."""
    text: str
    """A summary; empty where the vector is the mean of its chunks'."""
    dense: Vector


@dataclass(frozen=True, slots=True)
class ScoredChunk:
    """A chunk as the store finds it. Scores are comparable within one ranking only."""

    chunk: Chunk
    score: float


@dataclass(frozen=True, slots=True)
class RetrievedChunk:
    """A chunk as retrieved for a question: what answers are written from."""

    chunk: Chunk
    probability: float
    """Calibrated: that it answers the question."""
    also: tuple[Document, ...] = ()
    """Other documents of the scope that hold the very same passage: copies of the file."""
