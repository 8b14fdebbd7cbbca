"""How common terms are in a generation on a server: the table beside its chunks, in points of its own."""

from __future__ import annotations

import logging
import uuid
from base64 import b64decode, b64encode
from typing import Any, Final

import numpy as np
from qdrant_client import AsyncQdrantClient, models

from rag.store.payload import CHUNK, KIND, LABELS
from rag.store.server_points import SPARSE, matching, of_kind, scroll
from rag.store.term_table import Ids, TermTable, build_term_table, table_of_bytes

log = logging.getLogger(__name__)

_TERMS: Final = "terms"
"""The kind of these points."""
_PART_BYTES: Final = 6_000_000  # 8 MB as text: a server takes 32 MB in a request


async def write_term_table(client: AsyncQdrantClient, collection: str) -> None:
    """Count the terms of a generation that is complete, in the place of what an earlier try has counted."""
    old = models.Filter(must=[matching(KIND, _TERMS)])
    await client.delete(collection, points_selector=models.FilterSelector(filter=old), wait=True)
    raw = (await _counted(client, collection)).to_bytes()
    for part, start in enumerate(range(0, len(raw), _PART_BYTES)):
        piece = b64encode(raw[start : start + _PART_BYTES]).decode("ascii")
        point = models.PointStruct(
            id=str(uuid.uuid5(uuid.NAMESPACE_URL, f"footnote/terms/{part}")),
            vector={},
            payload={KIND: _TERMS, "part": part, "bytes": piece},
        )
        await client.upsert(collection, [point], wait=True)


async def read_term_table(client: AsyncQdrantClient, collection: str) -> TermTable:
    """The table that was written with the generation; counted where an older version wrote none."""
    parts = [point.payload or {} async for point in scroll(client, collection, [matching(KIND, _TERMS)])]
    if not parts:
        return await _counted(client, collection)
    parts.sort(key=lambda part: part["part"])
    try:
        return table_of_bytes(b"".join(b64decode(part["bytes"]) for part in parts))
    except ValueError as error:
        log.warning("the table of terms is damaged; terms are counted", extra={"reason": str(error)})
        return await _counted(client, collection)


async def _counted(client: AsyncQdrantClient, collection: str) -> TermTable:
    rows: list[tuple[frozenset[str], Ids]] = []
    wanted = of_kind(CHUNK, None)
    async for point in scroll(client, collection, wanted, with_payload=[LABELS], with_vectors=[SPARSE]):
        vector: Any = point.vector
        rows.append((frozenset((point.payload or {})[LABELS]), np.array(vector[SPARSE].indices, dtype=np.uint32)))
    return build_term_table(rows)
