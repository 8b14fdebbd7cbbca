"""One file, read in a process of its own: whatever a parser does there, it does not do to us."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, TypeAlias

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.container.source import sha256_of, size_of
from indexer.extraction.detect.kind import kind_of
from indexer.extraction.detect.misnamed import contradiction
from indexer.extraction.dispatch import extract_inner, extractor_for
from indexer.extraction.unforeseen import unforeseen
from rag.errors import ExtractionError
from rag.types.documents import Failure, Page

LARGE_BYTES: Final = 50_000_000
"""Larger files are mostly films and archives: what is not read need not be hashed either."""
MAX_CHARACTERS: Final = 64_000_000
"""Of one file: forty times the Bible. What is longer is an export, and would fill the index alone."""


@dataclass(frozen=True, slots=True)
class ExtractJob:
    """What to read, and the digest of the bytes that are indexed already ("" for none)."""

    path: Path
    known_sha256: str
    context: ExtractionContext = field(default_factory=ExtractionContext)


@dataclass(frozen=True, slots=True)
class ExtractedText:
    """What was read."""

    sha256: str
    kind: str
    title: str
    paged: bool
    pages: tuple[Page, ...]
    warnings: tuple[str, ...] = ()
    """What the reader of a report should know although there is text."""


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The bytes are those that are indexed already."""

    sha256: str


@dataclass(frozen=True, slots=True)
class Unread:
    """Why there is no text."""

    sha256: str
    """Empty where not even the bytes could be read."""
    kind: str
    failure: Failure


ExtractOutcome: TypeAlias = ExtractedText | Unchanged | Unread


def extract(job: ExtractJob) -> ExtractOutcome:
    """The file's text. Never raises for what is wrong with a file, but for a MemoryError in the telling."""
    sha256, kind = "", ""
    try:
        if size_of(job.path) > LARGE_BYTES:
            kind = kind_of(job.path) or ""
            extractor_for(kind or None)
        sha256 = sha256_of(job.path)
        if sha256 == job.known_sha256:
            return Unchanged(sha256)
        kind = kind_of(job.path) or ""
        context = replace(job.context.begun(), inner=extract_inner)
        extraction = extractor_for(kind or None).extract(job.path, context)
        pages, warnings = _readable(extraction)
        if (misnamed := contradiction(job.path.suffix, kind)) is not None:
            warnings = (misnamed, *warnings)
        if sha256_of(job.path) != sha256:
            return Unread("", kind, _CHANGED)
    except ExtractionError as error:
        return Unread(sha256, kind, error.failure)
    except Exception as error:  # noqa: BLE001  # the outermost line of this process: what no parser foresaw costs one file
        return Unread(sha256, kind, unforeseen(error))
    return ExtractedText(sha256, kind, extraction.title, extraction.paged, pages, warnings)


def _readable(extraction: Extraction) -> tuple[tuple[Page, ...], tuple[str, ...]]:
    """The pages up to the first that cannot be read, and a warning about it. Raises the error if there are none.

    What comes behind such a page is lost with it: a generator does not go on once it has raised.
    """
    read_so_far: list[Page] = []
    room = MAX_CHARACTERS
    try:
        for page in extraction.pages:
            if len(page.text) > room:
                read_so_far.append(replace(page, text=page.text[:room]))
                return tuple(read_so_far), (*extraction.warnings, _TOO_LONG)
            read_so_far.append(page)
            room -= len(page.text)
    except Exception as error:
        if not any(page.text for page in read_so_far):
            raise
        reason = error if isinstance(error, ExtractionError) else unforeseen(error).message
        broken = f"Only the first {len(read_so_far)} pages were read. {reason}"
        return tuple(read_so_far), (*extraction.warnings, broken)
    return tuple(read_so_far), tuple(extraction.warnings)


_CHANGED: Final = Failure("vanished", "The file changed while it was read.", "It is read again at the next run.")
_TOO_LONG: Final = f"Only the first {MAX_CHARACTERS:,} characters were read: split the file to have the rest, too."
