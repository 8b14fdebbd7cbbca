"""The bytes of a file."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from rag.errors import ExtractionError

MAX_TEXT_BYTES: Final = 256 * 1024 * 1024
"""A text is held in memory as a whole; beyond this it is an export or a log, not something a person reads."""
MAX_FILE_BYTES: Final = 2_000_000_000
"""Of any format: a disk image, a film or a file of holes, which would take minutes to be told from another."""
_BLOCK: Final = 1 << 20  # bytes hashed at once


def read_bytes(path: Path, *, limit: int = MAX_TEXT_BYTES) -> bytes:
    """All bytes. Raises ExtractionError ("vanished", "unreadable", "too_large")."""
    try:
        with path.open("rb") as file:
            raw = file.read(limit + 1)
    except OSError as error:
        raise as_extraction_error(error) from error
    if len(raw) > limit:
        raise _too_large(limit)
    return raw


def size_of(path: Path, *, limit: int = MAX_FILE_BYTES) -> int:
    """How many bytes the file has. Raises ExtractionError ("vanished", "unreadable", "too_large")."""
    try:
        size = path.stat().st_size
    except OSError as error:
        raise as_extraction_error(error) from error
    if size > limit:
        raise _too_large(limit)
    return size


def sha256_of(path: Path) -> str:
    """The digest of all bytes. Raises ExtractionError ("vanished", "unreadable")."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                digest.update(block)
    except OSError as error:
        raise as_extraction_error(error) from error
    return digest.hexdigest()


def as_extraction_error(error: OSError) -> ExtractionError:
    """What the system says about a file, and what its owner can do."""
    if isinstance(error, FileNotFoundError):
        return ExtractionError("vanished", "The file went away while the drive was read.", "Nothing is to be done.")
    return ExtractionError(
        "unreadable", f"The file cannot be read: {error.strerror}.", "Give the indexer the right to read it."
    )


def _too_large(limit: int) -> ExtractionError:
    return ExtractionError("too_large", f"The file is larger than {limit:,} bytes.", "Split it into smaller files.")
