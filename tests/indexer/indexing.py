"""The indexer's pipeline over a folder, in this process and with a model of words; and all that an index holds."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from indexer.chunking.fixed import FixedChunker
from indexer.drives.folder import FolderDrive
from indexer.extraction import FORMATS
from indexer.extraction.base import ExtractionContext
from indexer.pipeline.parents import MeanParents
from indexer.pipeline.pipeline import OpenPool, Pipeline, RunOptions
from indexer.pipeline.recipe import Recipes
from indexer.pipeline.report import DriveReport, Report
from rag.embedding.hybrid import HybridEmbedder
from rag.embedding.sparse import Bm25
from rag.store.base import VectorStore
from rag.store.edge import EdgeStore
from rag.types.chunks import Chunk, ChunkId
from rag.types.documents import DocumentRecord
from tests.documents import WordModel
from tests.indexer.pools import open_kept_pool

Contents: TypeAlias = tuple[Mapping[str, DocumentRecord], Mapping[ChunkId, tuple[Chunk, bytes, bytes, bytes]]]
"""Records by corpus and uri; chunks and their vectors, bit by bit, by id."""


class WordRuler:
    """Measures text by words."""

    max_tokens = WordModel.max_tokens

    def ends(self, text: str) -> list[int]:
        return list(WordModel().token_ends(text))


@dataclass(slots=True)
class Watcher:
    """Remembers what a run told it."""

    files: list[str] = field(default_factory=list[str])
    """The uris of files that were read."""
    chunks: int = 0

    def planned(self, corpus: str, sizes: Mapping[str, int]) -> None:
        pass

    def read(self, uri: str, pages: int, chunks: int) -> None:
        self.files.append(uri)

    def embedded(self, chunks: int) -> None:
        self.chunks += chunks


class NamedModel(WordModel):
    """The same vectors under another name."""

    def __init__(self, name: str) -> None:
        self.name = name


def a_pipeline(
    store: VectorStore,
    *,
    model: WordModel | None = None,
    size: int = 900,
    open_pool: OpenPool = open_kept_pool,
) -> Pipeline:
    embedder = HybridEmbedder(model or WordModel(), Bm25())
    chunker = FixedChunker(WordRuler(), size=size, overlap=0, minimum=0)
    return Pipeline(
        store=store,
        embedder=embedder,
        chunker=chunker,
        recipes=Recipes(FORMATS, chunker.recipe, embedder.name),
        parents=MeanParents(),
        context=ExtractionContext(),
        open_pool=open_pool,
    )


@asynccontextmanager
async def a_store(folder: Path) -> AsyncGenerator[EdgeStore]:
    store = EdgeStore(folder)
    try:
        yield store
    finally:
        await store.aclose()


async def index(
    store: VectorStore,
    *drives: Path | FolderDrive,
    options: RunOptions | None = None,
    size: int = 900,
    watcher: Watcher | None = None,
) -> Report:
    """One run over the drives."""
    named = [drive if isinstance(drive, FolderDrive) else FolderDrive.at(drive, None) for drive in drives]
    return await a_pipeline(store, size=size).run(named, watcher or Watcher(), options or RunOptions())


async def index_one(store: VectorStore, drive: Path | FolderDrive) -> DriveReport:
    """One run over one drive."""
    return (await index(store, drive)).drives[0]


async def contents(store: VectorStore) -> Contents:
    """All that serves, to be compared."""
    records = {f"{r.document.corpus}/{r.document.uri}": r async for r in store.records()}
    chunks = {
        row.chunk.id: (
            row.chunk,
            row.embedding.dense.tobytes(),
            row.embedding.sparse.indices.tobytes(),
            row.embedding.sparse.values.tobytes(),
        )
        async for row in store.scan()
    }
    return records, chunks


def write(folder: Path, **texts: str) -> None:
    """Files by name; `_md` ends the names of Markdown files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name.replace("_md", ".md")).write_text(text, encoding="utf-8")


def a_small_drive(folder: Path) -> Path:
    """Two files, and one in a folder."""
    write(folder, a_md="# Apples\n\nApples are red.", b_md="# Whales\n\nWhales are blue.")
    write(folder / "HR", c_md="# Leave\n\nThirty days.")
    return folder
