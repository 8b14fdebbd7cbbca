"""Files inside Office files: read by whatever reads them when they stand on the drive."""

from __future__ import annotations

import io
import posixpath
import struct
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

import olefile

from indexer.extraction.base import ExtractionContext
from indexer.extraction.container.ooxml import Package, Relation
from indexer.extraction.unforeseen import of_one_file
from rag.errors import ExtractionError

_KINDS: Final = frozenset({"package", "oleObject"})
"""Relations of a text or a slide to the files that are embedded in it; the workbook behind a chart is none."""
_NO_TEXT: Final = frozenset({"not_text", "unsupported"})
"""Formulas, pictures and sounds are embedded in the same way; nobody misses their text."""
_MOST_FILES: Final = 50
_MOST_CHARS: Final = 500_000
"""Of text; a workbook whose first rows are shown in a letter may be endless."""
_NATIVE: Final = "\x01Ole10Native"
_STREAMS: Final = ("Package", "CONTENTS")
"""Where programs keep the file whole, if they do."""
_OLE_ERRORS: Final = (OSError, ValueError, IndexError, KeyError, TypeError, AttributeError, struct.error)
_LONGEST_SUFFIX: Final = 10


@dataclass(frozen=True, slots=True)
class EmbeddedFile:
    """One file inside another."""

    name: str
    raw: bytes


def embedded_blocks(package: Package, relations: Iterable[Relation], context: ExtractionContext) -> list[str]:
    """A heading and the text of each file embedded in a part; what cannot be read is a warning."""
    blocks: list[str] = []
    for file in _files(package, relations):
        warnings: list[str] = []
        try:
            text = inner_text(file, context, warnings)
        except ExtractionError as error:
            if error.failure.code not in _NO_TEXT:
                package.warnings.append(f"The embedded file {file.name} was left out. {error.failure.message}")
            continue
        package.warnings.extend(f"The embedded file {file.name}: {warning}" for warning in warnings)
        if len(text) > _MOST_CHARS:
            package.warnings.append(f"Of the embedded file {file.name}, only the beginning was read.")
        if text:
            blocks.extend([f"## Embedded file: {file.name}", text[:_MOST_CHARS]])
    return blocks


def inner_text(file: EmbeddedFile, context: ExtractionContext, warnings: list[str]) -> str:
    """The text of all pages; what is to be said of it comes to the warnings. Raises ExtractionError."""
    suffix = PurePosixPath(file.name).suffix
    safe = suffix if suffix[1:].isalnum() and len(suffix) <= _LONGEST_SUFFIX else ""
    with tempfile.TemporaryDirectory(prefix="footnote-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / f"embedded{safe}"
        path.write_bytes(file.raw)
        try:
            extraction = context.inner(path, context)
            text = "\n\n".join(page.text for page in extraction.pages if page.text)
        except Exception as error:
            raise of_one_file(error) from error  # what no parser foresaw costs the file inside, not the one around it
        warnings += extraction.warnings
        return text


def _files(package: Package, relations: Iterable[Relation]) -> Iterator[EmbeddedFile]:
    parts = dict.fromkeys(relation.part for relation in relations if relation.kind in _KINDS)
    if left_out := len(parts) - min(len(parts), _MOST_FILES):
        package.warnings.append(f"Only the first {_MOST_FILES} embedded files were read, {left_out} were left out.")
    for part in list(parts)[:_MOST_FILES]:
        try:
            raw = package.read(part)
        except ExtractionError as error:
            if error.failure.code == "too_large":
                raise
            raw = None
        if raw:
            yield _unwrapped(EmbeddedFile(posixpath.basename(part), raw))


def _unwrapped(file: EmbeddedFile) -> EmbeddedFile:
    """The file itself, out of the container that Windows programs hand embedded files around in."""
    if not file.raw.startswith(olefile.MAGIC):
        return file
    try:
        with olefile.OleFileIO(io.BytesIO(file.raw)) as container:
            if container.exists(_NATIVE):
                return _native(container.openstream(_NATIVE).read()) or file
            for stream in _STREAMS:
                if container.exists(stream):
                    return EmbeddedFile(file.name, container.openstream(stream).read())
    except _OLE_ERRORS:
        pass  # read as it is, or said to be damaged
    return file


def _native(raw: bytes) -> EmbeddedFile | None:
    """Size, two bytes, label, first path, eight bytes, temporary path, size, content (MS-OLEDS 2.3.6, and practice)."""
    label, _, rest = raw[6:].partition(b"\0")
    _, _, rest = rest.partition(b"\0")
    if len(rest) < 8:  # noqa: PLR2004  # said in words above
        return None
    temporary = struct.unpack_from("<I", rest, 4)[0]
    rest = rest[8 + temporary :]
    if len(rest) < 4:  # noqa: PLR2004  # likewise
        return None
    size = struct.unpack_from("<I", rest)[0]
    return EmbeddedFile(posixpath.basename(label.decode("latin-1").replace("\\", "/")) or "file", rest[4 : 4 + size])
