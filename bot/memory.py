"""What was said in a thread, for as long as a thread lives."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from rag.cache.base import Cache
from rag.types.answers import Turn

KEPT: Final = 8  # turns: four questions with their answers
TTL: Final = timedelta(days=7)


class ThreadMemory:
    """Turns by thread, in the cache."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache

    async def recall(self, thread: str) -> list[Turn]:
        """The last turns of the thread, oldest first; none when it is new or forgotten."""
        raw = await self._cache.get(f"thread/{thread}")
        return [] if raw is None else [Turn(role, text) for role, text in json.loads(raw)]

    async def remember(self, thread: str, turns: Sequence[Turn]) -> None:
        """Add turns to the thread."""
        kept = [*await self.recall(thread), *turns][-KEPT:]
        await self._cache.set(f"thread/{thread}", json.dumps([(t.role, t.text) for t in kept]).encode(), TTL)
