"""Each question once, however often and on whatever way Slack delivers it."""

from __future__ import annotations

from collections import OrderedDict
from datetime import timedelta
from typing import Final

from rag.cache.base import Cache

TTL: Final = timedelta(hours=1)  # Slack's last retry comes after about five minutes
CAPACITY: Final = 4096


class Seen:
    """Claims on deliveries: in this process, and through the cache in all of them.

    A mention arrives as two events with different ids and the same message; a retry has the same id. The header that
    counts retries says nothing: Socket Mode sends it, with "0", on first deliveries as well.
    """

    def __init__(self, cache: Cache, *, capacity: int = CAPACITY) -> None:
        self._cache = cache
        self._capacity = capacity
        self._here: OrderedDict[str, None] = OrderedDict()

    async def first(self, *keys: str) -> bool:
        """Whether none of the keys has been claimed before; claims them all. Empty keys are passed over."""
        claims = [key for key in keys if key]
        # No await between looking and claiming: two deliveries at once cannot both be the first.
        new = [key for key in claims if key not in self._here]
        self._remember(new)
        if len(new) < len(claims):
            return False
        for key in claims:
            if not await self._cache.add(f"seen/{key}", TTL):
                return False
        return True

    def _remember(self, keys: list[str]) -> None:
        for key in keys:
            self._here[key] = None
        while len(self._here) > self._capacity:
            self._here.popitem(last=False)
