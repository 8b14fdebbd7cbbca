"""What an index was made with, and of which drives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class CorpusInfo:
    """One drive in the index."""

    name: str
    root: str
    """Where the indexer read it: the bot serves originals from there."""
    documents: int
    chunks: int
    indexed_at: datetime


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an index was made with. A question is embedded with the model that stands here, or not at all."""

    generation: int
    embedder: str
    dimensions: int
    chunker: str
    schema: int
    built_at: datetime
    corpora: Mapping[str, CorpusInfo]
