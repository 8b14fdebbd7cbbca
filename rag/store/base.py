"""What a vector store is: one that is searched, and one that writes its next generation beside what serves."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Final, Protocol

from rag.store.queries import Query
from rag.types.chunks import ChunkId, EmbeddedChunk, Parent, ScoredChunk
from rag.types.documents import DocumentId, DocumentRecord
from rag.types.index import CorpusInfo, Manifest
from rag.types.scope import Scope
from rag.types.vectors import Embedding, Vector

SCHEMA: Final = 2
"""Raised when what is stored with a chunk changes shape: an older index is then built anew."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a whole generation is made with. Another embedder or schema needs an empty generation."""

    embedder: str
    dimensions: int
    chunker: str


@dataclass(frozen=True, slots=True)
class ChunkScores:
    """What both kinds of search think of one chunk."""

    cosine: float
    bm25: float
    """0 where chunk and question share no term."""


@dataclass(frozen=True, slots=True)
class Found:
    """The rankings of one search, all from the same generation."""

    generation: int
    rankings: Sequence[Sequence[ScoredChunk]]
    comparisons: Mapping[ChunkId, ChunkScores] = field(default_factory=dict[ChunkId, ChunkScores])
    """Of each chunk found, where the search was asked to compare."""


@dataclass(frozen=True, slots=True)
class TermStatistics:
    """How common some terms are in one generation."""

    generation: int
    chunks: int
    """Of the whole index, those that hold a term: what the store's BM25 goes by, too."""
    holders: Sequence[int]
    """For each term, how many chunks of the whole index hold it."""
    held_in_scope: Sequence[bool]
    """For each term, whether a chunk that the scope admits holds it."""


@dataclass(frozen=True, slots=True)
class FoundParents:
    """The parents nearest to a query, best first."""

    generation: int
    ids: Sequence[ChunkId]


class GenerationWriter(Protocol):
    """The next generation while it is being made. Nobody searches it before `commit`."""

    @property
    def resumed(self) -> bool:
        """Whether it goes on from where an interrupted run was cut off."""
        ...

    def records(self, corpus: str | None = None) -> AsyncIterator[DocumentRecord]:
        """The ledger's lines on one corpus, or on all, as they stand in this generation."""
        ...

    async def put(
        self, record: DocumentRecord, chunks: Sequence[EmbeddedChunk], parents: Sequence[Parent] = ()
    ) -> None:
        """Bring in one document, whole, in the place of any earlier version. The record is written last."""
        ...

    def chunks_of(self, document: DocumentId) -> AsyncIterator[EmbeddedChunk]:
        """The document's chunks with their vectors, as they stand in this generation, in no order."""
        ...

    async def note(self, record: DocumentRecord) -> None:
        """Write the record anew; the document's chunks keep texts and vectors, and say of it what the record says."""
        ...

    async def remove(self, document: DocumentId) -> None:
        """Take a document out, its record too."""
        ...

    async def commit(self, corpora: Sequence[CorpusInfo]) -> Manifest:
        """Let this generation serve. `corpora` replace those of the same name; without documents they vanish."""
        ...


class VectorStore(Protocol):
    """Searches the last complete generation, and takes up the next within seconds of its completion."""

    async def manifest(self) -> Manifest:
        """What serves now, opened. Raises IndexMissing, StoreError."""
        ...

    async def last_manifest(self) -> Manifest:
        """What `manifest` tells, also of an index too damaged to be opened. Raises IndexMissing, StoreError."""
        ...

    async def search(
        self,
        queries: Sequence[Query],
        scope: Scope,
        *,
        limit: int,
        within: Collection[ChunkId] | None = None,
        among: Collection[ChunkId] | None = None,
        compare: Embedding | None = None,
    ) -> Found:
        """One ranking a query, best first, at most `limit` long; equal scores stand in the order of ids.

        What the scope does not admit does not even compete: it takes no candidate's place. Only chunks of the parents
        `within`, and only the chunks `among`, where these are given; none where they are empty. Dense scores are
        cosines; sparse scores are BM25. With `compare`, each chunk found is also compared with that embedding in both
        ways, whichever query found it. Raises IndexMissing, StoreError.
        """
        ...

    async def term_statistics(self, terms: Sequence[int], scope: Scope) -> TermStatistics:
        """How common these terms are, numbered as in a SparseVector, in their order. Raises IndexMissing, StoreError.

        They are counted when a generation is committed. One that an older version wrote is counted at the first
        question: about a second for 15,000 chunks.
        """
        ...

    async def search_parents(self, query: Vector, scope: Scope, *, limit: int) -> FoundParents:
        """The nearest parents that the scope admits, at most `limit`. Raises IndexMissing, StoreError."""
        ...

    def records(self, corpus: str | None = None) -> AsyncIterator[DocumentRecord]:
        """The ledger of one corpus, or of all. Raises IndexMissing, StoreError."""
        ...

    async def document(self, document: DocumentId) -> DocumentRecord | None:
        """One line of the ledger; None where there is none."""
        ...

    def scan(self, corpus: str | None = None) -> AsyncGenerator[EmbeddedChunk]:
        """Each chunk of one corpus, or of all, with its vectors, in no order. Raises IndexMissing, StoreError.

        A reader that leaves early closes it (`contextlib.aclosing`): it holds the generation that it reads.
        """
        ...

    def write(self, recipe: Recipe, *, fresh: bool = False) -> AbstractAsyncContextManager[GenerationWriter]:
        """Begin the next generation as a copy of what serves, or empty when `fresh` or when nothing serves.

        One that was interrupted is gone on with, if it had the same recipe and began on what serves now. Leaving
        without `commit` keeps it for that. Raises StoreBusy when another indexer writes, ConfigurationError when the
        recipe does not fit what serves.
        """
        ...

    async def aclose(self) -> None:
        """Let go of all resources."""
        ...
