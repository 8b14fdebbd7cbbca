"""What an extractor is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from rag.types import Page


@dataclass(frozen=True, slots=True)
class Extraction:
    """A file as text."""

    title: str
    """From the document's own metadata or first heading; empty where it names none that is fit to show."""
    paged: bool
    """Whether the pages are real ones, that a link can open."""
    pages: Iterator[Page]
    """In order, lazily: a page may still raise ExtractionError when its turn comes."""


class Extractor(Protocol):
    """Sync and picklable: files are read in worker processes. One extractor may serve several kinds."""

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds (see `kind.py`) that it reads."""
        ...

    @property
    def version(self) -> int:
        """Raised when the same bytes would give other text: files are then read anew."""
        ...

    def extract(self, path: Path) -> Extraction:
        """The file's pages. Raises ExtractionError."""
        ...
