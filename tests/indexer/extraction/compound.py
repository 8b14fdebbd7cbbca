"""Compound files (MS-CFB) for tests: what old Office files and Outlook's messages are kept in."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

Tree: TypeAlias = "Mapping[str, bytes | Tree]"
"""Streams and storages by their names."""

_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_SECTOR, _MINI, _CUTOFF = 512, 64, 4096


@dataclass(slots=True)
class _Entry:
    name: str
    kind: int
    content: bytes = b""
    right: int = _FREE
    child: int = _FREE
    start: int = _END


@dataclass(slots=True)
class _Writer:
    entries: list[_Entry] = field(default_factory=lambda: [_Entry("Root Entry", 5)])
    sectors: list[bytes] = field(default_factory=list[bytes])
    fat: list[int] = field(default_factory=list[int])

    def add(self, tree: Tree, parent: int) -> None:
        before: int | None = None
        for name, content in tree.items():
            number = len(self.entries)
            self.entries.append(_Entry(name, 2, content) if isinstance(content, bytes) else _Entry(name, 1))
            if before is None:
                self.entries[parent].child = number
            else:
                self.entries[before].right = number
            before = number
            if not isinstance(content, bytes):
                self.add(content, number)

    def store(self, content: bytes) -> int:
        """Writes a chain of sectors, and gives its first."""
        start = len(self.sectors)
        pieces = [content[at : at + _SECTOR].ljust(_SECTOR, b"\x00") for at in range(0, len(content), _SECTOR)]
        if not pieces:
            return _END
        self.sectors += pieces
        self.fat += [*range(start + 1, start + len(pieces)), _END]
        return start


def compound_file(tree: Tree) -> bytes:
    """The bytes of a file that holds these streams."""
    writer = _Writer()
    writer.add(tree, 0)
    mini, mini_fat = bytearray(), list[int]()
    for entry in writer.entries:
        if entry.kind == 2 and len(entry.content) >= _CUTOFF:
            entry.start = writer.store(entry.content)
        elif entry.content:
            entry.start = len(mini_fat)
            count = -(-len(entry.content) // _MINI)
            mini_fat += [*range(entry.start + 1, entry.start + count), _END]
            mini += entry.content.ljust(count * _MINI, b"\x00")
    root = writer.entries[0]
    root.content, root.start = bytes(mini), writer.store(bytes(mini))
    mini_fat_at = writer.store(struct.pack(f"<{len(mini_fat)}I", *mini_fat))
    directory_at = writer.store(b"".join(map(_packed, writer.entries)))
    fat_sectors = 1
    while (len(writer.fat) + fat_sectors) * 4 > fat_sectors * _SECTOR:
        fat_sectors += 1
    fat_at = len(writer.sectors)
    table = [*writer.fat, *[_FAT] * fat_sectors]
    table += [_FREE] * (fat_sectors * _SECTOR // 4 - len(table))
    header = struct.pack(
        "<8s16xHHHHH6xIIIIIIIII",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0x3E, 3, 0xFFFE, 9, 6, 0, fat_sectors, directory_at, 0, _CUTOFF,
        mini_fat_at, -(-len(mini_fat) * 4 // _SECTOR), _END, 0,
    )  # fmt: skip
    places = [*range(fat_at, fat_at + fat_sectors), *[_FREE] * (109 - fat_sectors)]
    return b"".join([header, struct.pack("<109I", *places), *writer.sectors, struct.pack(f"<{len(table)}I", *table)])


def _packed(entry: _Entry) -> bytes:
    name = entry.name.encode("utf-16-le") + b"\x00\x00"
    return struct.pack(
        "<64sHBBIII16xI16xIQ",
        name, len(name), entry.kind, 1, _FREE, entry.right, entry.child, 0, entry.start, len(entry.content),
    )  # fmt: skip
