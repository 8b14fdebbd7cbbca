"""What a run did, as numbers: for people, for machines, and for the progress bar while it lasts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Protocol

from rag.types.documents import DocumentRecord, DocumentState, Failure

FILES_NAMED: Final = 20
"""Of those that could not be read, in the lines about a run."""


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
    moved: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """From where to where; neither among the new ones nor among those that are gone."""
    gone: int = 0
    empty: int = 0
    """Read now, and without any text."""
    failed: list[tuple[str, Failure]] = field(default_factory=list[tuple[str, Failure]])
    """Read now, or tried to: uri and reason."""
    warned: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Read now, but not all of it: uri and what is missing."""
    still_failed: list[tuple[str, Failure]] = field(default_factory=list[tuple[str, Failure]])
    """Not read in earlier runs, unchanged since, and therefore not tried again: uri and reason."""
    pages: int = 0
    pages_by_ocr: int = 0
    pages_without_text: int = 0
    textless: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    """Read now: uri of each file with pages that hold no text, and how many those are."""
    chunks: int = 0
    vectors_kept: int = 0
    """Chunks whose text was indexed already, in this file or another of the same bytes: the model was not asked."""
    relabelled: int = 0
    """Their bytes are what they were, their labels are not."""
    put_off: list[str] = field(default_factory=list[str])
    """Still being written: they are read when they are whole."""
    duplicates: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])
    """Paths that share bytes, group by group."""
    skipped: int = 0
    """Links and special files, which are not read."""
    unreadable_folders: list[str] = field(default_factory=list[str])
    """As uris, "." for the whole drive; what is indexed of them stays."""
    left_out: str = ""
    """Why nothing was done for this drive: it is not there, or suddenly empty. What is indexed of it stays."""
    seconds: float = 0.0

    def remember(self, ledger: Iterable[DocumentRecord], *, concerned: Collection[str]) -> None:
        """Take in what could not be read earlier; `concerned` are the uris that this run reads or forgets."""
        self.still_failed = [
            (record.document.uri, record.failure)
            for record in ledger
            if record.failure is not None and record.document.uri not in concerned
        ]

    def keep(self, record: DocumentRecord, failure: Failure) -> None:
        """Take in a document that could not be read this time, and stays as it is."""
        self.failed.append((record.document.uri, failure))
        self.kept += bool(record.chunks)

    def count(self, record: DocumentRecord, *, known: DocumentRecord | None, origin: str | None) -> None:
        """Take in a document that was read; `origin` is the path that it had before, if it was moved."""
        if known is not None:
            self.changed += 1
        elif origin is not None:
            self.moved.append((origin, record.document.uri))
            self.gone -= 1
        else:
            self.new += 1
        self.pages += record.pages
        self.pages_by_ocr += record.pages_by_ocr
        self.pages_without_text += record.pages_without_text
        if record.pages_without_text:
            self.textless.append((record.document.uri, record.pages_without_text))
        self.chunks += record.chunks
        if record.state is DocumentState.EMPTY:
            self.empty += 1
        self.warned += [(record.document.uri, warning) for warning in record.warnings]
        if record.failure is not None:
            self.failed.append((record.document.uri, record.failure))

    def summary(self) -> str:
        """In one line, what is not zero."""
        if self.left_out:
            return f"left out, {self.left_out}"
        counts = {
            "new": self.new,
            "changed": self.changed + self.relabelled,
            "moved": len(self.moved),
            "touched": self.touched,
            "gone": self.gone,
            "failed": len(self.failed),
            "put off": len(self.put_off),
            "folders unreadable": len(self.unreadable_folders),
        }
        return ", ".join(f"{count} {name}" for name, count in counts.items() if count) or "nothing has changed"

    def as_json(self) -> Mapping[str, Any]:
        """For `--json`."""
        return {
            **asdict(self),
            "failed": [{"path": uri, **asdict(failure)} for uri, failure in self.failed],
            "still_failed": [{"path": uri, **asdict(failure)} for uri, failure in self.still_failed],
            "textless": [{"path": uri, "pages": pages} for uri, pages in self.textless],
            "warned": [{"path": uri, "message": message} for uri, message in self.warned],
            "moved": [{"from": before, "to": now} for before, now in self.moved],
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

    def lines(self) -> Iterator[str]:
        """One a drive: what became of it; and one a file that could not be read, with the reason."""
        for drive in self.drives:
            yield f"{drive.corpus}: {drive.summary()}; generation {self.generation}, {self.seconds:.1f} s"
            for uri, failure in drive.failed[:FILES_NAMED]:
                yield f"{drive.corpus}: not read: {uri}: {failure.message} {failure.remedy}"
            if (more := len(drive.failed) - FILES_NAMED) > 0:
                yield f"{drive.corpus}: not read: {more:,} more, which `python -m indexer status --files` names"

    def absent(self) -> Iterator[str]:
        """The drives that were not there, or suddenly empty, each with what is to be said of it."""
        for drive in self.drives:
            if drive.left_out:
                yield drive.left_out
            elif "." in drive.unreadable_folders:
                yield f"{drive.corpus} cannot be listed: is it there, and may we read it? What is indexed of it stays"

    def as_json(self) -> Mapping[str, Any]:
        """For `--json`."""
        return {
            "generation": self.generation,
            "is_new_generation": self.is_new_generation,
            "resumed": self.resumed,
            "seconds": round(self.seconds, 3),
            "drives": [drive.as_json() for drive in self.drives],
        }


class RunProgress(Protocol):
    """Somebody who watches a run."""

    def planned(self, corpus: str, sizes: Mapping[str, int]) -> None:
        """These files of the corpus are to be read: the bytes of each by uri."""
        ...

    def read(self, uri: str, pages: int, chunks: int) -> None:
        """A file was read: so many pages and chunks more."""
        ...

    def embedded(self, chunks: int) -> None:
        """So many chunks more have vectors."""
        ...
