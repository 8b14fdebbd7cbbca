"""The bytes of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from rag.errors import ExtractionError

MAX_TEXT_BYTES: Final = 256 * 1024 * 1024
"""A text is held in memory as a whole; beyond this it is an export or a log, not something a person reads."""


def read_bytes(path: Path, *, limit: int = MAX_TEXT_BYTES) -> bytes:
    """All bytes. Raises ExtractionError ("unreadable", "too_large")."""
    try:
        with path.open("rb") as file:
            raw = file.read(limit + 1)
    except OSError as error:
        raise ExtractionError(
            "unreadable", f"The file cannot be read: {error.strerror}.", "Check its permissions."
        ) from error
    if len(raw) > limit:
        raise ExtractionError("too_large", f"The file is larger than {limit:,} bytes.", "Split it into smaller files.")
    return raw
