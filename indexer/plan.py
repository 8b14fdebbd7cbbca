"""What has to be done: the drive held against the ledger. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from indexer.drive import DriveFile
from indexer.recipe import Recipes
from rag.types import DocumentRecord, DocumentState

PASSING: Final = frozenset({"unreadable", "vanished", "too_slow", "reader_died"})
"""Failures that may be over by the next run."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A file to be read, and what the ledger says of its last version."""

    file: DriveFile
    known: DocumentRecord | None


@dataclass(frozen=True, slots=True)
class Plan:
    """The work of one run over one drive."""

    read: Sequence[Reading]
    forget: Sequence[DocumentRecord]
    unchanged: int

    @property
    def is_empty(self) -> bool:
        """Whether the index is up to date."""
        return not self.read and not self.forget


def plan(
    files: Iterable[DriveFile],
    ledger: Mapping[str, DocumentRecord],
    recipes: Recipes,
    *,
    unreadable: Sequence[str] = (),
) -> Plan:
    """Read what is new, changed, made by another recipe or may be read by now; forget what is gone.

    `ledger` is by uri. What lies below an `unreadable` folder is not gone. `files` is used up first: the walk that
    yields them may still add to `unreadable` meanwhile.
    """
    seen = {file.uri: file for file in files}
    read = [
        Reading(file, ledger.get(uri)) for uri, file in seen.items() if not _is_current(file, ledger.get(uri), recipes)
    ]
    hidden = tuple(f"{folder}/" for folder in unreadable)
    everything_hidden = "." in unreadable
    gone = [
        record
        for uri, record in ledger.items()
        if uri not in seen and not uri.startswith(hidden) and not everything_hidden
    ]
    return Plan(read, gone, len(seen) - len(read))


def _is_current(file: DriveFile, known: DocumentRecord | None, recipes: Recipes) -> bool:
    """Size and time of the last change unchanged means that the bytes need not be read."""
    if known is None or (known.size, known.mtime_ns) != (file.size, file.mtime_ns):
        return False
    if known.state is DocumentState.FAILED and known.failure is not None and known.failure.code in PASSING:
        return False
    return known.document.fingerprint.startswith(recipes.prefix(known.document.kind))


def by_uri(records: Iterable[DocumentRecord]) -> dict[str, DocumentRecord]:
    """The ledger as `plan` wants it."""
    return {record.document.uri: record for record in records}
