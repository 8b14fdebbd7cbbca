"""A cache in whatever speaks Redis' protocol."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Final, TypeVar

from redis.asyncio import Redis
from redis.exceptions import RedisError

from rag.errors import ConfigurationError

log = logging.getLogger(__name__)

PREFIX: Final = "footnote/"
ANSWERS_WITHIN_SECONDS: Final = 0.5
"""A cache that is slower than this is no help."""
REST_SECONDS: Final = 2.0
"""After a failure the server is left alone for so long: a dead one must not slow each question."""

T = TypeVar("T")


class RedisCache:
    """Whatever speaks Redis' protocol. A failure is logged, counted and lasts `REST_SECONDS`; it is never raised."""

    def __init__(self, redis: Redis, *, revive: Callable[[], None] | None = None) -> None:
        """`revive` is called, in a thread, when the server does not answer: it may start it again."""
        self._redis = redis
        self._revive = revive
        self._rests_until = 0.0
        self.failures = 0

    @property
    def is_healthy(self) -> bool:
        """Whether the last call got through."""
        return self._rests_until == 0.0

    async def check(self) -> None:
        """Raises ConfigurationError when the server does not answer: for the start, when an operator looks on."""
        try:
            await self._redis.execute_command("PING")
        except (RedisError, OSError) as error:
            raise ConfigurationError(
                f"the cache does not answer ({type(error).__name__}): start the server that REDIS_URL names, or unset "
                "REDIS_URL to use the built-in one"
            ) from error

    async def get(self, key: str) -> bytes | None:
        """The value, or None."""
        value = await self._safely(lambda: self._redis.get(PREFIX + key), None)
        return value.encode() if isinstance(value, str) else value

    async def set(self, key: str, value: bytes, ttl: timedelta) -> None:
        """Keep the value."""
        await self._safely(lambda: self._redis.set(PREFIX + key, value, ex=ttl), None)

    async def add(self, key: str, ttl: timedelta) -> bool:
        """Claim a key; True too while the server is dead."""
        return bool(await self._safely(lambda: self._redis.set(PREFIX + key, b"1", ex=ttl, nx=True), True))

    async def delete(self, key: str) -> None:
        """Forget the key."""
        await self._safely(lambda: self._redis.delete(PREFIX + key), None)

    async def others(self) -> bool:
        """Whether another program than this is connected to the server under a name of its own."""
        clients = await self._safely(self._redis.client_list, [])
        return any(client["name"] not in {"", client_name()} for client in clients)

    async def shut_down(self) -> None:
        """Stop the server; what it keeps is saved."""
        await self._safely(lambda: self._redis.shutdown(save=True), None)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._redis.aclose()

    async def _safely(self, call: Callable[[], Awaitable[T]], otherwise: T) -> T:
        if time.monotonic() < self._rests_until:
            return otherwise
        try:
            result = await call()
        except (RedisError, OSError) as error:
            self.failures += 1
            self._rests_until = time.monotonic() + REST_SECONDS
            log.warning("cache failed; going on without it", extra={"error": type(error).__name__})
            await self._try_to_revive()
            return otherwise
        if not self.is_healthy:
            log.info("cache is back")
        self._rests_until = 0.0
        return result

    async def _try_to_revive(self) -> None:
        if self._revive is None:
            return
        try:
            await asyncio.to_thread(self._revive)
        except (ConfigurationError, OSError) as error:
            log.warning("cache cannot be started again; going on without it", extra={"reason": str(error)})


def client_name() -> str:
    """The name under which this process is known to the server."""
    return f"footnote-{os.getpid()}"


@asynccontextmanager
async def open_redis(url: str) -> AsyncGenerator[RedisCache]:
    """The server that the operator names. Raises ConfigurationError when it does not answer."""
    try:
        redis = Redis.from_url(
            url, socket_timeout=ANSWERS_WITHIN_SECONDS, socket_connect_timeout=ANSWERS_WITHIN_SECONDS
        )
    except ValueError as error:
        raise ConfigurationError(f"REDIS_URL is not a URL of a Redis server: {error}") from error
    cache = RedisCache(redis)
    try:
        await cache.check()
        yield cache
    finally:
        await cache.aclose()
