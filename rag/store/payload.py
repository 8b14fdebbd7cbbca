"""Chunks, records and manifests as the JSON that a store keeps beside vectors. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, TypeAlias

from rag.types.chunks import Chunk, ChunkId, Parent, Span
from rag.types.documents import Document, DocumentId, DocumentRecord, DocumentState, Failure
from rag.types.index import CorpusInfo, Manifest

Payload: TypeAlias = dict[str, Any]

KIND: Final = "kind"
CHUNK: Final = "chunk"
RECORD: Final = "document"
PARENT: Final = "parent"
"""The kind of a parent, and the field in which a chunk names its own."""
MANIFEST: Final = "manifest"
LABELS: Final = "labels"
CORPUS: Final = "corpus"
VERSION: Final = "version"
"""Names one version of one document: the chunks of a version are counted and deleted by it."""
DOCUMENT: Final = "document"
KEYWORDS: Final = (KIND, LABELS, CORPUS, VERSION, DOCUMENT, PARENT)
"""The fields that are filtered by, all of them keywords."""


def version_of(document: Document) -> str:
    """The value of VERSION."""
    return f"{document.id}/{document.fingerprint[:32]}"


def chunk_payload(chunk: Chunk) -> Payload:
    """A chunk without its id."""
    return {
        KIND: CHUNK,
        **document_payload(chunk.document),
        "ordinal": chunk.ordinal,
        "text": chunk.text,
        "spans": [[span.page, span.label, span.start, span.end] for span in chunk.spans],
        "headings": list(chunk.headings),
        PARENT: chunk.parent,
    }


def chunk_of(point_id: str, payload: Mapping[str, Any]) -> Chunk:
    """The inverse of `chunk_payload`."""
    return Chunk(
        id=ChunkId(point_id),
        document=document_of(payload),
        ordinal=payload["ordinal"],
        text=payload["text"],
        spans=tuple(Span(page, label, start, end) for page, label, start, end in payload["spans"]),
        headings=tuple(payload["headings"]),
        parent=None if payload[PARENT] is None else ChunkId(payload[PARENT]),
    )


def parent_payload(parent: Parent) -> Payload:
    """A parent without its id and its vector."""
    return {KIND: PARENT, **document_payload(parent.document), "ordinal": parent.ordinal, "text": parent.text}


def record_payload(record: DocumentRecord) -> Payload:
    """A line of the ledger."""
    failure = record.failure
    return {
        KIND: RECORD,
        **document_payload(record.document),
        "state": record.state.value,
        "size": record.size,
        "mtime_ns": record.mtime_ns,
        "pages": record.pages,
        "pages_without_text": record.pages_without_text,
        "pages_by_ocr": record.pages_by_ocr,
        "chunks": record.chunks,
        "warnings": list(record.warnings),
        "failure": None if failure is None else [failure.code, failure.message, failure.remedy],
    }


def record_of(payload: Mapping[str, Any]) -> DocumentRecord:
    """The inverse of `record_payload`."""
    failure = payload["failure"]
    return DocumentRecord(
        document=document_of(payload),
        state=DocumentState(payload["state"]),
        size=payload["size"],
        mtime_ns=payload["mtime_ns"],
        pages=payload["pages"],
        pages_without_text=payload["pages_without_text"],
        pages_by_ocr=payload["pages_by_ocr"],
        chunks=payload["chunks"],
        warnings=tuple(payload["warnings"]),
        failure=None if failure is None else Failure(*failure),
    )


def manifest_payload(manifest: Manifest) -> Payload:
    """A manifest."""
    return {
        "generation": manifest.generation,
        "embedder": manifest.embedder,
        "dimensions": manifest.dimensions,
        "chunker": manifest.chunker,
        "schema": manifest.schema,
        "built_at": manifest.built_at.isoformat(),
        "corpora": {
            name: {
                "root": corpus.root,
                "documents": corpus.documents,
                "chunks": corpus.chunks,
                "indexed_at": corpus.indexed_at.isoformat(),
            }
            for name, corpus in manifest.corpora.items()
        },
    }


def manifest_of(payload: Mapping[str, Any]) -> Manifest:
    """The inverse of `manifest_payload`."""
    return Manifest(
        generation=payload["generation"],
        embedder=payload["embedder"],
        dimensions=payload["dimensions"],
        chunker=payload["chunker"],
        schema=payload["schema"],
        built_at=datetime.fromisoformat(payload["built_at"]),
        corpora={
            name: CorpusInfo(
                name=name,
                root=corpus["root"],
                documents=corpus["documents"],
                chunks=corpus["chunks"],
                indexed_at=datetime.fromisoformat(corpus["indexed_at"]),
            )
            for name, corpus in payload["corpora"].items()
        },
    )


def document_payload(document: Document) -> Payload:
    """What chunks and records say of their document."""
    return {
        DOCUMENT: document.id,
        VERSION: version_of(document),
        CORPUS: document.corpus,
        LABELS: sorted(document.labels),
        "uri": document.uri,
        "title": document.title,
        "format": document.kind,
        "paged": document.paged,
        "modified_at": document.modified_at.isoformat(),
        "fingerprint": document.fingerprint,
    }


def document_of(payload: Mapping[str, Any]) -> Document:
    """The inverse of `document_payload`."""
    return Document(
        id=DocumentId(payload[DOCUMENT]),
        corpus=payload[CORPUS],
        uri=payload["uri"],
        title=payload["title"],
        kind=payload["format"],
        paged=payload["paged"],
        modified_at=datetime.fromisoformat(payload["modified_at"]),
        fingerprint=payload["fingerprint"],
        labels=frozenset(payload[LABELS]),
    )
