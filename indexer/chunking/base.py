"""What a chunker is."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rag.types.chunks import Chunk, ChunkId, Span
from rag.types.documents import Document, Page


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of one page that is to be one chunk."""

    page: Page
    start: int
    end: int
    headings: tuple[str, ...]
    """The headings in force, outermost first; behind them the first row of a table that the piece goes on with."""
    parent: int | None = None
    """The number, counted from 0 in the document, of the parent that it belongs to; None without parents."""


class Ruler(Protocol):
    """Measures text as the embedding model does, so that no chunk is longer than the model reads."""

    @property
    def max_tokens(self) -> int:
        """How much the model reads of one text, its special tokens left out."""
        ...

    def ends(self, text: str) -> Sequence[int]:
        """The end of each token as a character offset into `text`, ascending: their number is the length in tokens."""
        ...


class Similarity(Protocol):
    """Says how much neighbouring texts speak of the same."""

    @property
    def name(self) -> str:
        """Names the model and all that changes what it says."""
        ...

    def of_neighbours(self, texts: Sequence[str]) -> Sequence[float]:
        """The cosine between each text and the next, one fewer than there are texts. Slow: it embeds them."""
        ...


class Chunker(Protocol):
    """Cuts pages into pieces; pure."""

    @property
    def recipe(self) -> str:
        """Names the chunker and its parameters: when it changes, documents are indexed anew."""
        ...

    def cut(self, pages: Sequence[Page], *, title: str) -> list[Piece]:
        """The pieces in reading order, each on one page and not blank.

        Together they cover every character of every page that is not white space. With title and headings in front,
        none is longer than the ruler's `max_tokens`.
        """
        ...


def to_chunks(document: Document, pieces: Sequence[Piece]) -> list[Chunk]:
    """The pieces as chunks of the document, with stable ids: the same version of a document gives the same ids."""
    return [
        Chunk(
            id=chunk_id(document, ordinal),
            document=document,
            ordinal=ordinal,
            text=piece.page.text[piece.start : piece.end],
            spans=(Span(piece.page.number, piece.page.label, piece.start, piece.end),),
            headings=piece.headings,
            parent=None if piece.parent is None else parent_id(document, piece.parent),
        )
        for ordinal, piece in enumerate(pieces)
    ]


def chunk_id(document: Document, ordinal: int) -> ChunkId:
    """A UUID, as Qdrant demands, made of the document, its version and the chunk's place in it."""
    return ChunkId(str(uuid.uuid5(uuid.NAMESPACE_URL, f"{document.id}/{document.fingerprint}/{ordinal}")))


def parent_id(document: Document, number: int) -> ChunkId:
    """Likewise, of a parent."""
    return ChunkId(str(uuid.uuid5(uuid.NAMESPACE_URL, f"{document.id}/{document.fingerprint}/parent/{number}")))
