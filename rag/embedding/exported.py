"""An exported model: a folder with graph, tokenizer and card, which runs without torch."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from rag.embedding.base import TokenVectors
from rag.embedding.encoder import GraphEncoder
from rag.embedding.export_card import GRAPH, ExportedTokens, check_file
from rag.embedding.graphs import Graph
from rag.embedding.identity import PROBE, fingerprint, name_of
from rag.embedding.profiles import Prefixes
from rag.types.vectors import Matrix, Vector


class ExportedModel:
    """An exported model, by whichever engine runs its graph."""

    def __init__(
        self,
        folder: Path,
        open_graph: Callable[[Path], Graph],
        *,
        prefixes: Prefixes | None = None,
        threads: int | None = None,
    ) -> None:
        """`prefixes`: instead of those that the card names. Raises ConfigurationError."""
        self._tokens = ExportedTokens(folder, prefixes)
        self._prefixes = self._tokens.prefixes
        card = self._tokens.card
        check_file(folder, card, GRAPH)
        graph = open_graph(folder / GRAPH)
        self._encoder = GraphEncoder(graph, self._tokens.read, card.pooling, threads=threads)
        probe = self._tokens.read("", PROBE).ids
        mark = fingerprint(card.weights, pooling=card.pooling, reads=card.reads, probe=probe)
        self.name = name_of(card.model, card.precision, mark, self._prefixes)
        self.max_tokens = self._tokens.max_tokens
        self.dimensions: int = graph.hidden(probe).shape[1]

    def token_ends(self, text: str) -> Sequence[int]:
        """The end of each token as a character offset, ascending."""
        return self._tokens.token_ends(text)

    def encode(self, texts: Sequence[str]) -> Matrix:
        """One row a text, in order: shape (len(texts), dimensions)."""
        rows = self._encoder.vectors(self._prefixes.document, texts)
        return np.stack(rows) if rows else np.empty((0, self.dimensions), dtype=np.float32)

    async def encode_documents(self, texts: Sequence[str]) -> Matrix:
        """Likewise, in a thread."""
        return await asyncio.to_thread(self.encode, texts)

    async def encode_query(self, text: str) -> Vector:
        """One vector: shape (dimensions,)."""
        return (await asyncio.to_thread(self._encoder.vectors, self._prefixes.query, [text]))[0]

    async def encode_document_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """The tokens of each text, in order."""
        return await asyncio.to_thread(self._encoder.token_vectors, self._prefixes.document, texts)

    async def encode_query_tokens(self, text: str) -> TokenVectors:
        """The tokens of a question."""
        return (await asyncio.to_thread(self._encoder.token_vectors, self._prefixes.query, [text]))[0]
