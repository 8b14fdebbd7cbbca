"""What the index holds, for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console

from indexer.cli.views.console import Column, say, show_failures, show_remarked, show_table
from indexer.operations.status import Status
from indexer.units import counted
from rag.types.documents import DocumentRecord, DocumentState


def show_status(console: Console, status: Status, *, with_files: bool = False) -> None:
    """As tables; each document has a line only `with_files`."""
    manifest = status.manifest
    say(console, f"Generation {manifest.generation}, built {manifest.built_at:%Y-%m-%d %H:%M} UTC")
    say(console, f"Model      {manifest.embedder}, {manifest.dimensions} dimensions")
    say(console, f"Backend    {status.backend}")
    say(console, f"Chunker    {manifest.chunker}")
    if status.warning:
        say(console, f"Warning    {status.warning}")
    _show_corpora(console, status)
    if with_files:
        _show_files(console, status.records)
    else:
        _show_what_is_missing(console, status.records)


def _show_corpora(console: Console, status: Status) -> None:
    pages = ("pages", "pages by OCR", "pages without text")
    numbers = ("documents", *(state.value for state in DocumentState), *pages, "chunks")
    whole = (Column("corpus", is_whole=True), Column("indexed (UTC)", is_whole=True))
    columns = [whole[0], *(Column(name, number=True) for name in numbers), whole[1]]
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
        files = counted(warned, "file with warnings", "files with warnings")
        say(console, f"{files}, {textless:,} with pages without text: --files names them.")


def _show_files(console: Console, records: Sequence[DocumentRecord]) -> None:
    columns = (Column("pages", number=True), Column("chunks", number=True), Column("state"), Column("kind"))
    rows = [
        (
            (f"{record.pages:,}", f"{record.chunks:,}", record.state.value, record.document.kind),
            _path(record),
            " ".join(_remarks(record)),
        )
        for record in records
    ]
    show_remarked(console, "Files", (*columns, Column("file"), Column("remarks")), rows)


def _remarks(record: DocumentRecord) -> Iterator[str]:
    if record.failure is not None:
        yield f"{record.failure.message} {record.failure.remedy}"
    if record.pages_without_text:
        yield f"{counted(record.pages_without_text, 'page')} without text."
    if record.pages_by_ocr:
        yield f"{counted(record.pages_by_ocr, 'page')} by OCR."
    yield from record.warnings


def _path(record: DocumentRecord) -> str:
    return f"{record.document.corpus}/{record.document.uri}"
