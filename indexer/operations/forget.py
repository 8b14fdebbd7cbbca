"""Taking a corpus, or single files and folders of one, out of the index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from indexer.pipeline.resumption import settle_others
from rag.errors import ConfigurationError
from rag.store.base import GenerationWriter, Recipe, VectorStore
from rag.store.manifests import corpus_named
from rag.types.documents import DocumentRecord
from rag.types.index import CorpusInfo, Manifest
from rag.uris import uri_of


@dataclass(frozen=True, slots=True)
class Selection:
    """What is to be taken out."""

    corpus: CorpusInfo
    uris: Sequence[str]
    """Files, and folders with all below them; empty for the whole corpus."""
    documents: int
    chunks: int

    def holds(self, record: DocumentRecord) -> bool:
        """Whether the document is among it."""
        return _lies_below(record.document.uri, self.uris) if self.uris else True


async def select(store: VectorStore, name: str, paths: Sequence[str]) -> Selection:
    """What the names stand for. Raises ConfigurationError for what is not indexed, IndexMissing, StoreError."""
    corpus = corpus_named(await store.manifest(), name)
    records = [record async for record in store.records(name)]
    found = Selection(corpus, [_uri(corpus, path, records) for path in paths], 0, 0)
    held = [record for record in records if found.holds(record)]
    return replace(found, documents=len(held), chunks=sum(record.chunks for record in held))


async def forget(store: VectorStore, selection: Selection) -> Manifest:
    """A generation without it, which serves then. Raises StoreBusy, StoreError."""
    before = await store.manifest()
    recipe = Recipe(before.embedder, before.dimensions, before.chunker)
    async with store.write(recipe) as writer:
        corpora = [await _without(writer, selection)]
        if writer.resumed:
            corpora += await settle_others(writer, before.corpora, {selection.corpus.name})
        return await writer.commit(corpora)


async def _without(writer: GenerationWriter, selection: Selection) -> CorpusInfo:
    kept: list[DocumentRecord] = []
    for record in [record async for record in writer.records(selection.corpus.name)]:
        if selection.holds(record):
            await writer.remove(record.document.id)
        else:
            kept.append(record)
    return replace(selection.corpus, documents=len(kept), chunks=sum(record.chunks for record in kept))


def _uri(corpus: CorpusInfo, path: str, records: Sequence[DocumentRecord]) -> str:
    """A path as the ledger writes it: it may be given so, or as a path on the drive. Raises ConfigurationError."""
    root = Path(corpus.root)
    on_drive = Path(path).relative_to(root) if Path(path).is_relative_to(root) else Path(path)
    for uri in (path.rstrip("/"), uri_of(on_drive) if path else ""):
        if any(_lies_below(record.document.uri, [uri]) for record in records):
            return uri
    raise ConfigurationError(
        f"nothing is indexed as {path!r} in {corpus.name}: name a file or folder as `status --files` shows it"
    )


def _lies_below(uri: str, selected: Sequence[str]) -> bool:
    return any(one in {uri, "."} or uri.startswith(f"{one}/") for one in selected)
