"""The nouns of the engine. Frozen, free of I/O, importing nothing of ours."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Literal, NewType, TypeAlias

import numpy as np
import numpy.typing as npt

Vector: TypeAlias = npt.NDArray[np.float32]
"""One embedding: shape (d,), L2-normalised."""

Matrix: TypeAlias = npt.NDArray[np.float32]
"""One row an embedding: shape (n, d), each row L2-normalised."""

DocumentId = NewType("DocumentId", str)
ChunkId = NewType("ChunkId", str)


@dataclass(frozen=True, slots=True)
class Document:
    """One file of a drive at one version."""

    id: DocumentId
    """A UUID made of corpus and uri: it stays when the file changes."""
    corpus: str
    """The name of the drive that the file stands on."""
    uri: str
    """The path relative to the drive, with forward slashes."""
    title: str
    kind: str
    """The format by content: "pdf", "markdown", "text", "html", "docx" …"""
    paged: bool
    """Whether its pages are real ones, that a link can open; a format without pages has one, number 1."""
    modified_at: datetime
    fingerprint: str
    """The recipe that indexed it (8 digits, a dash) and sha256 of its bytes: it changes when either does."""
    labels: frozenset[str]
    """The corpus and each folder above the file ("drive", "drive/HR", "drive/HR/Leave"); matched against a Scope."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page as a person reads it, as Markdown where the format has structure. Formats without pages have one."""

    number: int
    """The physical page, counted from 1."""
    text: str
    label: str = ""
    """The number printed on the page ("iv", "12"); empty where the document prints none."""
    headings: tuple[str, ...] = ()
    """The path of headings in force where the page begins, outermost first (of a PDF: its outline)."""
    ocr: bool = False


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


CONTEXT_LINE_CHARS = 160
"""Title and headings never take more than this of what a model reads."""


def context_line(title: str, headings: Sequence[str]) -> str:
    """Title and headings in one line, the outermost headings given up first when it grows too long."""
    kept = [heading for heading in headings if heading != title]
    while kept and len(" › ".join([title, *kept])) > CONTEXT_LINE_CHARS:
        kept.pop(0)
    return " › ".join([title, *kept])[:CONTEXT_LINE_CHARS]


@dataclass(frozen=True, slots=True)
class SparseVector:
    """Term weights: indices are hashed terms, ascending and unique."""

    indices: npt.NDArray[np.uint32]
    values: npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Embedding:
    """All the ways in which one text is searchable."""

    dense: Vector
    sparse: SparseVector


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
    """A chunk as found. Scores are comparable within one result list only."""

    chunk: Chunk
    score: float
    signals: Mapping[str, float] = field(default_factory=dict[str, float])
    """What each stage thought of it, by the stage's name: "dense", "bm25", "rrf", "rerank"."""
    also: tuple[Document, ...] = ()
    """Other documents of the scope that hold the very same passage: copies of the file."""


class DocumentState(StrEnum):
    """What became of a file."""

    READY = "ready"
    EMPTY = "empty"
    """Read without error, but there is no text in it."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a file could not be read, and what its owner can do."""

    code: str
    message: str
    remedy: str


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """The ledger's line on one file. Written last, it is the commit of that file."""

    document: Document
    state: DocumentState
    size: int
    """Bytes."""
    mtime_ns: int
    pages: int = 0
    pages_without_text: int = 0
    pages_by_ocr: int = 0
    chunks: int = 0
    warnings: tuple[str, ...] = ()
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class CorpusInfo:
    """One drive in the index."""

    name: str
    root: str
    """Where the indexer read it: the bot serves originals from there."""
    documents: int
    chunks: int
    indexed_at: datetime


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an index was made with. A question is embedded with the model that stands here, or not at all."""

    generation: int
    embedder: str
    dimensions: int
    chunker: str
    schema: int
    built_at: datetime
    corpora: Mapping[str, CorpusInfo]


@dataclass(frozen=True, slots=True)
class Scope:
    """What an asker may read. Every search demands one, so none can be made without it."""

    labels: frozenset[str]
    unlimited: bool = False
    within: str | None = None
    """Narrows further, to one corpus or folder that the asker named; it never widens."""

    @classmethod
    def nothing(cls) -> Scope:
        """For a channel that nobody has given a scope: fail closed."""
        return cls(frozenset())

    @classmethod
    def everything(cls) -> Scope:
        """For the operator's own terminal and for evaluation; never for a chat."""
        return cls(frozenset(), unlimited=True)

    def narrowed(self, label: str) -> Scope:
        """This scope, and inside it only what carries `label`."""
        return replace(self, within=label)

    def admits(self, document: Document) -> bool:
        """Whether a holder of this scope may read the document."""
        if self.within is not None and self.within not in document.labels:
            return False
        return self.unlimited or not self.labels.isdisjoint(document.labels)

    @property
    def is_empty(self) -> bool:
        """Whether nothing can be found in it."""
        return not self.unlimited and not self.labels

    @property
    def key(self) -> str:
        """The same for equal scopes and for no others: part of every cache key."""
        return json.dumps([self.unlimited, sorted(self.labels), self.within])


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


class Support(StrEnum):
    """Whether the passages that a sentence cites bear it out."""

    SUPPORTED = "supported"
    CORRECTED = "corrected"
    """One number stands otherwise in its sources, and only one can be meant; the text is left as it was shown."""
    UNSUPPORTED = "unsupported"
    UNCITED = "uncited"
    """It states something and names no source."""
    NOT_CHECKED = "not_checked"
    """It states nothing, or is in another language than its sources."""


class Lack(StrEnum):
    """What a sentence says that its sources do not."""

    NUMBER = "number"
    UNIT = "unit"
    """The number stands there, but counts something else."""
    DATE = "date"
    NAME = "name"
    CODE = "code"
    NEGATION = "negation"
    """One of the two denies what the other says."""
    WORDS = "words"
    """Too little of what it says is found there."""


@dataclass(frozen=True, slots=True)
class Missing:
    """One thing that was looked for in vain."""

    lack: Lack
    text: str = ""
    """As the answer writes it; empty where it is no single thing."""


@dataclass(frozen=True, slots=True)
class Correction:
    """What the only source that can be meant says instead."""

    said: str
    source: str
    """The number with its unit, as the passage writes it: a document's words, to be escaped like all of them."""
    citation: int


@dataclass(frozen=True, slots=True)
class SentenceSupport:
    """One sentence of an answer held against the passages that it cites: text[start:end], in characters."""

    start: int
    end: int
    verdict: Support
    citations: tuple[int, ...] = ()
    """The numbers of the passages that it was held against."""
    missing: tuple[Missing, ...] = ()
    correction: Correction | None = None
    borne_out_by: tuple[int, ...] = ()
    """Other sources of the answer that bear out a sentence which its own do not, or which names none: each, or if none
    does by itself, all together."""


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
