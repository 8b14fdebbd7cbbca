"""Office files under a password, opened with one that the indexer was given."""

from __future__ import annotations

import io
import struct
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from xml.parsers.expat import ExpatError

import msoffcrypto
from msoffcrypto.exceptions import DecryptionError, FileFormatError, ParseError

from indexer.extraction.container.passwords import locked, spellings
from rag.errors import ExtractionError

MAX_BYTES: Final = 256_000_000
"""Decryption holds the file in memory, twice."""
_EVERYBODYS: Final = "VelvetSweatshop"
"""What Excel encrypts with when a file is only to be protected from changes (MS-OFFCRYPTO, section 2.4.2.3)."""
_LIBRARY_ERRORS: Final = (
    FileFormatError,
    ParseError,
    DecryptionError,
    ExpatError,
    OSError,
    ValueError,
    IndexError,
    KeyError,
    AttributeError,
    TypeError,
    struct.error,
    NotImplementedError,
)
"""What the library raises on files that are damaged, or encrypted in a way that it does not know."""


@contextmanager
def unlocked(path: Path, passwords: Sequence[str]) -> Generator[Path]:
    """A file to read instead, which is gone in the end; the same path where the file is not encrypted.

    Raises ExtractionError ("encrypted", "too_large").
    """
    with path.open("rb") as file:
        office = _office_file(file)
        if office is None:
            yield path
            return
        if path.stat().st_size > MAX_BYTES:
            raise ExtractionError(
                "too_large",
                f"The file is protected by a password and larger than {MAX_BYTES // 1_000_000} MB.",
                "Save it without a password.",
            )
        content = _decrypted(office, passwords)
    with tempfile.TemporaryDirectory(prefix="footnote-", ignore_cleanup_errors=True) as folder:
        plain = Path(folder) / path.name
        plain.write_bytes(content)
        yield plain


def _office_file(file: Any) -> Any:
    """The file as the library sees it; None where it is not encrypted, or no Office file."""
    try:
        office = msoffcrypto.OfficeFile(file)
        return office if office.is_encrypted() else None
    except _LIBRARY_ERRORS:
        return None


def _decrypted(office: Any, passwords: Sequence[str]) -> bytes:
    for password in (_EVERYBODYS, *spellings(passwords)):
        plain = io.BytesIO()
        try:
            office.load_key(password=password)
            office.decrypt(plain)
        except _LIBRARY_ERRORS:
            continue
        if plain.tell():
            return plain.getvalue()
    raise locked(passwords)
