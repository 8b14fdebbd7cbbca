"""Vectors that need not be made again: of texts that the generation holds, in whatever file of the same bytes."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import PurePosixPath
from typing import Final

from indexer.pipeline.recipe import bytes_of
from rag.store.base import GenerationWriter
from rag.types.documents import Document, DocumentRecord
from rag.types.vectors import Embedding

LOOKED_INTO: Final = 3
"""Copies of a file that are looked into; a fourth with yet another name is embedded by itself."""


class KeptVectors:
    """Knows which documents of a generation were made of which bytes."""

    def __init__(self, writer: GenerationWriter, records: Iterable[DocumentRecord]) -> None:
        self._writer = writer
        self._holders: dict[str, list[Document]] = defaultdict(list)
        self._locks: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        for record in records:
            self._note(record)

    @asynccontextmanager
    async def of(self, record: DocumentRecord, known: DocumentRecord | None) -> AsyncGenerator[Mapping[str, Embedding]]:
        """By text, what may be in this file too: its last version and files of the same bytes.

        While the context is entered no other file of these bytes is: the second of two copies finds the first one's.
        Leave it when the document is stored.
        """
        sha256 = bytes_of(record.document.fingerprint)
        async with self._locks[sha256]:
            yield await self._found(self._candidates(record.document, sha256, known)) if record.chunks else {}
            self._note(record)

    def _note(self, record: DocumentRecord) -> None:
        sha256 = bytes_of(record.document.fingerprint)
        if record.chunks and sha256:
            self._holders[sha256].append(record.document)

    def _candidates(self, document: Document, sha256: str, known: DocumentRecord | None) -> Sequence[Document]:
        """Those of the same name first: a text without a title of its own is embedded with that."""
        name = PurePosixPath(document.uri).stem
        copies = [holder for holder in self._holders.get(sha256, ()) if holder.id != document.id]
        copies.sort(key=lambda holder: PurePosixPath(holder.uri).stem != name)
        own = [known.document] if known is not None and known.chunks else []
        return [*own, *copies[:LOOKED_INTO]]

    async def _found(self, documents: Sequence[Document]) -> Mapping[str, Embedding]:
        kept: dict[str, Embedding] = {}
        for document in documents:
            async for row in self._writer.chunks_of(document.id):
                kept.setdefault(row.chunk.searchable, row.embedding)
        return kept
