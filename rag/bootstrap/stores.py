"""Where vectors and short-lived values are kept."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from rag.cache.embedded import open_embedded
from rag.cache.redis import RedisCache, open_redis
from rag.settings.engine import AnsweringSettings, EngineSettings
from rag.store.base import VectorStore
from rag.store.edge import EdgeStore


@asynccontextmanager
async def open_store(settings: EngineSettings) -> AsyncGenerator[VectorStore]:
    """The vector store that the settings name."""
    if settings.qdrant_url is None:
        store: VectorStore = EdgeStore(settings.data_dir / "index")
    else:
        from rag.store.server import connect  # noqa: PLC0415  # the client costs a second, which many do not need

        key = settings.qdrant_api_key
        store = connect(
            str(settings.qdrant_url),
            api_key=None if key is None else key.get_secret_value(),
            alias=settings.store.collection,
        )
    try:
        yield store
    finally:
        await store.aclose()


@asynccontextmanager
async def open_cache(settings: AnsweringSettings) -> AsyncGenerator[RedisCache]:
    """The cache that the settings name."""
    if settings.redis_url is not None:
        async with open_redis(settings.redis_url.get_secret_value()) as cache:
            yield cache
    else:
        async with open_embedded(settings.data_dir / "cache") as cache:
            yield cache
