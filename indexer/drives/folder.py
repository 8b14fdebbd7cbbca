"""A folder of this machine as a drive."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from indexer.drives.base import DriveFile, is_litter, is_name
from indexer.drives.mtimes import storable
from indexer.drives.rules import Rules
from rag import uris
from rag.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class FolderDrive:
    """A folder under the name that scopes and links know it by."""

    name: str
    root: Path
    rules: Rules = field(default_factory=Rules)

    @property
    def location(self) -> str:
        """The folder."""
        return str(self.root)

    def listing(self) -> Walk:
        """A new look at its files."""
        return Walk(self)

    @asynccontextmanager
    async def at_hand(self, file: DriveFile) -> AsyncGenerator[Path]:
        """Where it lies."""
        yield file.path

    def close(self) -> None:
        """Nothing is held."""

    @classmethod
    def at(cls, root: Path, name: str | None, rules: Rules | None = None) -> FolderDrive:
        """The drive at an existing folder, named after it when no name is given. Raises ConfigurationError."""
        if not root.is_dir() or not os.access(root, os.R_OK | os.X_OK):
            raise ConfigurationError(f"{str(root)!r} is not a folder that can be read: name the drive's folder")
        chosen = name if name is not None else re.sub(r"[^a-z0-9]+", "-", root.resolve().name.lower()).strip("-")
        if not is_name(chosen):
            raise ConfigurationError(
                f"{chosen!r} is no name for a corpus: use lower-case letters, digits, - and _ (pass --name NAME)"
            )
        return cls(chosen, root.resolve(), rules or Rules())


@dataclass(slots=True)
class Walk:
    """The regular files below a drive, by path; what could not be entered is noted meanwhile."""

    drive: FolderDrive
    unreadable: list[str] = field(default_factory=list[str])
    """Folders that could not be listed, as uris: what is known of their files still holds."""
    skipped: int = 0
    """Links and special files."""

    def files(self) -> Iterator[DriveFile]:
        """Each regular file that is no litter. Links are not followed: they may lead out of the drive, or round."""
        ahead = self._entries(self.drive.root)
        while ahead:
            path, entry = ahead.pop()
            uri = uri_of(self.drive.root, path)
            if entry.is_dir(follow_symlinks=False):
                if self.drive.rules.admit_folder(uri):
                    ahead += self._entries(path)
            elif self.drive.rules.admit(uri):
                yield from self._file(path, uri, entry)

    def _entries(self, folder: Path) -> list[tuple[Path, os.DirEntry[str]]]:
        """What lies in the folder and is no litter, the first by name at the end."""
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name, reverse=True)
        except OSError:
            self._note_unreadable(folder)
            return []
        return [(folder / entry.name, entry) for entry in entries if not is_litter(entry.name)]

    def _file(self, path: Path, uri: str, entry: os.DirEntry[str]) -> Iterator[DriveFile]:
        try:
            status = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            return  # it went while we looked
        except OSError:  # a folder may be listed by somebody who may not enter it
            self._note_unreadable(path.parent)
            return
        if stat.S_ISREG(status.st_mode):
            yield DriveFile(path, uri, status.st_size, storable(status.st_mtime_ns), status.st_ctime_ns)
        else:
            self.skipped += 1

    def _note_unreadable(self, folder: Path) -> None:
        uri = uri_of(self.drive.root, folder)
        if uri not in self.unreadable:
            self.unreadable.append(uri)


def uri_of(root: Path, path: Path) -> str:
    """The path relative to the root, fit for JSON."""
    return uris.uri_of(path.relative_to(root))
