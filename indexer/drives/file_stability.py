"""Whether a file is whole: nobody writes to it, and nobody has for a while."""

from __future__ import annotations

import errno
import fcntl
import os
import sys
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from indexer.drives.base import DriveFile

OPEN_SECONDS: Final = 60.0
"""A file that somebody holds open for writing is read all the same when it has not changed for so long."""


@dataclass(frozen=True, slots=True)
class _Seen:
    stamp: tuple[int, int, int]
    since: float


@dataclass(slots=True)
class FileStability:
    """Remembers since when files of one drive have looked as they do.

    The clocks of servers and of this machine differ: a file that seems to have changed just now is looked at twice.
    """

    seconds: float
    """How long a file must have been left alone."""
    is_open: Callable[[Path], bool] | None = None
    """Whether somebody has the file open for writing; None where that cannot be told."""
    wall: Callable[[], float] = time.time
    monotonic: Callable[[], float] = time.monotonic
    _seen: dict[str, _Seen] = field(default_factory=dict[str, _Seen], init=False)

    def is_whole(self, file: DriveFile) -> bool:
        """Whether the file can be read now."""
        stamp = (file.size, file.mtime_ns, file.ctime_ns)
        seen = self._seen.get(file.uri)
        if seen is None or seen.stamp != stamp:
            seen = self._seen[file.uri] = _Seen(stamp, self.monotonic())
        waited = self.monotonic() - seen.since
        changed_at = max(file.mtime_ns, file.ctime_ns) / 1e9
        if changed_at > self.wall() - self.seconds and waited < self.seconds:
            return False
        return waited >= OPEN_SECONDS or self.is_open is None or not self.is_open(file.path)

    def forget_all_but(self, uris: Collection[str]) -> None:
        """Drop what is known of files that are done with."""
        self._seen = {uri: seen for uri, seen in self._seen.items() if uri in uris}


def is_open_for_writing(path: Path) -> bool:
    """Whether any process of this machine has the file open for writing; False where the system does not tell.

    Linux gives a lease on what nobody writes to (fcntl(2), F_SETLEASE). A writer that comes while it is held sends
    us SIGIO, which whoever calls this must have ignored.
    """
    if sys.platform != "linux":
        return False
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except OSError as error:
        return error.errno == errno.EAGAIN
    finally:
        os.close(descriptor)
    return False
