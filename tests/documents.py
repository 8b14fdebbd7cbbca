"""Documents, chunks and vectors for tests: small, deterministic, no model."""

from __future__ import annotations

import asyncio
import uuid
import zlib
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np

from rag.embedding.sparse import Bm25
from rag.types.chunks import Chunk, ChunkId, EmbeddedChunk, Span
from rag.types.documents import Document, DocumentId, DocumentRecord, DocumentState
from rag.types.vectors import Embedding, Matrix, Vector

DIMENSIONS = 256


class WordModel:
    """Words hashed into a small space: texts that share words are near."""

    name = "words/256"
    dimensions = DIMENSIONS
    max_tokens = 254

    def token_ends(self, text: str) -> Sequence[int]:
        return [position + 1 for position, character in enumerate(text) if character == " "] + [len(text)]

    def encode(self, texts: Sequence[str]) -> Matrix:
        return np.stack([self._vector(text) for text in texts]) if texts else np.empty((0, DIMENSIONS), np.float32)

    async def encode_documents(self, texts: Sequence[str]) -> Matrix:
        await asyncio.sleep(0)
        return self.encode(texts)

    async def encode_query(self, text: str) -> Vector:
        return self._vector(text)

    def _vector(self, text: str) -> Vector:
        vector: Vector = np.zeros(DIMENSIONS, dtype=np.float32)
        for word, count in Counter(text.lower().split()).items():
            vector[zlib.crc32(word.strip(".,?!").encode()) % DIMENSIONS] += count
        return vector / (np.linalg.norm(vector) or 1.0)


def a_document(
    uri: str = "finance/budget.md",
    *,
    version: str = "1",
    corpus: str = "drive",
    title: str = "",
    kind: str = "markdown",
) -> Document:
    folders = uri.split("/")[:-1]
    return Document(
        id=DocumentId(str(uuid.uuid5(uuid.NAMESPACE_URL, f"{corpus}/{uri}"))),
        corpus=corpus,
        uri=uri,
        title=title or uri,
        kind=kind,
        paged=kind == "pdf",
        modified_at=datetime(2026, 1, 1, tzinfo=UTC),
        fingerprint=f"{zlib.crc32(f'{uri}{version}'.encode()):064x}{version}"[::-1],
        labels=frozenset([corpus, *("/".join([corpus, *folders[: i + 1]]) for i in range(len(folders)))]),
    )


def a_chunk(document: Document, ordinal: int, text: str, *, page: int = 1, label: str = "") -> Chunk:
    identity = uuid.uuid5(uuid.NAMESPACE_URL, f"{document.id}/{document.fingerprint}/{ordinal}")
    return Chunk(ChunkId(str(identity)), document, ordinal, text, (Span(page, label, 0, len(text)),))


def a_record(document: Document, *, chunks: int = 0, state: DocumentState = DocumentState.READY) -> DocumentRecord:
    return DocumentRecord(document, state, size=10, mtime_ns=1, pages=1, chunks=chunks)


async def embedded(document: Document, *texts: str) -> list[EmbeddedChunk]:
    model, bm25 = WordModel(), Bm25()
    rows = await model.encode_documents(texts)
    return [
        EmbeddedChunk(a_chunk(document, i, text), Embedding(row, bm25.document(text)))
        for i, (text, row) in enumerate(zip(texts, rows, strict=True))
    ]
