"""What an embedder is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from rag.types import Embedding, Matrix, Vector


class Tokens(Protocol):
    """How a model counts text; every DenseModel knows it, and it can be had without the weights, too."""

    @property
    def max_tokens(self) -> int:
        """How much the model reads of one text, special tokens left out; the rest would be cut silently."""
        ...

    def token_ends(self, text: str) -> Sequence[int]:
        """The end of each token of the text as a character offset, ascending."""
        ...


class DenseModel(Protocol):
    """A model that puts a text at one point of a space. Documents and questions are told apart: many models differ."""

    @property
    def name(self) -> str:
        """Names the model and all that changes its output; stands in the manifest and in cache keys."""
        ...

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        ...

    @property
    def max_tokens(self) -> int:
        """How much it reads of one text, special tokens left out; the rest would be cut silently."""
        ...

    def token_ends(self, text: str) -> Sequence[int]:
        """The end of each token of the text as a character offset, ascending."""
        ...

    async def encode_documents(self, texts: Sequence[str]) -> Matrix:
        """One row a text, in order: shape (len(texts), dimensions), rows L2-normalised."""
        ...

    async def encode_query(self, text: str) -> Vector:
        """One vector: shape (dimensions,), L2-normalised."""
        ...


class Embedder(Protocol):
    """Makes a text searchable in every way that the store knows."""

    @property
    def name(self) -> str:
        """Names all that changes its output; stands in the manifest and in cache keys."""
        ...

    @property
    def dimensions(self) -> int:
        """The length of a dense vector."""
        ...

    async def embed_documents(self, texts: Sequence[str]) -> list[Embedding]:
        """One embedding a text, in order."""
        ...

    async def embed_query(self, text: str) -> Embedding:
        """The embedding of a question."""
        ...
