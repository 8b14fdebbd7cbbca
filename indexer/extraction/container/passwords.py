"""Files under a password: which ones to try, and what to say when none fits."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from rag.errors import ExtractionError

_SOFT_HYPHEN: Final = "\xad"


def spellings(passwords: Sequence[str]) -> Iterator[str]:
    """Each password as it stands, and as SASLprep (RFC 4013) writes it, which some programs ask for."""
    for password in passwords:
        yield password
        prepared = unicodedata.normalize("NFKC", password.replace(_SOFT_HYPHEN, ""))
        if prepared != password:
            yield prepared


def locked(passwords: Sequence[str]) -> ExtractionError:
    """What to raise for a file that none of them opens."""
    if passwords:
        return ExtractionError(
            "encrypted",
            "The file is protected by a password that is none of those in FOOTNOTE_PASSWORDS.",
            "Add its password there, save it without one, or leave it out.",
        )
    return ExtractionError(
        "encrypted",
        "The file is protected by a password.",
        "Name the password in FOOTNOTE_PASSWORDS, save the file without one, or leave it out.",
    )
