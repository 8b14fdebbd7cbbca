"""A file of a drive as a document: its id, its labels, its title."""

from __future__ import annotations

import uuid

from indexer.drives.base import Drive, DriveFile
from indexer.drives.mtimes import date_of
from rag import uris
from rag.types.documents import Document, DocumentId


def labels_of(drive: Drive, uri: str) -> frozenset[str]:
    """The corpus, each folder above the file, and what the drive's rules say besides."""
    folders = uri.split("/")[:-1]
    above = ("/".join([drive.name, *folders[:depth]]) for depth in range(len(folders) + 1))
    return drive.rules.labels_of(uri).union(map(uris.label_of, above))


def document_id(drive: Drive, uri: str) -> DocumentId:
    """A UUID that stays when the file changes."""
    return DocumentId(str(uuid.uuid5(uuid.NAMESPACE_URL, f"footnote/{drive.name}/{uri}")))


def describe(drive: Drive, file: DriveFile, *, title: str, kind: str, paged: bool, fingerprint: str) -> Document:
    """The file as a document; without a title of its own it is called by its name."""
    return Document(
        id=document_id(drive, file.uri),
        corpus=drive.name,
        uri=file.uri,
        title=title or uris.title_of(file.uri),
        kind=kind,
        paged=paged,
        modified_at=date_of(file.mtime_ns),
        fingerprint=fingerprint,
        labels=labels_of(drive, file.uri),
    )
