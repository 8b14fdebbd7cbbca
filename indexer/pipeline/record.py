"""What was extracted from a file, as the record and the chunks that it gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from indexer.chunking.base import Chunker, to_chunks
from indexer.drives.base import Drive, DriveFile
from indexer.drives.documents import describe, labels_of
from indexer.drives.mtimes import date_of
from indexer.extraction.base import ExtractionContext
from indexer.extraction.sandbox.extract_job import ExtractedText, ExtractJob, ExtractOutcome, Unchanged, Unread
from indexer.pipeline.plan import PASSING, PendingFile
from indexer.pipeline.recipe import Recipes, bytes_of
from rag.types.chunks import Chunk
from rag.types.documents import DocumentRecord, DocumentState, Failure


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """A file that was read, on its way to the store."""

    pending: PendingFile
    record: DocumentRecord
    chunks: Sequence[Chunk]
    is_same: bool = False
    """The bytes are those that are indexed already: only what is said of the document is written anew."""
    kept_despite: Failure | None = None
    """It could not be read this time, for a reason that may pass: what is indexed of it stays as it is."""

    @property
    def changes_nothing(self) -> bool:
        """Whether the index is right about this file already."""
        return self.kept_despite is not None or self.record == self.pending.known


class RecordBuilder:
    """Knows the recipes, and what of a file is known."""

    def __init__(self, chunker: Chunker, recipes: Recipes, context: ExtractionContext) -> None:
        self._chunker = chunker
        self._recipes = recipes
        self._context = context

    def job(self, pending: PendingFile, path: Path) -> ExtractJob:
        """What the pool is told of the file, which lies at `path`."""
        return ExtractJob(path, self._known_sha256(pending.known), self._context)

    def _known_sha256(self, known: DocumentRecord | None) -> str:
        """The digest of bytes that need not be read as text again; empty where they must be."""
        if known is None or (known.failure is not None and known.failure.code in PASSING):
            return ""
        fingerprint = known.document.fingerprint
        return bytes_of(fingerprint) if fingerprint.startswith(self._recipes.of(known)) else ""

    def build(self, drive: Drive, pending: PendingFile, outcome: ExtractOutcome) -> PreparedDocument:
        """Record and chunks. Slow for long documents: called in a thread."""
        known = pending.known
        match outcome:
            case ExtractedText():
                return self._text(drive, pending, outcome)
            case Unchanged() if known is not None:
                return PreparedDocument(pending, _touched(drive, pending.file, known), (), is_same=True)
            case Unread() if outcome.failure.code in PASSING and known is not None and known.chunks:
                return PreparedDocument(pending, known, (), kept_despite=outcome.failure)
            case _:
                return self._failed(drive, pending, outcome)

    def _failed(self, drive: Drive, pending: PendingFile, outcome: Unchanged | Unread) -> PreparedDocument:
        file = pending.file
        kind, failure = (outcome.kind, outcome.failure) if isinstance(outcome, Unread) else ("", None)
        prefix = self._recipes.prefix(kind, failure="" if failure is None else failure.code)
        document = describe(drive, file, title="", kind=kind, paged=False, fingerprint=prefix + outcome.sha256)
        record = DocumentRecord(document, DocumentState.FAILED, file.size, file.mtime_ns, failure=failure)
        return PreparedDocument(pending, record, ())

    def _text(self, drive: Drive, pending: PendingFile, text: ExtractedText) -> PreparedDocument:
        file = pending.file
        fingerprint = self._recipes.prefix(text.kind) + text.sha256
        document = describe(drive, file, title=text.title, kind=text.kind, paged=text.paged, fingerprint=fingerprint)
        chunks = to_chunks(document, self._chunker.cut(text.pages, title=document.title))
        record = DocumentRecord(
            document=document,
            state=DocumentState.READY if chunks else DocumentState.EMPTY,
            size=file.size,
            mtime_ns=file.mtime_ns,
            pages=len(text.pages),
            pages_without_text=sum(1 for page in text.pages if not page.text.strip()),
            pages_by_ocr=sum(1 for page in text.pages if page.ocr),
            chunks=len(chunks),
            warnings=text.warnings,
        )
        return PreparedDocument(pending, record, chunks)


def _touched(drive: Drive, file: DriveFile, known: DocumentRecord) -> DocumentRecord:
    """The record of bytes that are known, as they lie on the drive now."""
    document = replace(
        known.document,
        modified_at=date_of(file.mtime_ns),
        labels=labels_of(drive, file.uri),
    )
    return replace(known, document=document, size=file.size, mtime_ns=file.mtime_ns)
