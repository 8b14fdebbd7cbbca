"""A real watcher over a drive that people work on, killed in between: the index is that of one clean run."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from indexer.drives.folder import FolderDrive, Walk
from rag.errors import IndexMissing
from tests.indexer.indexing import Contents, a_store, contents
from tests.processes import clean_environment, run_program

FILES = 200
LOOKS = 400  # with half a second between them
WORDS = "leave budget whale engine invoice contract battery warranty dealer summary".split()  # noqa: SIM905  # as text
SETTINGS = {"FOOTNOTE_SETTLE_SECONDS": "0.3", "FOOTNOTE_WATCH_SECONDS": "2"}


class Team:
    """People who drop, change, copy, move and delete files, always the same ones in the same order."""

    def __init__(self, drive: Path) -> None:
        self._chance = random.Random(20261130)  # noqa: S311  # no secret
        self._drive = drive
        self.number = 0

    def drop(self, count: int) -> None:
        """New files, some of them copies."""
        for _ in range(count):
            self.number += 1
            folder = self._drive / self._chance.choice(["", "HR", "HR/Leave", "Finance"])
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / f"note {self.number}.md"
            if self.number % 9 == 0:
                shutil.copy(self._any(), path)
            else:
                path.write_text(self._text(), encoding="utf-8")

    def work(self, count: int) -> None:
        """Changes, moves, deletions, and dates that alone are new."""
        for _ in range(count):
            path = self._any()
            match self._chance.randrange(8):
                case 0 | 1 | 2:
                    path.write_text(self._text(), encoding="utf-8")
                case 3 | 4:
                    path.rename(self._drive / f"moved {self._chance.randrange(10**9)}.md")
                case 5:
                    folder = self._drive / f"Archive {self._chance.randrange(3)}"
                    folder.mkdir(exist_ok=True)
                    path.rename(folder / path.name)
                case 6:
                    path.unlink()
                case _:
                    os.utime(path, ns=(1, self._chance.randrange(10**18)))

    def _any(self) -> Path:
        return self._chance.choice(sorted(self._drive.rglob("*.md")))

    def _text(self) -> str:
        words = " ".join(f"{self._chance.choice(WORDS)} {self._chance.randrange(50)}" for _ in range(12))
        return f"# Note {self._chance.randrange(100)}\n\n{words}"


@asynccontextmanager
async def a_watcher(folder: Path, drive: Path) -> AsyncGenerator[asyncio.subprocess.Process]:
    with (folder / "watch.log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "indexer", "watch", str(drive), "--name", "drive"),
            cwd=folder,
            env=clean_environment(**SETTINGS),
            stdout=log,
            stderr=log,
        )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def indexed(folder: Path) -> Contents:
    async with a_store(folder / ".footnote" / "index") as store:
        try:
            return await contents(store)
        except IndexMissing:
            return {}, {}


async def recorded(folder: Path) -> set[tuple[str, int, int]]:
    async with a_store(folder / ".footnote" / "index") as store:
        try:
            return {(record.document.uri, record.size, record.mtime_ns) async for record in store.records()}
        except IndexMissing:
            return set()


async def until_up_to_date(folder: Path, drive: Path, watcher: asyncio.subprocess.Process) -> None:
    """Until the ledger says of each file what the drive says."""
    wanted = {(file.uri, file.size, file.mtime_ns) for file in Walk(FolderDrive("drive", drive)).files()}
    for _ in range(LOOKS):
        assert watcher.returncode is None, (folder / "watch.log").read_text()
        if await recorded(folder) == wanted:
            return
        await asyncio.sleep(0.5)
    raise AssertionError((folder / "watch.log").read_text())


async def until_it_writes(folder: Path) -> None:
    for _ in range(LOOKS):
        if list((folder / ".footnote" / "index").glob("*.building/plan.json")):
            await asyncio.sleep(0.5)
            return
        await asyncio.sleep(0.02)
    raise AssertionError((folder / "watch.log").read_text())


@pytest.mark.timeout(400)
async def test_two_hundred_files_at_random_and_a_kill_give_the_index_of_a_clean_run(tmp_path: Path) -> None:
    drive, here, clean = tmp_path / "drive", tmp_path / "here", tmp_path / "clean"
    for folder in (drive, here, clean):
        folder.mkdir()
    team = Team(drive)
    team.drop(20)
    async with a_watcher(here, drive) as watcher:
        await until_up_to_date(here, drive, watcher)
        for _ in range(2):
            for _ in range(4):
                team.drop(10)
                team.work(6)
                await asyncio.sleep(0.7)
            await until_up_to_date(here, drive, watcher)
        team.drop(20)
        await until_it_writes(here)
        watcher.kill()
        await watcher.wait()
    team.work(10)
    async with a_watcher(here, drive) as watcher:
        await asyncio.sleep(2)
        for _ in range(4):
            team.drop(20)
            team.work(6)
            await asyncio.sleep(0.7)
        assert team.number == FILES
        await until_up_to_date(here, drive, watcher)
        watcher.send_signal(signal.SIGTERM)
        async with asyncio.timeout(60):
            assert await watcher.wait() == 0
    code, _, errors = await run_program("indexer", "index", str(drive), "--name", "drive", folder=clean)
    assert code == 0, errors
    found, wanted = await indexed(here), await indexed(clean)
    assert found[0] == wanted[0]
    assert found[1] == wanted[1]
    log = (here / "watch.log").read_text()
    assert "Traceback" not in log
    assert "moved" in log and "gone" in log
