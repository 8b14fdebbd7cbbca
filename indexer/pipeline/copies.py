"""Files that were moved, and files that lie on a drive twice: told by their bytes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import PurePosixPath

from indexer.pipeline.recipe import bytes_of
from rag.types.documents import DocumentRecord


class Moves:
    """The documents that are gone, until a new file is found to be one of them."""

    def __init__(self, gone: Iterable[DocumentRecord]) -> None:
        self._gone: dict[str, list[DocumentRecord]] = defaultdict(list)
        for record in gone:
            if record.size and (sha256 := bytes_of(record.document.fingerprint)):
                self._gone[sha256].append(record)

    def origin(self, record: DocumentRecord) -> str | None:
        """The path that a new file had before; None when it is really new. Each path is given once."""
        candidates = self._gone.get(bytes_of(record.document.fingerprint))
        if not candidates:
            return None
        name = PurePosixPath(record.document.uri).name
        candidates.sort(key=lambda gone: (PurePosixPath(gone.document.uri).name != name, gone.document.uri))
        return candidates.pop(0).document.uri


def duplicates(records: Iterable[DocumentRecord]) -> list[tuple[str, ...]]:
    """The paths that share bytes, group by group, in the order of the alphabet."""
    groups: dict[str, list[str]] = defaultdict(list)
    for record in records:
        if record.chunks and (sha256 := bytes_of(record.document.fingerprint)):
            groups[sha256].append(record.document.uri)
    return sorted(tuple(sorted(uris)) for uris in groups.values() if len(uris) > 1)
