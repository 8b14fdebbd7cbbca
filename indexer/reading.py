"""One file, read in a process of its own: whatever a parser does there, it does not do to us."""

from __future__ import annotations

import hashlib
import traceback
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from indexer.extraction import extractor_for
from indexer.extraction.base import Aids, Extraction
from indexer.extraction.dispatch import extract_inner
from indexer.extraction.kind import kind_of
from rag.errors import ExtractionError
from rag.types import Failure, Page

_BLOCK: Final = 1 << 20  # bytes hashed at once


@dataclass(frozen=True, slots=True)
class Job:
    """What to read, and the digest of the bytes that are indexed already ("" for none)."""

    path: Path
    known_sha256: str
    aids: Aids = field(default_factory=Aids)


@dataclass(frozen=True, slots=True)
class Text:
    """What was read."""

    sha256: str
    kind: str
    title: str
    paged: bool
    pages: tuple[Page, ...]
    warnings: tuple[str, ...] = ()
    """What the reader of a report should know although there is text."""


@dataclass(frozen=True, slots=True)
class Same:
    """The bytes are those that are indexed already."""

    sha256: str


@dataclass(frozen=True, slots=True)
class Unread:
    """Why there is no text."""

    sha256: str
    """Empty where not even the bytes could be read."""
    kind: str
    failure: Failure


def read(job: Job) -> Text | Same | Unread:
    """The file's text. Never raises for what is wrong with a file."""
    sha256, kind = "", ""
    try:
        sha256 = _sha256(job.path)
        if sha256 == job.known_sha256:
            return Same(sha256)
        kind = kind_of(job.path) or ""
        extraction = extractor_for(kind or None).extract(job.path, replace(job.aids, inner=extract_inner))
        pages, warnings = _readable(extraction)
        if _sha256(job.path) != sha256:
            return Unread("", kind, _CHANGED)
    except ExtractionError as error:
        return Unread(sha256, kind, error.failure)
    except Exception as error:  # noqa: BLE001  # the outermost line of this process: what no parser foresaw costs one file
        return Unread(sha256, kind, _unforeseen(error))
    return Text(sha256, kind, extraction.title, extraction.paged, pages, warnings)


def _readable(extraction: Extraction) -> tuple[tuple[Page, ...], tuple[str, ...]]:
    """The pages up to the first that cannot be read, and a warning about it. Raises ExtractionError if there are none.

    What comes behind such a page is lost with it: a generator does not go on once it has raised.
    """
    read_so_far: list[Page] = []
    try:
        for page in extraction.pages:
            read_so_far.append(page)  # noqa: PERF402  # what was read before an error is kept
    except ExtractionError as error:
        if not read_so_far:
            raise
        broken = f"Only the first {len(read_so_far)} pages were read. {error}"
        return tuple(read_so_far), (*extraction.warnings, broken)
    return tuple(read_so_far), tuple(extraction.warnings)


def _unforeseen(error: Exception) -> Failure:
    """Where it happened, for a report of the mistake; never the error's words, which may be the document's."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{type(error).__name__} in {Path(frame.filename).name}:{frame.lineno}"
    return Failure("reader_failed", f"Reading the file failed: {place}.", "Save it anew, and report this as a mistake.")


_CHANGED: Final = Failure("vanished", "The file changed while it was read.", "It is read again at the next run.")


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                digest.update(block)
    except FileNotFoundError as error:
        raise ExtractionError(
            "vanished", "The file went away while the drive was read.", "Nothing is to be done."
        ) from error
    except OSError as error:
        raise ExtractionError(
            "unreadable", f"The file cannot be read: {error.strerror}.", "Give the indexer the right to read it."
        ) from error
    return digest.hexdigest()
