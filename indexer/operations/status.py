"""What the index holds, as its store tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from rag.embedding.choice import choose
from rag.embedding.sparse import Bm25
from rag.errors import ConfigurationError
from rag.settings.groups import EmbeddingSettings
from rag.store.base import VectorStore
from rag.store.manifests import words_difference
from rag.types.documents import DocumentRecord, DocumentState
from rag.types.index import Manifest


@dataclass(frozen=True, slots=True)
class Status:
    """Manifest and ledger together."""

    manifest: Manifest
    records: tuple[DocumentRecord, ...]
    backend: str = ""
    """What runs the model of the settings, or why nothing does."""
    warning: str = ""
    """Why the bot will not start on this index, as far as it can be told without the model; empty when all is well."""

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
            "backend": self.backend,
            "warning": self.warning,
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


def read_backend(settings: EmbeddingSettings) -> str:
    """What runs the model of the settings; nothing is loaded."""
    try:
        return choose(settings).title
    except ConfigurationError as error:
        return f"none: {error}"


async def read_status(store: VectorStore, settings: EmbeddingSettings) -> Status:
    """The status of what serves. Raises IndexMissing, StoreError."""
    manifest = await store.manifest()
    records = [record async for record in store.records()]
    in_order = tuple(sorted(records, key=lambda record: (record.document.corpus, record.document.uri)))
    warning = words_difference(manifest.embedder, Bm25.recipe)
    return Status(manifest, in_order, read_backend(settings), warning)
