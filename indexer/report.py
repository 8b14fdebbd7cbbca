"""What a run did, as numbers: for people, for machines, and for the progress bar while it lasts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from rag.types import DocumentRecord, DocumentState, Failure


@dataclass(slots=True)
class DriveReport:
    """One drive's part of a run."""

    corpus: str
    new: int = 0
    changed: int = 0
    unchanged: int = 0
    touched: int = 0
    """Read again because its time stamp changed, with the same bytes."""
    kept: int = 0
    """Not readable this time, for a reason that may pass; what is indexed of them stays. Among the failed, too."""
    gone: int = 0
    empty: int = 0
    """Read now, and without any text."""
    failed: list[tuple[str, Failure]] = field(default_factory=list[tuple[str, Failure]])
    """Read now, or tried to: uri and reason."""
    warned: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Read now, but not all of it: uri and what is missing."""
    pages: int = 0
    pages_without_text: int = 0
    chunks: int = 0
    skipped: int = 0
    """Links and special files, which are not read."""
    unreadable_folders: list[str] = field(default_factory=list[str])
    seconds: float = 0.0

    def count(self, record: DocumentRecord, *, is_new: bool) -> None:
        """Take in a document that was read."""
        if is_new:
            self.new += 1
        else:
            self.changed += 1
        self.pages += record.pages
        self.pages_without_text += record.pages_without_text
        self.chunks += record.chunks
        if record.state is DocumentState.EMPTY:
            self.empty += 1
        self.warned += [(record.document.uri, warning) for warning in record.warnings]
        if record.failure is not None:
            self.failed.append((record.document.uri, record.failure))

    def as_json(self) -> Mapping[str, Any]:
        """For `--json`."""
        return {
            **asdict(self),
            "failed": [{"path": uri, **asdict(failure)} for uri, failure in self.failed],
            "warned": [{"path": uri, "message": message} for uri, message in self.warned],
        }


@dataclass(frozen=True, slots=True)
class Report:
    """A whole run."""

    generation: int
    """The one that serves now."""
    is_new_generation: bool
    resumed: bool
    """Whether an interrupted run was gone on with."""
    drives: Sequence[DriveReport]
    seconds: float

    def as_json(self) -> Mapping[str, Any]:
        """For `--json`."""
        return {
            "generation": self.generation,
            "is_new_generation": self.is_new_generation,
            "resumed": self.resumed,
            "seconds": round(self.seconds, 3),
            "drives": [drive.as_json() for drive in self.drives],
        }


class Progress(Protocol):
    """Somebody who watches a run."""

    def planned(self, corpus: str, files: int) -> None:
        """So many files of this corpus are to be read."""
        ...

    def read(self, uri: str, pages: int, chunks: int) -> None:
        """A file was read: so many pages and chunks more."""
        ...

    def embedded(self, chunks: int) -> None:
        """So many chunks more have vectors."""
        ...

    def stored(self, uri: str) -> None:
        """A file is done."""
        ...
