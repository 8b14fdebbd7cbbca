"""The chunkers. To add one: write its file, add its line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from indexer.chunking.base import Chunker
from indexer.chunking.fixed import FixedChunker
from indexer.chunking.markdown import MarkdownChunker

CHUNKERS: Final[Mapping[str, Callable[..., Chunker]]] = MappingProxyType(
    {
        "fixed": FixedChunker,
        "markdown": MarkdownChunker,
    }
)
"""By the name that a setting gives: each takes a Ruler, and its sizes as keywords with defaults."""
