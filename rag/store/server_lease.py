"""One writer at a time on a server without locks: a lease that must be renewed, and lapses when its holder dies."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import time
import uuid
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Final

from qdrant_client import AsyncQdrantClient, models

from rag.errors import StoreBusy

LAPSES_SECONDS: Final = 60.0
RENEW_SECONDS: Final = 15.0
SETTLE_SECONDS: Final = 0.5
"""Of two that claim at once the later write wins; each looks again after this time to see whether it was its own."""

_POINT: Final = str(uuid.uuid5(uuid.NAMESPACE_URL, "footnote/lease"))


@asynccontextmanager
async def hold_lease(client: AsyncQdrantClient, name: str) -> AsyncGenerator[None]:
    """Be the only writer while the context is entered. Raises StoreBusy."""
    collection = f"{name}_lease"
    token = secrets.token_hex(8)
    if not await client.collection_exists(collection):
        await client.create_collection(collection, vectors_config={})
    await _refuse_if_held(client, collection)
    await _claim(client, collection, token)
    await asyncio.sleep(SETTLE_SECONDS)
    if (await _read(client, collection)).get("token") != token:
        await _refuse_if_held(client, collection)
    renewal = asyncio.create_task(_renew(client, collection, token))
    try:
        yield
    finally:
        renewal.cancel()
        await asyncio.gather(renewal, return_exceptions=True)
        await client.delete(collection, points_selector=models.PointIdsList(points=[_POINT]), wait=True)


async def _read(client: AsyncQdrantClient, collection: str) -> dict[str, Any]:
    points = await client.retrieve(collection, [_POINT], with_payload=True)
    return points[0].payload or {} if points else {}


async def _refuse_if_held(client: AsyncQdrantClient, collection: str) -> None:
    lease = await _read(client, collection)
    if lease and time.time() - lease["renewed_at"] < LAPSES_SECONDS:
        raise StoreBusy(
            f"another indexer ({lease['holder']}) is writing to this store: wait until it is done; "
            f"if it has died, its lease lapses in at most {LAPSES_SECONDS:.0f} s"
        )


async def _claim(client: AsyncQdrantClient, collection: str, token: str) -> None:
    payload = {
        "token": token,
        "holder": f"process {os.getpid()} on {socket.gethostname()}",
        "renewed_at": time.time(),
    }
    await client.upsert(collection, [models.PointStruct(id=_POINT, vector={}, payload=payload)], wait=True)


async def _renew(client: AsyncQdrantClient, collection: str, token: str) -> None:
    while True:
        await asyncio.sleep(RENEW_SECONDS)
        await _claim(client, collection, token)
