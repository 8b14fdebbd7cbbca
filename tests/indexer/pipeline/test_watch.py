"""The watcher's turns, over runs that a test makes up and folders that are there; and the program around it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from indexer.drives.base import Drive
from indexer.drives.folder import FolderDrive
from indexer.pipeline import watch as watching
from indexer.pipeline.pipeline import RunOptions
from indexer.pipeline.report import DriveReport, Report
from indexer.pipeline.watch import Intervals, Watcher
from rag.errors import ConfigurationError, StoreBusy, StoreError
from rag.types.documents import Failure
from tests.indexer.indexing import a_store, contents, write
from tests.processes import clean_environment

SECONDS = 30.0


class Runs:
    """Gives what it was told to, and then reports without a change."""

    def __init__(self, *script: Exception | Report) -> None:
        self.script = list(script)
        self.drives: list[str] = []
        self.reports: list[Report] = []
        self.options: list[RunOptions] = []

    async def run(self, drive: Drive, options: RunOptions) -> Report:
        self.drives.append(drive.name)
        self.options.append(options)
        await asyncio.sleep(0)
        match self.script.pop(0) if self.script else a_report(drive.name, changes=False):
            case Exception() as error:
                raise error
            case report:
                return report


def a_report(name: str, *, changes: bool = True, put_off: Sequence[str] = ()) -> Report:
    return Report(1, changes, False, [DriveReport(name, new=int(changes), put_off=list(put_off))], 0.0)


@asynccontextmanager
async def a_watcher(runs: Runs, *drives: Drive, look: float = 600, settle: float = 0) -> AsyncGenerator[None]:
    task = asyncio.create_task(Watcher(drives, runs.run, runs.reports.append, Intervals(look, settle)).go_on())
    try:
        yield
        assert not task.done()
    finally:
        task.cancel()
        await asyncio.wait({task})


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(SECONDS):
        while not holds():  # noqa: ASYNC110  # nobody tells
            await asyncio.sleep(0.02)


@pytest.fixture
def drive(tmp_path: Path) -> FolderDrive:
    write(tmp_path / "drive", a_md="# Apples")
    return FolderDrive.at(tmp_path / "drive", None)


async def test_a_change_makes_one_run_more_and_litter_makes_none(drive: FolderDrive) -> None:
    runs = Runs()
    async with a_watcher(runs, drive):
        await until(lambda: len(runs.drives) == 1)
        await asyncio.sleep(0.5)  # until the system tells of changes
        write(drive.root, **{"~$lock.docx": "x", "download.part": "x"})
        await asyncio.sleep(0.8)
        assert len(runs.drives) == 1
        write(drive.root / "HR", b_md="# Whales")
        await until(lambda: len(runs.drives) == 2)
    assert len(runs.reports) == 1  # the first run is told of, and one that changed nothing is not


async def test_a_drive_that_tells_nothing_is_looked_through_now_and_then(drive: FolderDrive, tmp_path: Path) -> None:
    write(tmp_path / "other", b_md="x")
    runs = Runs()
    async with a_watcher(runs, drive, FolderDrive.at(tmp_path / "other", None), look=0.1):
        await until(lambda: runs.drives.count("drive") > 3 and runs.drives.count("other") > 3)


async def test_files_that_were_put_off_are_looked_at_again_soon(drive: FolderDrive) -> None:
    runs = Runs(a_report("drive", put_off=["a.md"]), a_report("drive"))
    async with a_watcher(runs, drive):
        await until(lambda: len(runs.drives) == 2)
    assert len(runs.reports) == 2


async def test_a_run_that_fails_is_tried_again_and_another_indexer_is_waited_for(
    drive: FolderDrive, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(watching, "RETRY_SECONDS", 0.05)
    monkeypatch.setattr(watching, "BUSY_SECONDS", 0.05)
    broken = ExceptionGroup("tasks", [ExceptionGroup("more", [StoreError("the server is down")])])
    runs = Runs(StoreError("the server is down"), broken, StoreBusy("another indexer"), OSError(28, "No space left"))
    async with a_watcher(runs, drive):
        await until(lambda: len(runs.reports) == 1)
    assert len(runs.drives) == 5
    assert [record.levelname for record in caplog.records if "tried again" in record.message] == ["ERROR"] * 3


async def test_what_is_set_wrongly_ends_it_at_the_start_and_is_waited_out_later(
    drive: FolderDrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "RETRY_SECONDS", 0.05)
    runs = Runs(a_report("drive"), ConfigurationError("is the share mounted?"), a_report("drive"))
    async with a_watcher(runs, drive, look=0.05):
        await until(lambda: len(runs.reports) == 2)
    with pytest.raises(ExceptionGroup) as caught:
        await Watcher([drive], Runs(ConfigurationError("no")).run, lambda report: None, Intervals(600, 0)).go_on()
    assert caught.group_contains(ConfigurationError)


async def test_a_mistake_of_ours_is_not_tried_again(drive: FolderDrive) -> None:
    with pytest.raises(ExceptionGroup) as caught:
        await Watcher([drive], Runs(LookupError("x")).run, lambda report: None, Intervals(600, 0)).go_on()
    assert caught.group_contains(LookupError)


async def test_what_takes_long_to_fail_is_tried_at_the_start_and_not_at_each_change(drive: FolderDrive) -> None:
    runs = Runs()
    async with a_watcher(runs, drive, look=0.05):
        await until(lambda: len(runs.options) == 3)
    assert [options.costly for options in runs.options[:3]] == [True, False, False]


async def test_what_cannot_be_listed_is_told_once_and_so_is_its_return(
    drive: FolderDrive, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "indexer")

    def hidden(*folders: str, left_out: str = "") -> Report:
        report = DriveReport("drive", unreadable_folders=list(folders), left_out=left_out)
        return Report(1, False, False, [report], 0.0)

    hr, all_of_it = hidden("HR"), hidden(".")
    runs = Runs(hidden(), hr, hr, all_of_it, all_of_it, hidden(), hidden(left_out="it is empty"), hidden())
    async with a_watcher(runs, drive, look=0.02):
        await until(lambda: len(runs.drives) > 8)
    told = [(record.levelname, vars(record).get("place", vars(record).get("why"))) for record in caplog.records]
    assert told == [
        ("WARNING", "drive/HR"),
        ("WARNING", "drive"),
        ("INFO", "drive"),
        ("WARNING", "it is empty"),
        ("INFO", "drive"),
    ]


async def test_drives_that_are_left_out_end_it_at_the_start_when_none_is_there(
    drive: FolderDrive, tmp_path: Path
) -> None:
    gone = Report(1, False, False, [DriveReport("drive", left_out="it is not there")], 0.0)
    other = FolderDrive("other", tmp_path)
    with pytest.raises(ExceptionGroup) as caught:
        await Watcher([drive, other], Runs(gone, gone).run, lambda report: None, Intervals(600, 0)).go_on()
    assert caught.group_contains(ConfigurationError, match="it is not there; it is not there")
    runs = Runs(gone)
    async with a_watcher(runs, drive, other):
        await until(lambda: len(runs.drives) == 2)


def test_the_lines_of_a_run_name_what_could_not_be_read() -> None:
    failure = Failure("damaged", "The file is cut off.", "Copy it again.")
    report = DriveReport("drive", failed=[(f"{number}.pdf", failure) for number in range(22)])
    first, second, *_, last = Report(1, True, False, [report], 0.0).lines()
    assert "22 failed" in first
    assert second == "drive: not read: 0.pdf: The file is cut off. Copy it again."
    assert "2 more" in last


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
async def test_the_program_takes_up_a_drop_and_ends_when_it_is_told_to(tmp_path: Path, sent: signal.Signals) -> None:
    write(tmp_path / "drive", a_md="# Apples\n\nApples are red.")
    settings = clean_environment(FOOTNOTE_SETTLE_SECONDS="0.2", FOOTNOTE_WATCH_SECONDS="5")
    signal.signal(signal.SIGINT, signal.default_int_handler)  # see test_interrupted
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "indexer", "watch", "drive", "--json"),
        cwd=tmp_path,
        env=settings,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdout and process.stderr
    try:
        async with asyncio.timeout(120):
            first = json.loads(await process.stdout.readline())
            assert (first["generation"], first["drives"][0]["new"]) == (1, 1)
            (tmp_path / "drive" / "a.md").rename(tmp_path / "drive" / "b.md")
            second = json.loads(await process.stdout.readline())
            assert (second["generation"], second["drives"][0]["moved"]) == (2, [{"from": "a.md", "to": "b.md"}])
            os.kill(process.pid, sent)
            assert await process.wait() == 0
            errors = (await process.stderr.read()).decode()
            assert "Traceback" not in errors and "took up" not in errors
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    async with a_store(tmp_path / ".footnote" / "index") as store:
        assert set((await contents(store))[0]) == {"drive/b.md"}
