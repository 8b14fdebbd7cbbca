"""Drives that are kept up to date: a run after each change, and a look through them now and then."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

from watchfiles import Change, awatch

from indexer.drives.base import Drive, is_litter
from indexer.drives.file_stability import FileStability, is_open_for_writing
from indexer.drives.folder import FolderDrive
from indexer.pipeline.pipeline import RunOptions
from indexer.pipeline.report import DriveReport, Report
from rag.errors import ConfigurationError, FootnoteError, StoreBusy, first_cause

log = logging.getLogger(__name__)

AT_LEAST_SECONDS: Final = 0.2  # from a change to the run: an editor's save is several changes
BUSY_SECONDS: Final = 5.0  # between two attempts while another indexer writes
RETRY_SECONDS: Final = 2.0  # after the first failure; twice as long after each further one
RETRY_AT_MOST_SECONDS: Final = 300.0
REST_SECONDS: Final = 60.0  # a watcher rests for as long as its last run took, but never longer than this
COSTLY_SECONDS: Final = 3600.0  # between two attempts at what takes long to fail

_HIDDEN: Final = "cannot be listed; what is indexed of it stays"
_BACK: Final = "is back: it can be listed again"

RunOne: TypeAlias = Callable[[Drive, RunOptions], Awaitable[Report]]


@dataclass(frozen=True, slots=True)
class Intervals:
    """How often, and how soon."""

    look_seconds: float
    """From one look through a drive to the next, if nothing is heard of it."""
    settle_seconds: float
    """How long a file must have been left alone before it is read."""


@dataclass(slots=True)
class _Watched:
    """One drive, and when it is looked through next."""

    drive: Drive
    stability: FileStability
    due: float = 0.0
    failures: int = 0
    """In a row."""
    has_run: bool = False
    left_out: str = ""
    hidden: frozenset[str] = frozenset()
    """Folders that could not be listed the last time, "." for the whole drive."""
    costly_at: float = field(default=0.0)


class Watcher:
    """Runs one drive at a time, the one that is due first."""

    def __init__(
        self, drives: Sequence[Drive], run: RunOne, report: Callable[[Report], None], intervals: Intervals
    ) -> None:
        """`report` is given each run that changed something, and the first of each drive."""
        self._run = run
        self._report = report
        self._intervals = intervals
        self._heard = asyncio.Event()
        self._is_any_there = False
        settle_seconds = intervals.settle_seconds
        self._watched = [
            _Watched(
                drive, FileStability(settle_seconds, is_open_for_writing if isinstance(drive, FolderDrive) else None)
            )
            for drive in drives
        ]

    async def go_on(self) -> None:
        """Until cancelled. Raises ConfigurationError when the first run of a drive does."""
        async with asyncio.TaskGroup() as tasks:
            for watched in self._watched:
                if isinstance(watched.drive, FolderDrive):
                    tasks.create_task(self._listen(watched, watched.drive.root))
            tasks.create_task(self._take_turns())

    async def _take_turns(self) -> None:
        while True:
            watched = min(self._watched, key=lambda watched: watched.due)
            self._heard.clear()
            if (wait := watched.due - time.monotonic()) > 0:
                try:
                    async with asyncio.timeout(wait):
                        await self._heard.wait()
                except TimeoutError:
                    pass
            else:
                await self._bring_up(watched)

    async def _bring_up(self, watched: _Watched) -> None:
        began = time.monotonic()
        watched.due = began + self._intervals.look_seconds
        costly = began >= watched.costly_at
        try:
            report = await self._run(watched.drive, RunOptions(is_whole=watched.stability.is_whole, costly=costly))
        except StoreBusy as error:
            log.info("waiting", extra={"reason": str(error)})
            watched.due = time.monotonic() + BUSY_SECONDS
            return
        except (FootnoteError, OSError, ExceptionGroup) as error:
            self._failed(watched, error)
            return
        if costly:
            watched.costly_at = began + COSTLY_SECONDS
        if report.is_new_generation or not watched.has_run:
            self._report(report)
        for drive in report.drives:
            _tell_what_is_hidden(watched, drive)
            self._check_any_is_there(drive)
        put_off = [uri for drive in report.drives for uri in drive.put_off]
        watched.stability.forget_all_but(set(put_off))
        watched.failures, watched.has_run = 0, True
        ended = time.monotonic()
        if put_off:
            watched.due = min(watched.due, ended + self._settle_seconds)
        watched.due = max(watched.due, ended + min(ended - began, REST_SECONDS))

    def _check_any_is_there(self, report: DriveReport) -> None:
        """Only at the start. Raises ConfigurationError."""
        self._is_any_there = self._is_any_there or not report.left_out
        if not self._is_any_there and all(each.left_out for each in self._watched):
            raise ConfigurationError("; ".join(each.left_out for each in self._watched))

    def _failed(self, watched: _Watched, error: Exception) -> None:
        """Try again, after a while that grows. Raises the error again where that cannot help."""
        cause = first_cause(error)
        is_hopeless = isinstance(cause, ConfigurationError) and not watched.has_run
        if is_hopeless or not isinstance(cause, (FootnoteError, OSError)):
            raise cause
        pause = min(RETRY_SECONDS * 2**watched.failures, RETRY_AT_MOST_SECONDS)
        watched.failures = min(watched.failures + 1, 16)
        watched.due = time.monotonic() + pause
        log.error(
            "a run failed; it is tried again",
            extra={"drive": watched.drive.name, "seconds": pause, "reason": f"{type(cause).__name__}: {cause}"},
        )

    async def _listen(self, watched: _Watched, root: Path) -> None:
        """Have the drive run soon after the system tells of a change; where it cannot, looks now and then must do."""
        while True:
            try:
                if _place(root) != (0, 0):  # else the next run tells
                    await self._hear(watched, root)
            except (OSError, RuntimeError) as error:  # what watchfiles raises of its own is a RuntimeError
                log.warning(
                    "the system does not tell of changes; the drive is looked through now and then",
                    extra={"drive": watched.drive.name, "reason": str(error)},
                )
            await asyncio.sleep(self._intervals.look_seconds)

    async def _hear(self, watched: _Watched, root: Path) -> None:
        """Until another file system is mounted there: nothing would be heard of that."""
        place = _place(root)
        stopped = asyncio.Event()
        try:
            async for changes in awatch(
                root,
                watch_filter=_is_of_interest,
                debounce=200,
                rust_timeout=max(round(self._intervals.look_seconds * 1000), 100),
                yield_on_timeout=True,
                stop_event=stopped,
                ignore_permission_denied=True,
            ):
                if changes and watched.failures == 0:
                    watched.due = min(watched.due, time.monotonic() + self._settle_seconds)
                    self._heard.set()
                if _place(root) != place:
                    return
        finally:
            stopped.set()

    @property
    def _settle_seconds(self) -> float:
        return max(self._intervals.settle_seconds, AT_LEAST_SECONDS)


async def watch(drives: Sequence[Drive], run: RunOne, report: Callable[[Report], None], intervals: Intervals) -> None:
    """Keep the drives up to date until SIGINT or SIGTERM. A run that is cut off then is gone on with the next time.

    Raises ConfigurationError.
    """
    logging.getLogger("watchfiles").setLevel(logging.WARNING)
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    if sys.platform == "linux":
        signal.signal(signal.SIGIO, signal.SIG_IGN)  # see is_open_for_writing
    working = asyncio.create_task(Watcher(drives, run, report, intervals).go_on())
    stopping = asyncio.create_task(stopped.wait())
    try:
        await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        stopping.cancel()
        working.cancel()
        await asyncio.wait({working, stopping})
    if not working.cancelled():
        working.result()


def _tell_what_is_hidden(watched: _Watched, report: DriveReport) -> None:
    """Log it when other folders than before cannot be listed."""
    before, watched.left_out = watched.hidden, report.left_out
    hidden = watched.hidden = frozenset({"."} if report.left_out else report.unreadable_folders)
    name = watched.drive.name
    if report.left_out and "." not in before:
        log.warning("a drive is left out; what is indexed of it stays", extra={"drive": name, "why": report.left_out})
    elif "." in hidden - before:
        log.warning(_HIDDEN, extra={"place": name})
    elif "." in before - hidden:
        log.info(_BACK, extra={"place": name})
    if "." in hidden:
        return
    for folder in sorted(hidden - before):
        log.warning(_HIDDEN, extra={"place": f"{name}/{folder}"})
    for folder in sorted(before - hidden - {"."}):
        log.info(_BACK, extra={"place": f"{name}/{folder}"})


def _is_of_interest(change: Change, path: str) -> bool:
    del change
    return not is_litter(Path(path).name)


def _place(root: Path) -> tuple[int, int]:
    """Which folder it is; zeros while it is none."""
    try:
        status = root.stat()
    except OSError:
        return 0, 0
    return status.st_dev, status.st_ino
