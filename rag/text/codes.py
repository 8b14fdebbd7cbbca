"""Identifiers: of parts, errors, contracts, machines."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from rag.text.dates import dates_of
from rag.text.numbers import is_number
from rag.text.words import WrittenWord

_CODE: Final = re.compile(r"[a-z]\d")
_CODE_DIGITS: Final = 2
_PERIOD: Final = re.compile(r"(?:fy|cy|q|h)\d{1,4}(?:q\d)?|\d{4}q\d")
"""Documents write a year or a quarter in many ways."""
_JOINERS: Final = re.compile(r"[\W_]+")
_PARTS: Final = re.compile(r"[-‐/]")


def is_code(term: str) -> bool:
    """Whether a term is an identifier rather than a word or a quantity: "cfol999", "cb4471k"; not "24hour", "b2b"."""
    return bool(_CODE.search(term)) and sum(map(str.isdigit, term)) >= _CODE_DIGITS and not _PERIOD.fullmatch(term)


def code_key(text: str) -> str:
    """The same for the same identifier, however it is joined: "CB-4471 K", "cb4471k"."""
    return _JOINERS.sub("", text).casefold()


def codes_of(words: Sequence[WrittenWord]) -> dict[str, str]:
    """The words with digits that are neither quantities nor dates ("CB-4471", "10.0.0.1"): by key, as written."""
    return {
        code_key(word.text): word.text
        for word in words
        if word.has_digit and not is_number(word.text) and not _PERIOD.fullmatch(word.lower) and not dates_of([word])[0]
    }


def holds_code(code: str, keys: Collection[str]) -> bool:
    """Whether an identifier, as written, is among the keys: whole, in the plural, or with a word grown on to it."""
    parts = _PARTS.split(code)
    numbered = [place for place, part in enumerate(parts) if any(map(str.isdigit, part))]
    tried = {code_key(code), code_key(code.removesuffix("s"))}
    if numbered:
        tried |= {code_key("-".join(parts[:end])) for end in range(numbered[-1] + 1, len(parts))}
    return not tried.isdisjoint(keys)
