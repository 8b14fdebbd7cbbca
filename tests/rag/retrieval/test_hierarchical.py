"""From parents down to their chunks, in the real embedded store."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rag.embedding.hybrid import HybridEmbedder
from rag.embedding.sparse import Bm25
from rag.errors import StoreError
from rag.retrieval.deps import RetrievalDeps
from rag.retrieval.hierarchical import PARENTS, HierarchicalRetriever
from rag.settings.groups import RetrievalSettings
from rag.store.base import Recipe
from rag.store.edge import EdgeStore
from rag.types.chunks import ChunkId, Parent
from rag.types.index import CorpusInfo
from rag.types.scope import Scope
from tests.documents import DIMENSIONS, WordModel, a_document, a_record, embedded

EMBEDDER = HybridEmbedder(WordModel(), Bm25())


async def fill(store: EdgeStore, **families: Sequence[str]) -> None:
    """One document and one parent a family; the parent is found by the document's name."""
    async with store.write(Recipe(EMBEDDER.name, DIMENSIONS, "hierarchical-1/test")) as writer:
        for name, texts in families.items():
            document = a_document(name.replace("__", "/"))
            owner = ChunkId(str(uuid.uuid5(uuid.NAMESPACE_URL, name)))
            rows = await embedded(document, *texts)
            parent = Parent(owner, document, 0, name, await WordModel().encode_query(name.replace("__", " ")))
            rows = [replace(row, chunk=replace(row.chunk, parent=owner)) for row in rows]
            await writer.put(a_record(document, chunks=len(rows)), rows, [parent])
        await writer.commit([CorpusInfo("drive", "/srv", len(families), 1, datetime(2026, 1, 1, tzinfo=UTC))])


async def asked(store: EdgeStore, question: str, scope: Scope | None = None) -> list[str]:
    retriever = HierarchicalRetriever(RetrievalDeps(EMBEDDER, store, RetrievalSettings(candidates=20)))
    return [hit.chunk.text for hit in (await retriever.retrieve(question, scope or Scope.everything(), limit=5)).ranked]


async def test_passages_come_from_the_nearest_parents_only(tmp_path: Path) -> None:
    store = EdgeStore(tmp_path)
    crowd: dict[str, Sequence[str]] = {f"filler{n}": ["notice period"] for n in range(PARENTS + 5)}
    await fill(store, holidays=["notice period of holidays", "days off"], **crowd)
    found = await asked(store, "holidays notice period")
    assert found[0] == "notice period of holidays"
    assert len(found) == 5
    await store.aclose()


async def test_the_scope_holds_on_both_levels(tmp_path: Path) -> None:
    store = EdgeStore(tmp_path)
    await fill(store, HR__pay=["salaries of all"], Sales__pay=["salaries of sales"])
    assert await asked(store, "pay salaries", Scope(frozenset({"drive/Sales"}))) == ["salaries of sales"]
    assert await asked(store, "pay salaries", Scope.nothing()) == []
    await store.aclose()


async def test_an_index_without_parents_is_an_error_and_no_quiet_nothing(tmp_path: Path) -> None:
    store = EdgeStore(tmp_path)
    async with store.write(Recipe(EMBEDDER.name, DIMENSIONS, "markdown-1/800")) as writer:
        document = a_document("a")
        await writer.put(a_record(document, chunks=1), await embedded(document, "salaries"))
        await writer.commit([CorpusInfo("drive", "/srv", 1, 1, datetime(2026, 1, 1, tzinfo=UTC))])
    with pytest.raises(StoreError, match="FOOTNOTE_CHUNKER=hierarchical"):
        await asked(store, "salaries")
    await store.aclose()
