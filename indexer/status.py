"""What the index holds: read from the store, for people and for machines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from indexer.console import printable, show_failures
from rag.store.base import VectorStore
from rag.types import DocumentRecord, DocumentState, Manifest


@dataclass(frozen=True, slots=True)
class Status:
    """Manifest and ledger together."""

    manifest: Manifest
    records: tuple[DocumentRecord, ...]

    def states(self, corpus: str) -> Mapping[str, int]:
        """Documents of a corpus by state; every state is named."""
        counts = Counter(record.state for record in self.records if record.document.corpus == corpus)
        return {state.value: counts[state] for state in DocumentState}

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
                }
                for name, corpus in manifest.corpora.items()
            },
            "failures": [
                {"corpus": record.document.corpus, "path": record.document.uri, **asdict(record.failure)}
                for record in self.records
                if record.failure is not None
            ],
        }


async def read_status(store: VectorStore) -> Status:
    """The status of what serves. Raises IndexMissing, StoreError."""
    manifest = await store.manifest()
    records = [record async for record in store.records()]
    return Status(manifest, tuple(sorted(records, key=lambda record: (record.document.corpus, record.document.uri))))


def show_status(console: Console, status: Status) -> None:
    """As tables."""
    manifest = status.manifest
    console.print(f"Generation {manifest.generation}, built {manifest.built_at:%Y-%m-%d %H:%M} UTC")
    console.print(f"Model      {escape(manifest.embedder)}, {manifest.dimensions} dimensions", highlight=False)
    console.print(f"Chunker    {escape(manifest.chunker)}", highlight=False)
    table = Table(title="Corpora", title_justify="left")
    table.add_column("corpus")
    for heading in ("documents", *(state.value for state in DocumentState), "chunks"):
        table.add_column(heading, justify="right")
    table.add_column("indexed (UTC)")
    table.add_column("from", overflow="fold")
    for name, corpus in manifest.corpora.items():
        states = (f"{count:,}" for count in status.states(name).values())
        when = f"{corpus.indexed_at:%Y-%m-%d %H:%M}"
        table.add_row(
            name, f"{corpus.documents:,}", *states, f"{corpus.chunks:,}", when, escape(printable(corpus.root))
        )
    console.print(table)
    show_failures(
        console,
        [
            (f"{record.document.corpus}/{record.document.uri}", record.failure.message, record.failure.remedy)
            for record in status.records
            if record.failure is not None
        ],
    )
