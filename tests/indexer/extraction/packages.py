"""Office files for tests, part by part."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def package(path: Path, parts: Mapping[str, str | bytes]) -> Path:
    """A zip of these parts."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path


def changed(path: Path, parts: Mapping[str, str | bytes | None]) -> Path:
    """The same file with these parts replaced or added; None takes one away."""
    with zipfile.ZipFile(path) as archive:
        all_parts: dict[str, str | bytes | None] = {name: archive.read(name) for name in archive.namelist()}
    all_parts |= parts
    return package(path, {name: content for name, content in all_parts.items() if content is not None})


def part_of(path: Path, name: str) -> str:
    """One part as text."""
    with zipfile.ZipFile(path) as archive:
        return archive.read(name).decode()


def relations(*targets: tuple[str, str, str]) -> str:
    """A part of relationships: id, the last word of the type, target."""
    lines = "".join(
        f'<Relationship Id="{name}" Type="{RELATIONSHIPS}/{kind}" Target="{target}"/>' for name, kind, target in targets
    )
    return (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{lines}</Relationships>'
    )
