"""Our programs as real processes: started as an operator would, watched, and stopped by their ids."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import aiohttp

ROOT: Final = Path(__file__).parent.parent
_PASSED_ON: Final = ("PATH", "HOME", "TMPDIR", "LANG", "LC_ALL")
"""What a program needs of this machine; all else that is set here must not change what it does."""

_LOOKS_AGAIN_AFTER: Final = 0.1  # seconds


def clean_environment(**settings: str) -> dict[str, str]:
    """The environment of a program that is told nothing but `settings`."""
    kept = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", **settings}


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listened on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class BotProcess:
    """One `python -m bot`."""

    def __init__(self, process: asyncio.subprocess.Process, port: int, log: Path) -> None:
        self.process = process
        self.url = f"http://127.0.0.1:{port}"
        self._log = log

    @property
    def output(self) -> str:
        """What it has written to its log so far."""
        return self._log.read_text(encoding="utf-8", errors="replace")

    async def health(self) -> Mapping[str, object] | None:
        """What it says of itself; None while it does not answer."""
        try:
            async with aiohttp.ClientSession() as session, session.get(f"{self.url}/readyz") as response:
                body: Mapping[str, object] = await response.json()
                return body
        except aiohttp.ClientError:
            return None

    async def wait_listening(self, seconds: float = 60) -> None:
        """Until its server answers. Raises RuntimeError with its log when it ends or takes too long."""
        await self._wait(lambda health: health is not None, seconds)

    async def wait_ready(self, seconds: float = 60) -> None:
        """Until it can answer questions; like `wait_listening`."""
        await self._wait(lambda health: health is not None and health["status"] == "ready", seconds)

    async def _wait(self, holds: Callable[[Mapping[str, object] | None], bool], seconds: float) -> None:
        for _ in range(round(seconds / _LOOKS_AGAIN_AFTER)):
            if self.process.returncode is not None:
                raise RuntimeError(f"the bot ended with {self.process.returncode}:\n{self.output}")
            if holds(await self.health()):
                return
            await asyncio.sleep(_LOOKS_AGAIN_AFTER)
        raise RuntimeError(f"the bot is not there after {seconds} s:\n{self.output}")

    async def stop(self, seconds: float = 30) -> int:
        """Ask it to stop; its exit code."""
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(seconds):
            return await self.process.wait()

    async def kill(self) -> None:
        """Give it no chance."""
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()


@asynccontextmanager
async def bot_process(folder: Path, **settings: str) -> AsyncGenerator[BotProcess]:
    """The bot with these settings and no others, its log in `folder`; stopped when the context is left."""
    port = free_port()
    log = folder / f"bot-{port}.log"
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bot",
            cwd=folder,
            env=clean_environment(FOOTNOTE_HTTP_PORT=str(port), **settings),
            stdout=output,
            stderr=output,
        )
    bot = BotProcess(process, port, log)
    try:
        yield bot
    finally:
        try:
            await bot.stop()
        except TimeoutError:
            await bot.kill()


async def run_program(*arguments: str, folder: Path, **settings: str) -> tuple[int, str, str]:
    """Run `python -m …` to its end: exit code, output, errors."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        *arguments,
        cwd=folder,
        env=clean_environment(**settings),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    return process.returncode or 0, out.decode(), err.decode()
