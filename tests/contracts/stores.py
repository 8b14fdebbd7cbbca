"""The stores that a contract is tried on, and what goes into them."""

from __future__ import annotations

import os
import secrets
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from qdrant_client import AsyncQdrantClient

from rag.store.base import GenerationWriter, Recipe, VectorStore
from rag.store.edge import EdgeStore
from rag.store.server import ServerStore
from rag.types.index import CorpusInfo
from tests.documents import DIMENSIONS, a_document, a_record, embedded

RECIPE = Recipe("words", DIMENSIONS, "whole")

SERVER = os.environ.get("FOOTNOTE_TEST_QDRANT_URL")
"""Where a real server is at hand, the suite runs against it too."""


@asynccontextmanager
async def edge(tmp_path: Path) -> AsyncGenerator[VectorStore]:
    store = EdgeStore(tmp_path / "index")
    yield store
    await store.aclose()


@asynccontextmanager
async def local_client(tmp_path: Path) -> AsyncGenerator[VectorStore]:
    store = ServerStore(AsyncQdrantClient(path=str(tmp_path / "local")), "test", looks_again_after=0)
    yield store
    await store.aclose()


@asynccontextmanager
async def server(tmp_path: Path) -> AsyncGenerator[VectorStore]:
    del tmp_path
    store = ServerStore(AsyncQdrantClient(url=SERVER), f"test_{secrets.token_hex(4)}", looks_again_after=0)
    yield store
    await store.aclose()


FACTORIES: list[Callable[[Path], AbstractAsyncContextManager[VectorStore]]] = [edge, local_client]
if SERVER:
    FACTORIES.append(server)


def corpus(documents: int = 1, chunks: int = 1, name: str = "drive") -> CorpusInfo:
    return CorpusInfo(name, "/srv/drive", documents, chunks, datetime(2026, 1, 1, tzinfo=UTC))


async def put(writer: GenerationWriter, uri: str, *texts: str, version: str = "1") -> None:
    document = a_document(uri, version=version)
    await writer.put(a_record(document, chunks=len(texts)), await embedded(document, *texts))


async def fill(store: VectorStore, **texts_by_uri: list[str]) -> None:
    async with store.write(RECIPE) as writer:
        for uri, texts in texts_by_uri.items():
            await put(writer, uri, *texts)
        await writer.commit([corpus(len(texts_by_uri))])
