"""Whether an index holds the vectors that its manifest names: a wrong one finds nothing, or anything, and says no word.

The manifest's name of the embedder carries all that its makers thought of. What they did not think of (weights that
changed under their name, words split in another way, vectors that were never written) shows only in the vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from typing import Final

import numpy as np

from rag.embedding.base import Embedder
from rag.errors import ConfigurationError
from rag.store.base import VectorStore
from rag.types.chunks import EmbeddedChunk
from rag.types.vectors import Embedding, SparseVector

SAMPLE: Final = 4
"""Chunks that are embedded anew: a few milliseconds with the packaged model."""
SAME: Final = 0.98
"""The least cosine of a text's vector to the same text's vector of another day: batches and processors change digits
behind the third; another model, or another prefix, gives another vector."""
_REMEDY: Final = "make the index anew with `python -m indexer reindex`"


async def check_vectors(store: VectorStore, embedder: Embedder) -> None:
    """Embed a few of the index's passages anew, and compare. Says nothing of an index without passages.

    Raises:
        ConfigurationError: A vector is missing, or is another than this embedder makes.
        StoreError: The index cannot be read.
    """
    rows = await _first(store)
    fresh = await embedder.embed_documents([row.chunk.searchable for row in rows])
    for row, embedding in zip(rows, fresh, strict=True):
        if reason := _difference(row.embedding, embedding):
            raise ConfigurationError(
                f"the index says that it was made with the embedder {embedder.name!r}, but {reason}: {_REMEDY}"
            )


async def _first(store: VectorStore) -> Sequence[EmbeddedChunk]:
    rows: list[EmbeddedChunk] = []
    async with aclosing(store.scan()) as scan:
        async for row in scan:
            rows.append(row)
            if len(rows) == SAMPLE:
                break
    return rows


def _difference(kept: Embedding, fresh: Embedding) -> str:
    """What is wrong with a vector that is kept; empty where nothing is."""
    if len(fresh.sparse.indices) and not len(kept.sparse.indices):
        return "its passages have no words to be found by (the vectors of BM25 are missing)"
    if not _same_terms(kept.sparse, fresh.sparse):
        return "its passages were split into words in another way than questions are now"
    if kept.dense.shape != fresh.dense.shape or not float(kept.dense @ fresh.dense) >= SAME:
        return "its passages lie elsewhere than this model puts them (other weights under its name, or damaged vectors)"
    return ""


def _same_terms(kept: SparseVector, fresh: SparseVector) -> bool:
    return np.array_equal(kept.indices, fresh.indices) and np.allclose(kept.values, fresh.values, rtol=1e-3)
