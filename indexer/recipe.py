"""What makes the same bytes give the same chunks: named, so that a change of it is seen without reading a file."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from indexer.extraction.base import Extractor

FORMAT: Final = 1
"""Raised when the way from pages to chunks changes in this program itself."""


@dataclass(frozen=True, slots=True)
class Recipes:
    """The recipe of each kind of file."""

    extractors: Sequence[Extractor]
    chunker: str
    embedder: str

    def prefix(self, kind: str) -> str:
        """The beginning of the fingerprint of each document of this kind: 8 digits and a dash.

        Files of a kind that nothing reads yet share one that changes when any kind is added.
        """
        version = next(
            (f"{kind}/{extractor.version}" for extractor in self.extractors if kind in extractor.kinds), None
        )
        if version is None:
            version = ",".join(sorted(known for extractor in self.extractors for known in extractor.kinds))
        whole = f"{FORMAT}|{version}|{self.chunker}|{self.embedder}"
        return hashlib.sha256(whole.encode()).hexdigest()[:8] + "-"
