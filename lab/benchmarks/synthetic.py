"""A drive of any size, made up: texts of real lengths and a real spread of words, and vectors that lie in clusters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import numpy as np
import numpy.typing as npt

from rag.embedding.sparse import Bm25
from rag.types.chunks import Chunk, ChunkId, EmbeddedChunk, Span
from rag.types.documents import Document, DocumentId, DocumentRecord, DocumentState
from rag.types.vectors import Embedding, Vector

DIMENSIONS: Final = 384
CHUNKS_OF_A_DOCUMENT: Final = 12
TERMS_OF_A_CHUNK: Final = (60, 160)
"""Words; about 400 to 1,000 characters."""
VOCABULARY: Final = 30_000
EXPONENT: Final = 1.1
SHIFT: Final = 20  # the law of Zipf and Mandelbrot, without the words that are left out of an index
OF_ITS_OWN: Final = 40
"""Words that a document uses again and again: a fifth of its text."""
SPREAD: Final = 0.9
"""Length of the noise around a cluster's centre, which has length 1: cosines inside a cluster are about 0.55."""
_SYLLABLES: Final = tuple(a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er", "il", "os"))


@dataclass(frozen=True, slots=True)
class SyntheticQuestion:
    """A question about one chunk."""

    text: str
    embedding: Embedding
    answer: ChunkId


class SyntheticDrive:
    """Gives the same documents each time."""

    def __init__(self, chunks: int, *, seed: int = 7) -> None:
        self._dice = np.random.default_rng(seed)
        self.chunks = chunks
        self._bm25 = Bm25()
        self._words = self._vocabulary()
        weights = 1.0 / (np.arange(VOCABULARY) + SHIFT) ** EXPONENT
        self._shares = np.cumsum(weights / weights.sum())
        centres = self._dice.normal(size=(max(8, chunks // 100), DIMENSIONS))
        self._centres = centres / np.linalg.norm(centres, axis=1, keepdims=True)

    def documents(self) -> Iterator[tuple[DocumentRecord, list[EmbeddedChunk]]]:
        """Each document with its chunks; the last one may have fewer."""
        for number, start in enumerate(range(0, self.chunks, CHUNKS_OF_A_DOCUMENT)):
            document = _document(number)
            rows = self._chunks(document, number, min(CHUNKS_OF_A_DOCUMENT, self.chunks - start))
            yield DocumentRecord(document, DocumentState.READY, size=1, mtime_ns=1, pages=4, chunks=len(rows)), rows

    def question(self, row: EmbeddedChunk) -> SyntheticQuestion:
        """Some of the chunk's words, and a vector near its own (cosine about 0.7)."""
        words = row.chunk.text.split()
        text = " ".join(self._dice.choice(words, size=8, replace=False))
        noise = self._dice.normal(size=DIMENSIONS)
        dense = _unit(row.embedding.dense + noise / np.linalg.norm(noise))
        return SyntheticQuestion(text, Embedding(dense, self._bm25.query(text)), row.chunk.id)

    def _chunks(self, document: Document, number: int, count: int) -> list[EmbeddedChunk]:
        own = self._dice.integers(200, VOCABULARY, size=OF_ITS_OWN)
        centres = self._centres[self._dice.integers(0, len(self._centres), size=count)]
        noise = self._dice.normal(size=(count, DIMENSIONS))
        vectors = centres + SPREAD * noise / np.linalg.norm(noise, axis=1, keepdims=True)
        rows: list[EmbeddedChunk] = []
        for ordinal, vector in enumerate(vectors):
            chunk = self._chunk(document, number, ordinal, own)
            rows.append(EmbeddedChunk(chunk, Embedding(_unit(vector), self._bm25.document(chunk.searchable))))
        return rows

    def _chunk(self, document: Document, number: int, ordinal: int, own: npt.NDArray[np.int64]) -> Chunk:
        length = int(self._dice.integers(*TERMS_OF_A_CHUNK))
        drawn = np.searchsorted(self._shares, self._dice.random(length)).clip(max=VOCABULARY - 1)
        is_own = self._dice.random(length) < 1 / 5
        drawn[is_own] = self._dice.choice(own, size=int(is_own.sum()))
        text = " ".join(self._words[place] for place in drawn).capitalize() + "."
        span = Span(page=ordinal // 3 + 1, label="", start=0, end=len(text))
        return Chunk(ChunkId(_uuid(1, number, ordinal)), document, ordinal, text, (span,), (f"Section {ordinal // 4}",))

    def _vocabulary(self) -> list[str]:
        """Distinct words that can be spoken, the short ones frequent."""
        words: dict[str, None] = {}
        while len(words) < VOCABULARY:
            syllables = self._dice.choice(_SYLLABLES, size=2 + len(words) // (VOCABULARY // 3))
            words["".join(syllables)] = None
        return [*words]


def _document(number: int) -> Document:
    department, project = f"department{number % 9}", f"project{number % 97}"
    return Document(
        id=DocumentId(_uuid(0, number, 0)),
        corpus="drive",
        uri=f"{department}/{project}/report-{number:06}.pdf",
        title=f"Report {number:06}",
        kind="pdf",
        paged=True,
        modified_at=datetime(2026, 1, 1, tzinfo=UTC),
        fingerprint=f"00000000-{number:064x}",
        labels=frozenset(
            {"drive", f"drive/department{number % 9}", f"drive/department{number % 9}/project{number % 97}"}
        ),
    )


def _unit(vector: npt.NDArray[np.float64]) -> Vector:
    unit: Vector = (vector / np.linalg.norm(vector)).astype(np.float32)
    return unit


def _uuid(kind: int, number: int, ordinal: int) -> str:
    """Scattered as real ids are: a product with an odd number, in 2^64."""
    scattered = (number * 1_000 + ordinal + 1) * 0x9E3779B97F4A7C15 % 2**64
    return f"{kind:08x}-0000-4000-8000-{scattered % 2**48:012x}"
