"""What has to be done: the drive held against the ledger. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from indexer.drives.base import DriveFile
from indexer.pipeline.recipe import Recipes
from rag.types.documents import DocumentRecord, DocumentState

PASSING: Final = frozenset({"unreadable", "vanished", "too_slow", "reader_died", "too_much_memory"})
"""Failures that may be over by the next run."""
COSTLY: Final = frozenset({"too_slow", "reader_died", "too_much_memory"})
"""Those of them that take long to fail again: a watcher does not try at each change of another file."""


@dataclass(frozen=True, slots=True)
class PendingFile:
    """A file to be read, and what the ledger says of its last version."""

    file: DriveFile
    known: DocumentRecord | None

    @property
    def is_second_try(self) -> bool:
        """Whether the file is as it was when it could not be read."""
        known = self.known
        if known is None or known.failure is None:
            return False
        return (known.size, known.mtime_ns) == (self.file.size, self.file.mtime_ns)


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """What a drive and an operator want besides: see the fields."""

    labels: Callable[[str], frozenset[str]] | None = None
    """The labels that a file has by its uri; a document that has others is given these."""
    is_whole: Callable[[DriveFile], bool] | None = None
    """Whether a file that is to be read can be: somebody may still be writing it."""
    costly: bool = True
    """Whether to read again what took long to fail."""


@dataclass(frozen=True, slots=True)
class DrivePlan:
    """The work of one run over one drive."""

    read: Sequence[PendingFile]
    forget: Sequence[DocumentRecord]
    unchanged: int
    relabel: Sequence[DocumentRecord] = ()
    """Documents to be noted as they stand here: their bytes are what they were, their labels are not."""
    put_off: Sequence[str] = ()
    """The uris of files that are not whole yet: what is known of them still holds."""

    @property
    def is_empty(self) -> bool:
        """Whether the index is up to date."""
        return not self.read and not self.forget and not self.relabel


def plan(
    files: Iterable[DriveFile],
    ledger: Mapping[str, DocumentRecord],
    recipes: Recipes,
    *,
    unreadable: Sequence[str] = (),
    options: PlanOptions | None = None,
) -> DrivePlan:
    """Read what is new, changed, made by another recipe or may be read by now; forget what is gone.

    `ledger` is by uri. What lies below an `unreadable` folder is not gone. `files` is used up first: the walk that
    yields them may still add to `unreadable` meanwhile.
    """
    options = options or PlanOptions()
    seen = {file.uri: file for file in files}
    read: list[PendingFile] = []
    put_off: list[str] = []
    relabel: list[DocumentRecord] = []
    for uri, file in seen.items():
        known = ledger.get(uri)
        if known is not None and _is_current(file, known, recipes, costly=options.costly):
            relabel += _with_labels(known, options.labels)
        elif options.is_whole is None or options.is_whole(file):
            read.append(PendingFile(file, known))
        else:
            put_off.append(uri)
    hidden = tuple(f"{folder}/" for folder in unreadable)
    everything_hidden = "." in unreadable
    gone = [
        record
        for uri, record in ledger.items()
        if uri not in seen and not uri.startswith(hidden) and not everything_hidden
    ]
    return DrivePlan(read, gone, len(seen) - len(read) - len(put_off), relabel, put_off)


def _is_current(file: DriveFile, known: DocumentRecord, recipes: Recipes, *, costly: bool) -> bool:
    """Size and time of the last change unchanged means that the bytes need not be read."""
    if (known.size, known.mtime_ns) != (file.size, file.mtime_ns):
        return False
    if not known.document.fingerprint.startswith(recipes.of(known)):
        return False
    code = known.failure.code if known.state is DocumentState.FAILED and known.failure is not None else ""
    return code not in PASSING or (code in COSTLY and not costly)


def _with_labels(known: DocumentRecord, labels: Callable[[str], frozenset[str]] | None) -> list[DocumentRecord]:
    """The record with the labels that it ought to have; nothing when it has them."""
    wanted = known.document.labels if labels is None else labels(known.document.uri)
    if wanted == known.document.labels:
        return []
    return [replace(known, document=replace(known.document, labels=wanted))]


def by_uri(records: Iterable[DocumentRecord]) -> dict[str, DocumentRecord]:
    """The ledger as `plan` wants it."""
    return {record.document.uri: record for record in records}
