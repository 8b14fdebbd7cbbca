"""A drive on a server: listed over the network, each file fetched to be read."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
import tempfile
import zlib
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from indexer.drives.base import DriveFile, is_litter
from indexer.drives.mtimes import storable
from indexer.drives.protocols import FileSystem, Server
from indexer.drives.rules import Rules
from rag.errors import ExtractionError

log = logging.getLogger(__name__)

_BLOCK: Final = 1 << 20  # bytes fetched at once
_BROKEN: Final = re.compile("[\\x00\\ud800-\\udfff]")
"""What neither a path nor JSON can hold."""
_SECOND: Final = 1_000_000_000  # nanoseconds
_DAY: Final = 86_400 * _SECOND
_CHANGED_AT: Final = ("mtime", "modified", "LastModified", "last_modified", "updated")
_VERSION: Final = ("etag", "ETag", "md5", "md5Hash", "content_md5", "generation", "VersionId", "created")
"""What file systems call the time of the last change, and whatever else changes with the bytes."""
_NAME_CHARS: Final = 60  # of a file's name, kept when it is fetched: a name may be 255 bytes long, a character 4


class RemoteDrive:
    """A folder on a server."""

    def __init__(self, name: str, server: Server, rules: Rules, *, fetch_bytes: int) -> None:
        """`fetch_bytes`: larger files are not fetched."""
        self.name = name
        self.location = server.url
        self.rules = rules
        self._server = server
        self._fetch_bytes = fetch_bytes
        self._system: FileSystem | None = None

    def listing(self) -> RemoteListing:
        """A new look at its files, over a new connection."""
        self.close()
        return RemoteListing(self)

    def close(self) -> None:
        """End the connection."""
        system, self._system = self._system, None
        if system is not None:
            with contextlib.suppress(Exception):  # it may be broken already, each protocol's library in its own way
                self._server.close(system)

    def connected(self) -> FileSystem:
        """The server. Raises whatever its library raises."""
        if self._system is None:
            self._system = self._server.connect()
        return self._system

    def path_of(self, uri: str) -> str:
        """What the server calls the file or folder at this place."""
        base = self._server.base
        return f"{base.rstrip('/')}/{uri}" if base and uri else base or uri

    @asynccontextmanager
    async def at_hand(self, file: DriveFile) -> AsyncGenerator[Path]:
        """A copy that is gone afterwards. Raises ExtractionError ("unreadable", "vanished", "too_large")."""
        if file.size > self._fetch_bytes:
            raise ExtractionError(
                "too_large",
                f"The file has {file.size:,} bytes: more than are fetched from a server.",
                "Split it, leave it out, or raise FOOTNOTE_FETCH_MB.",
            )
        with tempfile.TemporaryDirectory(prefix="footnote-") as folder:
            copy = Path(folder, os.path.basename(file.uri)[-_NAME_CHARS:])  # noqa: PTH119  # a uri is no path of ours
            await asyncio.to_thread(self._fetch, file, copy)
            yield copy

    def _fetch(self, file: DriveFile, copy: Path) -> None:
        path = self.path_of(file.uri)
        try:
            system = self.connected()
            before = _identity(system.info(path))
            with system.open(path, "rb") as original, copy.open("wb") as target:
                left = file.size + 1
                while left > 0 and (block := original.read(min(_BLOCK, left))):
                    target.write(block)
                    left -= len(block)
            after = _identity(system.info(path))
        except FileNotFoundError as error:
            raise ExtractionError(
                "vanished", "The file went away while the drive was read.", "Nothing is to be done."
            ) from error
        except Exception as error:  # each protocol's library has errors of its own
            raise ExtractionError(
                "unreadable", f"The file could not be fetched ({type(error).__name__}).", "It is tried again."
            ) from error
        if left != 1 or before != after or before[0] != file.size:
            raise ExtractionError(
                "vanished", "The file changed while it was fetched.", "It is read again at the next run."
            )


@dataclass(slots=True)
class RemoteListing:
    """The files of a remote drive, by path; what could not be listed is noted meanwhile."""

    drive: RemoteDrive
    unreadable: list[str] = field(default_factory=list[str])
    """Folders that could not be listed, for whatever reason: what is known of their files still holds."""
    skipped: int = 0
    """Links, special files, and names that no path can hold."""

    def files(self) -> Iterator[DriveFile]:
        """Each file that is no litter and that the drive's rules admit."""
        ahead = [""]
        while ahead:
            folder = ahead.pop()
            folders: list[str] = []
            for name, entry in self._entries(folder):
                uri = f"{folder}/{name}" if folder else name
                if entry.get("type") == "directory":
                    folders += [uri] if self.drive.rules.admit_folder(uri) else []
                elif entry.get("type") != "file" or entry.get("islink") or not isinstance(entry.get("size"), int):
                    self.skipped += 1
                elif self.drive.rules.admit(uri):
                    yield DriveFile(Path(self.drive.path_of(uri)), uri, entry["size"], stamp_of(entry))
            ahead += reversed(folders)

    def _entries(self, folder: str) -> list[tuple[str, Mapping[str, Any]]]:
        """What lies in the folder and is no litter, by name."""
        path = self.drive.path_of(folder)
        try:
            entries = self.drive.connected().ls(path, detail=True)
        except Exception as error:  # noqa: BLE001  # each protocol's library has errors of its own
            log.warning(
                "a folder could not be listed",
                extra={"drive": self.drive.name, "folder": folder or ".", "reason": f"{type(error).__name__}: {error}"},
            )
            self.unreadable.append(folder or ".")
            return []
        found: dict[str, Mapping[str, Any]] = {}
        for entry in entries:
            whole = str(entry["name"]).rstrip("/")
            if whole.strip("/") == path.strip("/"):
                continue  # some servers list a folder in itself
            name = whole.rpartition("/")[2]
            if name in {"", ".", ".."} or _BROKEN.search(name):
                self.skipped += 1
            elif not is_litter(name):
                found[name] = entry
        return sorted(found.items())


def stamp_of(entry: Mapping[str, Any]) -> int:
    """The time of the last change in nanoseconds, made to differ where only the version that the server names does.

    Servers tell whole seconds: the digits below a second are taken from the version. Where no time is told it is the
    first day of 1970, at an hour taken from the version.
    """
    version = next((str(entry[name]) for name in _VERSION if entry.get(name)), "")
    changed_at = next((when for name in _CHANGED_AT if (when := _nanoseconds(entry.get(name))) is not None), None)
    if changed_at is None:
        return _digits(version, below=_DAY)
    if changed_at % _SECOND or not version:
        return changed_at
    return storable(changed_at + _digits(version, below=_SECOND))


def _identity(entry: Mapping[str, Any]) -> tuple[object, int]:
    """Of one file, asked for by itself: some servers say it in other words than in a listing."""
    return entry.get("size"), stamp_of(entry)


def _digits(version: str, *, below: int) -> int:
    if not version:
        return 0
    raw = version.encode()
    return (zlib.crc32(raw) << 32 | zlib.adler32(raw)) % below


def _nanoseconds(value: object) -> int | None:
    match value:
        case datetime():
            aware = value if value.tzinfo is not None else value.replace(tzinfo=UTC)
            return storable(round(aware.timestamp() * 1_000_000) * 1000)
        case int() | float():
            try:
                return storable(round(value * 1_000_000) * 1000)
            except (ValueError, OverflowError):  # no number, or infinite
                return None
        case str():
            try:
                return _nanoseconds(datetime.fromisoformat(value))
            except ValueError:
                return None
        case _:
            return None
