"""What the index holds: read from the store, for people and for machines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console

from indexer.console import Column, say, show_failures, show_table
from rag.store.base import VectorStore
from rag.types import DocumentRecord, DocumentState, Manifest


@dataclass(frozen=True, slots=True)
class Status:
    """Manifest and ledger together."""

    manifest: Manifest
    records: tuple[DocumentRecord, ...]

    def of(self, corpus: str) -> Iterator[DocumentRecord]:
        """The records of one corpus."""
        return (record for record in self.records if record.document.corpus == corpus)

    def states(self, corpus: str) -> Mapping[str, int]:
        """Documents of a corpus by state; every state is named."""
        counts = Counter(record.state for record in self.of(corpus))
        return {state.value: counts[state] for state in DocumentState}

    def pages(self, corpus: str) -> Mapping[str, int]:
        """Pages of a corpus: all, those read by OCR, those without text."""
        records = list(self.of(corpus))
        return {
            "pages": sum(record.pages for record in records),
            "pages_by_ocr": sum(record.pages_by_ocr for record in records),
            "pages_without_text": sum(record.pages_without_text for record in records),
        }

    def as_json(self) -> Mapping[str, Any]:
        """For `--json`."""
        manifest = self.manifest
        return {
            "generation": manifest.generation,
            "built_at": manifest.built_at.isoformat(),
            "embedder": manifest.embedder,
            "dimensions": manifest.dimensions,
            "chunker": manifest.chunker,
            "corpora": {
                name: {
                    "root": corpus.root,
                    "indexed_at": corpus.indexed_at.isoformat(),
                    "documents": corpus.documents,
                    "chunks": corpus.chunks,
                    "states": self.states(name),
                    **self.pages(name),
                }
                for name, corpus in manifest.corpora.items()
            },
            "failures": [
                {"corpus": record.document.corpus, "path": record.document.uri, **asdict(record.failure)}
                for record in self.records
                if record.failure is not None
            ],
            "documents": [_as_json(record) for record in self.records],
        }


def _as_json(record: DocumentRecord) -> Mapping[str, Any]:
    document = record.document
    return {
        "corpus": document.corpus,
        "path": document.uri,
        "title": document.title,
        "kind": document.kind,
        "state": record.state.value,
        "bytes": record.size,
        "modified_at": document.modified_at.isoformat(),
        "pages": record.pages,
        "pages_by_ocr": record.pages_by_ocr,
        "pages_without_text": record.pages_without_text,
        "chunks": record.chunks,
        "warnings": list(record.warnings),
        "error": None if record.failure is None else asdict(record.failure),
    }


async def read_status(store: VectorStore) -> Status:
    """The status of what serves. Raises IndexMissing, StoreError."""
    manifest = await store.manifest()
    records = [record async for record in store.records()]
    return Status(manifest, tuple(sorted(records, key=lambda record: (record.document.corpus, record.document.uri))))


def show_status(console: Console, status: Status, *, with_files: bool = False) -> None:
    """As tables; each document has a line only `with_files`."""
    manifest = status.manifest
    say(console, f"Generation {manifest.generation}, built {manifest.built_at:%Y-%m-%d %H:%M} UTC")
    say(console, f"Model      {manifest.embedder}, {manifest.dimensions} dimensions")
    say(console, f"Chunker    {manifest.chunker}")
    _show_corpora(console, status)
    if with_files:
        _show_files(console, status.records)
    else:
        _show_what_is_missing(console, status.records)


def _show_corpora(console: Console, status: Status) -> None:
    numbers = ("documents", *(state.value for state in DocumentState), "pages", "by OCR", "without text", "chunks")
    columns = [Column("corpus"), *(Column(name, number=True) for name in numbers), Column("indexed (UTC)")]
    rows = [
        (
            name,
            f"{corpus.documents:,}",
            *(f"{count:,}" for count in (*status.states(name).values(), *status.pages(name).values())),
            f"{corpus.chunks:,}",
            f"{corpus.indexed_at:%Y-%m-%d %H:%M}",
        )
        for name, corpus in status.manifest.corpora.items()
    ]
    show_table(console, "Corpora", columns, rows)
    for name, corpus in status.manifest.corpora.items():
        say(console, f"{name} comes from {corpus.root}")


def _show_what_is_missing(console: Console, records: Sequence[DocumentRecord]) -> None:
    failures = [(_path(record), record.failure) for record in records if record.failure is not None]
    show_failures(console, "Not read", failures)
    warned = sum(1 for record in records if record.warnings)
    textless = sum(1 for record in records if record.pages_without_text)
    if warned or textless:
        say(console, f"{warned:,} files with warnings, {textless:,} with pages without text: --files names them.")


def _show_files(console: Console, records: Sequence[DocumentRecord]) -> None:
    numbers = (Column("pages", number=True), Column("chunks", number=True))
    columns = (Column("file"), Column("state"), Column("kind"), *numbers, Column("remarks"))
    rows = [
        (
            _path(record),
            record.state.value,
            record.document.kind,
            f"{record.pages:,}",
            f"{record.chunks:,}",
            " ".join(_remarks(record)),
        )
        for record in records
    ]
    show_table(console, "Files", columns, rows)


def _remarks(record: DocumentRecord) -> Iterator[str]:
    if record.failure is not None:
        yield f"{record.failure.message} {record.failure.remedy}"
    if record.pages_without_text:
        yield f"{record.pages_without_text:,} pages without text."
    if record.pages_by_ocr:
        yield f"{record.pages_by_ocr:,} pages by OCR."
    yield from record.warnings


def _path(record: DocumentRecord) -> str:
    return f"{record.document.corpus}/{record.document.uri}"
