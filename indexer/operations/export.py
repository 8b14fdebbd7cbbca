"""All that is indexed as lines of JSON: for other programs, for a look, for keeping."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

from rag.store.base import VectorStore
from rag.store.manifests import corpus_named
from rag.types.chunks import EmbeddedChunk


async def lines(store: VectorStore, corpus: str | None, *, vectors: bool) -> AsyncGenerator[str]:
    """One chunk a line, in no order. Who leaves early closes it.

    Raises ConfigurationError, IndexMissing, StoreError.
    """
    manifest = await store.manifest()
    if corpus is not None:
        corpus_named(manifest, corpus)
    async with aclosing(store.scan(corpus)) as rows:
        async for row in rows:
            yield json.dumps(_fields(row, vectors=vectors), ensure_ascii=False)


def _fields(row: EmbeddedChunk, *, vectors: bool) -> Mapping[str, Any]:
    chunk, document, sparse = row.chunk, row.chunk.document, row.embedding.sparse
    fields: dict[str, Any] = {
        "id": chunk.id,
        "corpus": document.corpus,
        "path": document.uri,
        "title": document.title,
        "kind": document.kind,
        "modified_at": document.modified_at.isoformat(),
        "ordinal": chunk.ordinal,
        "pages": [span.page for span in chunk.spans],
        "label": chunk.label,
        "start": chunk.spans[0].start,
        "end": chunk.spans[-1].end,
        "headings": list(chunk.headings),
        "text": chunk.text,
    }
    if vectors:
        # Nine digits tell each 32-bit number from every other.
        fields["dense"] = [float(f"{value:.9g}") for value in row.embedding.dense.tolist()]
        fields["sparse"] = {
            "indices": sparse.indices.tolist(),
            "values": [float(f"{value:.9g}") for value in sparse.values.tolist()],
        }
    return fields
