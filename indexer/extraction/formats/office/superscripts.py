"""Superscript numbers behind numbers: 10⁶ must not become 106, nor 2023 with a note become 20231."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_RAISED, _BACK = "\x0e", "\x0f"
"""Stand around superscript text while a paragraph is put together; no XML can hold them."""
_EXPONENT: Final = re.compile(f"(?<=\\d){_RAISED}(?=[-−+]?\\d)")


def raised(pieces: Iterator[str]) -> Iterator[str]:
    """The pieces of superscript text, marked."""
    yield _RAISED
    yield from pieces
    yield _BACK


def with_exponents(text: str) -> str:
    """The text with "^" between a number and the raised one behind it, and without the marks."""
    whole = text.replace(f"{_BACK}{_RAISED}", "")  # one number may stand in several runs
    return _EXPONENT.sub("^", whole).replace(_RAISED, "").replace(_BACK, "")
