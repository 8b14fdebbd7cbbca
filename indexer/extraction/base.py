"""What an extractor is, and what a format is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from time import monotonic
from typing import Protocol

from rag.errors import ExtractionError
from rag.types.documents import Page


@dataclass(frozen=True, slots=True)
class Extraction:
    """A file as text."""

    title: str
    """From the document's own metadata or first heading; empty where it names none that is fit to show."""
    paged: bool
    """Whether the pages are real ones, that a link can open."""
    pages: Iterator[Page]
    """In order, lazily. A page that cannot be read comes out empty, with a warning; ExtractionError ends the file."""
    warnings: list[str] = field(default_factory=list[str])
    """What a reader of the report should know although there is text; complete when the pages have run out."""

    def whole(self) -> Extraction:
        """The same with all pages read: of a file that is about to go away."""
        return replace(self, pages=iter(list(self.pages)))


def _nothing_inside(path: Path, context: ExtractionContext) -> Extraction:
    raise ExtractionError("nested", f"{path.name} is not read from inside another file.", f"Level {context.depth}.")


@dataclass(frozen=True, slots=True)
class ExtractionContext:
    """What an extractor may use beside the file. Picklable: it travels to the processes that read."""

    passwords: tuple[str, ...] = field(default=(), repr=False)
    """Tried in turn on protected files."""
    ocr_languages: tuple[str, ...] = ("eng",)
    """Names of tessdata, such as "eng" and "deu"; empty: no OCR."""
    ocr_seconds: float = 180.0
    """For so long from the beginning of a file there is OCR; the pages behind are left out, with a warning."""
    ocr_until: float = inf
    """When that is over, for this file and all that lies inside it, by the clock that `begun` looks at."""
    libreoffice: Path | None = None
    """The program that reads legacy formats, where it is installed."""
    pandoc: Path | None = None
    """The program that reads LaTeX, notebooks and Textile, where it is installed."""
    depth: int = 0
    """How many files this one lies inside of: an attachment has 1."""
    inner: Callable[[Path, ExtractionContext], Extraction] = _nothing_inside
    """Reads a file of any format that was found inside another, or was made of it."""

    def begun(self) -> ExtractionContext:
        """The same for a file that is read from now on."""
        return replace(self, ocr_until=monotonic() + self.ocr_seconds)

    @property
    def ocr_seconds_left(self) -> float:
        """What OCR may still take; nothing below 0."""
        return self.ocr_until - monotonic()

    @property
    def ocr_is_late(self) -> bool:
        """Whether OCR has used its time."""
        return self.ocr_seconds_left <= 0


class Extractor(Protocol):
    """Sync and picklable: files are read in worker processes."""

    def extract(self, path: Path, context: ExtractionContext) -> Extraction:
        """The file's pages. Raises ExtractionError."""
        ...


@dataclass(frozen=True, slots=True)
class Format:
    """A line of the table of formats: which files an extractor reads, and what their text depends on."""

    extractor: Extractor
    kinds: Sequence[str]
    """By the names that `detect` gives them, in alphabetical order."""
    version: int
    """Raised when the same bytes would give other text: files are then read anew."""
    uses_ocr: bool = False
    """Whether the text depends on the languages of OCR."""
    uses_pandoc: bool = False
    """Whether the text is another one where pandoc is installed."""
    holds_files: bool = False
    """Whether files of any kind are attached or embedded, and read with it."""
    becomes_another: bool = False
    """Whether the file is turned into one of another kind, and that is read."""

    @property
    def uses_extractors(self) -> bool:
        """Whether the text depends on the extractors of all other formats, too."""
        return self.holds_files or self.becomes_another
