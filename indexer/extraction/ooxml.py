"""The parts of an Office file (a zip of XML), read with limits."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol, Self, cast

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]  # compiled, and without type stubs

from rag.errors import ExtractionError

MAX_PART_BYTES: Final = 128 * 1024 * 1024
"""Unpacked. The longest real documents have some 30 MB of XML; a zip bomb has gigabytes."""


class Element(Protocol):
    """What we use of an lxml element, which carries no types."""

    tag: str
    text: str | None
    tail: str | None

    @property
    def attrib(self) -> MutableMapping[str, str]:
        """All attributes."""
        ...

    def get(self, key: str) -> str | None:
        """One attribute."""
        ...

    def find(self, path: str) -> Element | None:
        """The first element on the path, which begins with a child."""
        ...

    def findall(self, path: str) -> list[Element]:
        """All elements on the path."""
        ...

    def iter(self, *tags: str) -> Iterator[Element]:
        """Itself and all elements inside, of these names, in document order."""
        ...

    def __iter__(self) -> Iterator[Element]: ...


@dataclass(frozen=True, slots=True)
class Package:
    """An open Office file."""

    archive: zipfile.ZipFile

    @classmethod
    def open(cls, path: Path) -> Self:
        """Raises ExtractionError ("damaged")."""
        try:
            return cls(zipfile.ZipFile(path))
        except (zipfile.BadZipFile, OSError) as error:
            raise damaged("its container is cut off or broken") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.archive.close()

    def read(self, part: str) -> bytes | None:
        """The bytes of a part; None where there is no such part. Raises ExtractionError ("damaged", "too_large")."""
        try:
            with self.archive.open(part) as file:
                raw = file.read(MAX_PART_BYTES + 1)  # the size that the archive states may be a lie
        except KeyError:
            return None
        except (zipfile.BadZipFile, OSError, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
            raise damaged(f"its part {part} cannot be unpacked") from error
        if len(raw) > MAX_PART_BYTES:
            raise ExtractionError(
                "too_large",
                f"The file unpacks to more than {MAX_PART_BYTES:,} bytes in one part.",
                "Split it, or check where it comes from: that is how archives made to exhaust a computer look.",
            )
        return raw

    def xml(self, part: str) -> Element | None:
        """A part's root, all names without namespaces, so that strict and transitional files read alike."""
        raw = self.read(part)
        if raw is None:
            return None
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
        )
        try:
            root = cast("Element | None", etree.fromstring(raw, parser))
        except etree.XMLSyntaxError as error:
            raise damaged(f"its part {part} is no valid XML") from error
        return None if root is None else _without_namespaces(root)

    def relations(self, part: str) -> Mapping[str, Relation]:
        """What a part points to inside the file, by relationship id. External targets are left out."""
        folder, name = posixpath.split(part)
        root = self.xml(posixpath.join(folder, "_rels", f"{name}.rels"))
        if root is None:
            return {}
        return {
            relation.get("Id") or "": Relation(
                kind=(relation.get("Type") or "").rpartition("/")[2],
                part=posixpath.normpath(posixpath.join("/", folder, relation.get("Target") or "")).lstrip("/"),
            )
            for relation in root.iter("Relationship")
            if relation.get("TargetMode") != "External"
        }


@dataclass(frozen=True, slots=True)
class Relation:
    """One part's pointer to another."""

    kind: str
    """The last word of its type: "footnotes", "header", "chart" …"""
    part: str


def damaged(detail: str) -> ExtractionError:
    """The error of a file that is broken inside."""
    return ExtractionError("damaged", f"The file is damaged: {detail}.", "Open it in Office and save it again.")


def _without_namespaces(root: Element) -> Element:
    for element in root.iter("*"):  # leaves out entities, which stay unresolved
        element.tag = element.tag.rpartition("}")[2]
        for name in list(element.attrib):
            namespace, brace, local = name.rpartition("}")
            if brace:
                prefix = "r-" if namespace.endswith("/relationships") else ""
                element.attrib[prefix + local] = element.attrib.pop(name)
    return root
