"""Texts through a graph: each alone, the cores side by side.

Without padding nothing is computed in vain, and a vector depends on its text only, never on what else was in a batch:
the same drive gives the same index bit by bit.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from rag.embedding.base import TokenVectors
from rag.embedding.graphs import Graph
from rag.embedding.profiles import Pooling
from rag.embedding.tokens import Tokenization
from rag.types.vectors import Matrix, Vector


class GraphEncoder:
    """A graph with its way of reading and of pooling."""

    def __init__(
        self, graph: Graph, read: Callable[[str, str], Tokenization], pooling: Pooling, *, threads: int | None = None
    ) -> None:
        """`read`: from a prefix and a text to what the model reads of both."""
        self._graph = graph
        self._read = read
        self._pooling: Pooling = pooling
        self._pool = ThreadPoolExecutor(threads or os.cpu_count() or 1, thread_name_prefix="embedding")

    def vectors(self, prefix: str, texts: Sequence[str]) -> list[Vector]:
        """One vector a text, in order, L2-normalised."""
        return list(self._pool.map(partial(self._vector, prefix), texts))

    def token_vectors(self, prefix: str, texts: Sequence[str]) -> list[TokenVectors]:
        """Those of each text, in order."""
        return list(self._pool.map(partial(self._tokens, prefix), texts))

    def _vector(self, prefix: str, text: str) -> Vector:
        hidden = self._graph.hidden(self._read(prefix, text).ids)
        vector = hidden.mean(axis=0) if self._pooling == "mean" else hidden[0]
        return vector / np.linalg.norm(vector)

    def _tokens(self, prefix: str, text: str) -> TokenVectors:
        reading = self._read(prefix, text)
        return token_vectors(self._graph.hidden(reading.ids), reading.spans)


def token_vectors(hidden: Matrix, spans: Sequence[tuple[int, int] | None]) -> TokenVectors:
    """The rows of what stands in the text, L2-normalised. `hidden` has one row a span."""
    own = [(place, span) for place, span in enumerate(spans) if span is not None]
    rows = hidden[[place for place, _ in own]]
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Matrix = rows / np.maximum(lengths, np.finfo(np.float32).tiny)
    return TokenVectors(unit, [span for _, span in own])
