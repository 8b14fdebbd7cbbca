"""What a cache is: a place to keep bytes for a while."""

from __future__ import annotations

from datetime import timedelta
from typing import Protocol


class Cache(Protocol):
    """Losing an entry is allowed at any time; giving back another's is not. A dead server costs speed, no answer."""

    async def get(self, key: str) -> bytes | None:
        """The value, or None where there is none (any more)."""
        ...

    async def set(self, key: str, value: bytes, ttl: timedelta) -> None:
        """Keep the value for `ttl`."""
        ...

    async def add(self, key: str, ttl: timedelta) -> bool:
        """Claim a key: True for the first caller of all processes, False for the rest until `ttl` is over.

        While the server is dead every caller is told True.
        """
        ...

    async def delete(self, key: str) -> None:
        """Forget the key."""
        ...


class MonitoredCache(Cache, Protocol):
    """A cache that tells how it fares: failures are counted, and raised to nobody."""

    @property
    def is_healthy(self) -> bool:
        """Whether the last call got through."""
        ...

    @property
    def failures(self) -> int:
        """Calls that did not, since the start."""
        ...
