"""What a drive is: files under a name, wherever they lie."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from indexer.drives.rules import Rules

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")
_LITTER: Final = re.compile(
    r"\..*|~\$.*|Thumbs\.db|desktop\.ini|ehthumbs\.db|Icon\r|\$RECYCLE\.BIN|System Volume Information|__MACOSX"
    r"|@eaDir|#recycle|lost\+found"
    r"|.*\.(tmp|crdownload|opdownload|download|part|partial|filepart|sw[op]|lock|laccdb)|.*~",
    re.IGNORECASE | re.DOTALL,
)
"""Lock files, hidden files and what operating systems leave behind: nobody means to have them indexed."""


@dataclass(frozen=True, slots=True)
class DriveFile:
    """One file as the walk saw it."""

    path: Path
    uri: str
    """The path relative to the drive, with forward slashes; bytes that are no UTF-8 are written as \\xNN."""
    size: int
    mtime_ns: int
    ctime_ns: int = field(default=0, compare=False)
    """When anything about the file changed last; 0 where nobody tells."""


class Listing(Protocol):
    """The files of a drive; what could not be listed is noted meanwhile."""

    @property
    def unreadable(self) -> list[str]:
        """Folders that could not be listed, as uris, "." for the whole drive: what is known of their files holds."""
        ...

    @property
    def skipped(self) -> int:
        """Links and special files."""
        ...

    def files(self) -> Iterator[DriveFile]:
        """Each regular file that is no litter and that the drive's rules admit."""
        ...


class Drive(Protocol):
    """A drive, wherever it is."""

    @property
    def name(self) -> str:
        """What scopes and links know it by."""
        ...

    @property
    def location(self) -> str:
        """The folder, or a URL without any secret."""
        ...

    @property
    def rules(self) -> Rules:
        """What is read of it."""
        ...

    def listing(self) -> Listing:
        """A new look at its files."""
        ...

    def at_hand(self, file: DriveFile) -> AbstractAsyncContextManager[Path]:
        """Where the file can be read while the context is entered. Raises ExtractionError."""
        ...

    def close(self) -> None:
        """Let go of any connection; a new look at the files opens one."""
        ...


def is_litter(name: str) -> bool:
    """Whether a file or folder of this name is passed over wherever it lies."""
    return _LITTER.fullmatch(name) is not None


def is_name(name: str) -> bool:
    """Whether a corpus can be called so: a name stands in labels, links and settings."""
    return _NAME.fullmatch(name) is not None
