"""The chunkers. To add one: write its file, add its line."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Protocol

from indexer.chunking.base import Chunker, Ruler, Similarity
from indexer.chunking.fixed import FixedChunker
from indexer.chunking.hierarchical import HierarchicalChunker
from indexer.chunking.markdown import MarkdownChunker
from indexer.chunking.semantic import SemanticChunker
from indexer.chunking.sentence import SentenceChunker
from indexer.chunking.tokens import TokenChunker


class Make(Protocol):
    """Makes a chunker."""

    def __call__(self, ruler: Ruler, similarity: Similarity, /, **sizes: int) -> Chunker:
        """`sizes` are `size` and `overlap`, in the chunker's own unit; each has a default.

        Raises ConfigurationError when they cannot work.
        """
        ...


CHUNKERS: Final[Mapping[str, Make]] = MappingProxyType(
    {
        "fixed": lambda ruler, _, **sizes: FixedChunker(ruler, **sizes),
        "tokens": lambda ruler, _, **sizes: TokenChunker(ruler, **sizes),
        "sentence": lambda ruler, _, **sizes: SentenceChunker(ruler, **sizes),
        "semantic": lambda ruler, similarity, **sizes: SemanticChunker(ruler, similarity, **sizes),  # noqa: PLW0108  # has floats
        "markdown": lambda ruler, _, **sizes: MarkdownChunker(ruler, **sizes),
        "hierarchical": lambda ruler, similarity, **sizes: HierarchicalChunker(
            MarkdownChunker(ruler, **sizes), similarity
        ),
    }
)
"""By the name that a setting gives."""
