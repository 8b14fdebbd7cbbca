"""A shared drive as a list of files."""

from __future__ import annotations

import os
import re
import stat
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from rag.errors import ConfigurationError
from rag.types import Document, DocumentId

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")
_LITTER: Final = re.compile(
    r"\..*|~\$.*|Thumbs\.db|desktop\.ini|ehthumbs\.db|Icon\r|\$RECYCLE\.BIN|System Volume Information|__MACOSX"
    r"|.*\.(tmp|crdownload|part|swp|lock)|.*~",
    re.IGNORECASE | re.DOTALL,
)
"""Lock files, hidden files and what operating systems leave behind: nobody means to have them indexed."""


@dataclass(frozen=True, slots=True)
class Drive:
    """A folder under the name that scopes and links know it by."""

    name: str
    root: Path

    @classmethod
    def at(cls, root: Path, name: str | None) -> Drive:
        """The drive at an existing folder, named after it when no name is given. Raises ConfigurationError."""
        if not root.is_dir() or not os.access(root, os.R_OK | os.X_OK):
            raise ConfigurationError(f"{str(root)!r} is not a folder that can be read: name the drive's folder")
        chosen = name if name is not None else re.sub(r"[^a-z0-9]+", "-", root.resolve().name.lower()).strip("-")
        if not _NAME.fullmatch(chosen):
            raise ConfigurationError(
                f"{chosen!r} is no name for a corpus: use lower-case letters, digits, - and _ (pass --name NAME)"
            )
        return cls(chosen, root.resolve())


@dataclass(frozen=True, slots=True)
class DriveFile:
    """One file as the walk saw it."""

    path: Path
    uri: str
    """The path relative to the drive, with forward slashes; bytes that are no UTF-8 are written as \\xNN."""
    size: int
    mtime_ns: int


@dataclass(slots=True)
class Walk:
    """The regular files below a drive, by path; what could not be entered is noted meanwhile."""

    drive: Drive
    unreadable: list[str] = field(default_factory=list[str])
    """Folders that could not be listed, as uris: what is known of their files still holds."""
    skipped: int = 0
    """Links and special files."""

    def files(self) -> Iterator[DriveFile]:
        """Each regular file that is no litter. Links are not followed: they may lead out of the drive, or round."""
        ahead = self._entries(self.drive.root)
        while ahead:
            path, entry = ahead.pop()
            if entry.is_dir(follow_symlinks=False):
                ahead += self._entries(path)
            else:
                yield from self._file(path, entry)

    def _entries(self, folder: Path) -> list[tuple[Path, os.DirEntry[str]]]:
        """What lies in the folder and is no litter, the first by name at the end."""
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name, reverse=True)
        except OSError:
            self._note_unreadable(folder)
            return []
        return [(folder / entry.name, entry) for entry in entries if not _LITTER.fullmatch(entry.name)]

    def _file(self, path: Path, entry: os.DirEntry[str]) -> Iterator[DriveFile]:
        try:
            status = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            return  # it went while we looked
        except OSError:  # a folder may be listed by somebody who may not enter it
            self._note_unreadable(path.parent)
            return
        if stat.S_ISREG(status.st_mode):
            yield DriveFile(path, uri_of(self.drive.root, path), status.st_size, status.st_mtime_ns)
        else:
            self.skipped += 1

    def _note_unreadable(self, folder: Path) -> None:
        uri = uri_of(self.drive.root, folder)
        if uri not in self.unreadable:
            self.unreadable.append(uri)


def uri_of(root: Path, path: Path) -> str:
    """The path relative to the root, fit for JSON."""
    relative = path.relative_to(root).as_posix()
    return os.fsencode(relative).decode("utf-8", "backslashreplace")


def document_id(drive: Drive, uri: str) -> DocumentId:
    """A UUID that stays when the file changes."""
    return DocumentId(str(uuid.uuid5(uuid.NAMESPACE_URL, f"footnote/{drive.name}/{uri}")))


def describe(drive: Drive, file: DriveFile, *, title: str, kind: str, paged: bool, fingerprint: str) -> Document:
    """The file as a document; without a title of its own it is called by its name."""
    folders = file.uri.split("/")[:-1]
    return Document(
        id=document_id(drive, file.uri),
        corpus=drive.name,
        uri=file.uri,
        title=title or Path(file.uri).stem,
        kind=kind,
        paged=paged,
        modified_at=datetime.fromtimestamp(file.mtime_ns / 1e9, UTC),
        fingerprint=fingerprint,
        labels=frozenset("/".join([drive.name, *folders[:depth]]) for depth in range(len(folders) + 1)),
    )
