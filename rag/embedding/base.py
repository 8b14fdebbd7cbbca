"""What an embedder is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rag.types.vectors import Embedding, Matrix, Vector


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

    def encode(self, texts: Sequence[str]) -> Matrix:
        """What `encode_documents` gives, computed while the calling thread waits: for work that has threads anyway."""
        ...

    async def encode_documents(self, texts: Sequence[str]) -> Matrix:
        """One row a text, in order: shape (len(texts), dimensions), rows L2-normalised."""
        ...

    async def encode_query(self, text: str) -> Vector:
        """One vector: shape (dimensions,), L2-normalised."""
        ...


@dataclass(frozen=True, slots=True)
class TokenVectors:
    """A text token by token, as a model reads it in its place; special tokens and prefixes are left out."""

    rows: Matrix
    """One row a token, L2-normalised: shape (tokens, dimensions)."""
    spans: Sequence[tuple[int, int]]
    """Where each token stands in the text, as character offsets: its start, and its end, which is not part of it."""


class TokenModel(Protocol):
    """A model that gives each token of a text a vector of its own, for late interaction."""

    @property
    def name(self) -> str:
        """Names the model and all that changes its output."""
        ...

    async def encode_document_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Those of each text, in order; what the model does not read of a long text has none."""
        ...

    async def encode_query_tokens(self, text: str) -> TokenVectors:
        """Those of a question."""
        ...


class TextModel(DenseModel, TokenModel, Protocol):
    """Both: what every model of ours is."""


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
