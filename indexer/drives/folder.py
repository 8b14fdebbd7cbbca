"""A shared drive as a list of files."""

from __future__ import annotations

import os
import re
import stat
import uuid
from collections.abc import AsyncGenerator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from indexer.drives.mtimes import date_of, storable
from indexer.drives.rules import Rules
from rag import uris
from rag.errors import ConfigurationError
from rag.types.documents import Document, DocumentId

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


def is_litter(name: str) -> bool:
    """Whether a file or folder of this name is passed over wherever it lies."""
    return _LITTER.fullmatch(name) is not None


def uri_of(root: Path, path: Path) -> str:
    """The path relative to the root, fit for JSON."""
    return uris.uri_of(path.relative_to(root))


def is_name(name: str) -> bool:
    """Whether a corpus can be called so: a name stands in labels, links and settings."""
    return _NAME.fullmatch(name) is not None


def labels_of(drive: Drive, uri: str) -> frozenset[str]:
    """The corpus, each folder above the file, and what the drive's rules say besides."""
    folders = uri.split("/")[:-1]
    above = ("/".join([drive.name, *folders[:depth]]) for depth in range(len(folders) + 1))
    return drive.rules.labels_of(uri).union(map(uris.label_of, above))


def document_id(drive: Drive, uri: str) -> DocumentId:
    """A UUID that stays when the file changes."""
    return DocumentId(str(uuid.uuid5(uuid.NAMESPACE_URL, f"footnote/{drive.name}/{uri}")))


def describe(drive: Drive, file: DriveFile, *, title: str, kind: str, paged: bool, fingerprint: str) -> Document:
    """The file as a document; without a title of its own it is called by its name."""
    return Document(
        id=document_id(drive, file.uri),
        corpus=drive.name,
        uri=file.uri,
        title=title or uris.title_of(file.uri),
        kind=kind,
        paged=paged,
        modified_at=date_of(file.mtime_ns),
        fingerprint=fingerprint,
        labels=labels_of(drive, file.uri),
    )
