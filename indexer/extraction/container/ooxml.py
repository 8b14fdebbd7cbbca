"""The parts of an Office file (a zip of XML), read with limits."""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self
from urllib.parse import unquote

from indexer.extraction.container.xml_tree import Element, parsed_xml
from indexer.extraction.markdown.title import shown_title
from rag.errors import ExtractionError

__all__ = ["Element", "Package", "Relation", "damaged"]

MAX_PART_BYTES: Final = 128 * 1024 * 1024
"""Unpacked. The longest real documents have some 30 MB of XML; a zip bomb has gigabytes."""
MAX_PACKAGE_BYTES: Final = 512 * 1024 * 1024
"""Unpacked from one file, all reading together; pictures and films, which nobody unpacks, do not count."""
MAX_MEMBERS: Final = 100_000
"""Each slide, picture and sheet is a few; the largest real files have some ten thousand."""
MAX_XML_RATIO: Final = 500
"""Unpacked to packed, of a large part. Text packs to a fifth, formatting to a hundredth; deflate ends at 1,032."""
_LARGE_PART_BYTES: Final = 16 * 1024 * 1024
_IS_ENCRYPTED: Final = 0x1  # of a member's general purpose flags (APPNOTE.TXT, 4.4.4)
_UNPACKING_ERRORS: Final = (zipfile.BadZipFile, OSError, EOFError, NotImplementedError, RuntimeError, ValueError)


@dataclass(slots=True)
class _Spent:
    """How many bytes have been unpacked so far."""

    unpacked: int = 0


@dataclass(frozen=True, slots=True)
class Package:
    """An open Office file. Parts are found however a program has spelled their names."""

    archive: zipfile.ZipFile
    members: Mapping[str, str]
    """The archive's names by `_key`."""
    warnings: list[str] = field(default_factory=list[str])
    """What was left out because it is broken."""
    _spent: _Spent = field(default_factory=_Spent)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Raises ExtractionError ("damaged", "encrypted", "too_large")."""
        try:
            archive = zipfile.ZipFile(path)
        except (*_UNPACKING_ERRORS, zlib.error) as error:
            raise damaged("its container is cut off or broken") from error
        try:
            return cls(archive, _members(archive))
        except ExtractionError:
            archive.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.archive.close()

    def has(self, part: str) -> bool:
        """Whether there is such a part."""
        return _key(part) in self.members

    def size(self, part: str) -> int:
        """How many bytes a part has, if the archive states the truth; 0 where there is no such part."""
        member = self.members.get(_key(part))
        return self.archive.getinfo(member).file_size if member is not None else 0

    def read(self, part: str) -> bytes | None:
        """The bytes of a part; None where there is no such part. Raises ExtractionError ("damaged", "too_large")."""
        member = self.members.get(_key(part))
        if member is None:
            return None
        try:
            with self.archive.open(member) as file:
                raw = file.read(MAX_PART_BYTES + 1)  # the size that the archive states may be a lie
        except KeyError:
            return None
        except (*_UNPACKING_ERRORS, zlib.error) as error:
            raise damaged(f"its part {part} cannot be unpacked") from error
        self._spent.unpacked += len(raw)
        if len(raw) > MAX_PART_BYTES:
            raise _too_large(f"unpacks to more than {MAX_PART_BYTES:,} bytes in one part")
        if self._spent.unpacked > MAX_PACKAGE_BYTES:
            raise _too_large(f"unpacks to more than {MAX_PACKAGE_BYTES:,} bytes")
        return raw

    def xml(self, part: str) -> Element | None:
        """A part's root, all names without namespaces, so that strict and transitional files read alike.

        None where there is no such part. Raises ExtractionError ("damaged", "too_large").
        """
        raw = self.read(part)
        if raw is None:
            return None
        if len(raw) > _LARGE_PART_BYTES:
            packed = self.archive.getinfo(self.members[_key(part)]).compress_size
            if len(raw) > MAX_XML_RATIO * max(packed, 1):
                raise _too_large(f"unpacks to {len(raw) // max(packed, 1):,} times its size")
        root = parsed_xml(raw, self.warnings)
        if root is None:
            raise damaged(f"its part {part} is no valid XML")
        return root

    def optional_xml(self, part: str) -> Element | None:
        """As `xml`, for a part that the rest can do without: a broken one is a warning. Raises ("too_large")."""
        try:
            return self.xml(part)
        except ExtractionError as error:
            if error.failure.code != "damaged":
                raise
            self.warnings.append(f"The part {part} is damaged and was left out.")
            return None

    def relations(self, part: str) -> Mapping[str, Relation]:
        """What a part points to inside the file, by relationship id. External targets are left out."""
        folder, name = posixpath.split(part)
        root = self.optional_xml(posixpath.join(folder, "_rels", f"{name}.rels"))
        if root is None:
            return {}
        return {
            relation.get("Id") or "": Relation(
                kind=(relation.get("Type") or "").rpartition("/")[2],
                part=self._target(folder, relation.get("Target") or ""),
            )
            for relation in root.iter("Relationship")
            if relation.get("TargetMode") != "External"
        }

    def main_part(self, default: str) -> str:
        """The part that holds the document itself: the one that the package names, if it is there, or `default`."""
        named = (relation.part for relation in self.relations("").values() if relation.kind == "officeDocument")
        return next((part for part in named if self.has(part)), default)

    def title(self) -> str:
        """The title among the document's properties, if it is fit to show."""
        kinds = {"core-properties", "metadata/core-properties"}
        part = next((found.part for found in self.relations("").values() if found.kind in kinds), "docProps/core.xml")
        root = self.optional_xml(part)
        found = root.find("title") if root is not None else None
        return shown_title(found.text) if found is not None else ""

    def _target(self, folder: str, target: str) -> str:
        """A target as a part's name; some programs write it escaped, with backslashes, or from the root."""
        part = posixpath.normpath(posixpath.join("/", folder, target.replace("\\", "/").partition("#")[0])).lstrip("/")
        for spelled in (part, unquote(part), target.lstrip("/")):
            if self.has(spelled):
                return spelled
        return part


@dataclass(frozen=True, slots=True)
class Relation:
    """One part's pointer to another."""

    kind: str
    """The last word of its type: "footnotes", "header", "chart" …"""
    part: str


def damaged(detail: str) -> ExtractionError:
    """The error of a file that is broken inside."""
    remedy = "Copy it again, or open it in the program that made it and save it anew."
    return ExtractionError("damaged", f"The file is damaged: {detail}.", remedy)


def _too_large(detail: str) -> ExtractionError:
    return ExtractionError(
        "too_large",
        f"The file {detail}.",
        "Split it, or check where it comes from: that is how archives made to exhaust a computer look.",
    )


def _members(archive: zipfile.ZipFile) -> dict[str, str]:
    infos = archive.infolist()
    if len(infos) > MAX_MEMBERS:
        raise _too_large(f"holds more than {MAX_MEMBERS:,} parts")
    if any(info.flag_bits & _IS_ENCRYPTED for info in infos):
        raise ExtractionError(
            "encrypted", "The file is protected by a password.", "Save it without a password, or leave it out."
        )
    return {_key(info.filename): info.filename for info in infos}


def _key(part: str) -> str:
    """Names of parts are compared without case (ECMA-376, part 2, 6.2.2.3)."""
    return part.replace("\\", "/").lstrip("/").casefold()
