"""The properties of an Outlook message, one stream each."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol, Self

from indexer.extraction.characters.encoding import decoded

_PROPERTIES: Final = "__properties_version1.0"
_STREAM: Final = "__substg1.0_"
_HEADER_BYTES: Final = {"root": 32, "message": 24, "item": 8}  # MS-OXMSG, 2.4.1
_ENTRY: Final = struct.Struct("<HHI8s")
_UNICODE, _ANSI, _BINARY, _OBJECT, _INTEGER, _TIME = 0x001F, 0x001E, 0x0102, 0x000D, 0x0003, 0x0040
_CODE_PAGE: Final = 0x3FFD  # as the others, of MS-OXPROPS
_INTERNET_CODE_PAGE: Final = 0x3FDE
_EPOCH: Final = datetime(1601, 1, 1, tzinfo=UTC)


class Container(Protocol):
    """What we use of olefile, which carries no types."""

    def listdir(self, streams: bool = True, storages: bool = False) -> list[list[str]]:
        """The paths of all entries."""
        ...

    def openstream(self, filename: list[str]) -> Stream:
        """An open stream."""
        ...


class Stream(Protocol):
    """An open stream."""

    def read(self) -> bytes:
        """All of it."""
        ...


@dataclass(frozen=True, slots=True)
class Storage:
    """A message, a recipient or an attachment."""

    container: Container
    path: tuple[str, ...]
    paths: Mapping[tuple[str, ...], list[str]]
    """Every entry's path as it is spelled, by its path in lower case."""
    fixed: Mapping[int, bytes]
    """The properties of fixed size by their ids."""

    @classmethod
    def root(cls, container: Container) -> Self:
        """The message that the file holds."""
        paths = {tuple(part.lower() for part in path): path for path in container.listdir(streams=True, storages=True)}
        return cls(container, (), paths, _fixed(container, paths, (), "root"))

    def inside(self, prefix: str) -> Iterator[Storage]:
        """The storages whose names begin so, in order: "__recip", "__attach"."""
        depth = len(self.path)
        names = {path[depth] for path in self.paths if len(path) > depth and path[:depth] == self.path}
        for name in sorted(name for name in names if name.startswith(prefix)):
            path = (*self.path, name)
            yield Storage(self.container, path, self.paths, _fixed(self.container, self.paths, path, "item"))

    def message(self, property_id: int) -> Storage | None:
        """The message that an attachment holds as an object, where it does."""
        path = (*self.path, f"{_STREAM}{property_id:04x}{_OBJECT:04x}")
        if (*path, _PROPERTIES) not in self.paths:
            return None
        return Storage(self.container, path, self.paths, _fixed(self.container, self.paths, path, "message"))

    def text(self, property_id: int) -> str:
        """A property that is text; empty where there is none."""
        wide = self._stream(property_id, _UNICODE)
        if wide is not None:
            return wide.decode("utf-16-le", "replace").replace("\x00", "")
        narrow = self._stream(property_id, _ANSI)
        return "" if narrow is None else decoded(narrow, declared=self.code_page).replace("\x00", "")

    def binary(self, property_id: int) -> bytes:
        """A property that is bytes; empty where there is none."""
        return self._stream(property_id, _BINARY) or b""

    def integer(self, property_id: int) -> int | None:
        """A property that is a number."""
        raw = self.fixed.get(property_id)
        return None if raw is None else int.from_bytes(raw[:4], "little")

    def time(self, property_id: int) -> datetime | None:
        """A property that is a time, which is UTC."""
        raw = self.fixed.get(property_id)
        if raw is None:
            return None
        try:
            return _EPOCH + timedelta(microseconds=int.from_bytes(raw, "little") // 10)
        except OverflowError:
            return None

    @property
    def code_page(self) -> str | None:
        """The encoding of texts that are not Unicode, as Python knows it."""
        page = self.integer(_CODE_PAGE)
        return None if page is None else _encoding(page)

    @property
    def internet_code_page(self) -> str | None:
        """The encoding of the formatted body, likewise."""
        page = self.integer(_INTERNET_CODE_PAGE)
        return None if page is None else _encoding(page)

    def _stream(self, property_id: int, kind: int) -> bytes | None:
        path = self.paths.get((*self.path, f"{_STREAM}{property_id:04x}{kind:04x}"))
        return None if path is None else self.container.openstream(path).read()


def _encoding(page: int) -> str:
    return {65001: "utf-8", 20127: "ascii", 28591: "latin-1", 1200: "utf-16-le"}.get(page, f"cp{page}")


def _fixed(
    container: Container, paths: Mapping[tuple[str, ...], list[str]], path: tuple[str, ...], kind: str
) -> dict[int, bytes]:
    stream = paths.get((*path, _PROPERTIES))
    if stream is None:
        return {}
    raw = container.openstream(stream).read()[_HEADER_BYTES[kind] :]
    whole = raw[: len(raw) // _ENTRY.size * _ENTRY.size]
    return {number: value for kind, number, _, value in _ENTRY.iter_unpack(whole) if kind in (_INTEGER, _TIME)}
