"""Tables of a PDF that tell which character each code of a font is, with their bytes in order."""

from __future__ import annotations

import re
from typing import Final

_SINGLE: Final = re.compile(rb"beginbfchar.*?endbfchar", re.DOTALL)
_PAIR: Final = re.compile(
    rb"(?P<code><[\s0-9a-f]+>\s*)<\s*(?P<first>[0-9a-f]{2})\s*(?P<second>[0-9a-f]{2})\s*>", re.IGNORECASE
)
_LATIN: Final = range(0x20, 0x100)
_FEWEST: Final = 4
"""Characters: as many of Chinese or Korean do not all end in a zero byte by chance."""


def in_byte_order(table: bytes) -> bytes:
    """The table with Latin letters where it was written with the lower byte first: "A" as 4100, which is Chinese."""
    pairs = [pair for section in _SINGLE.findall(table) for pair in _PAIR.finditer(section)]
    if len(pairs) < _FEWEST or b"beginbfrange" in table or not all(map(_is_turned, pairs)):
        return table
    return _SINGLE.sub(lambda section: _PAIR.sub(rb"\g<code><\g<second>\g<first>>", section[0]), table)


def _is_turned(pair: re.Match[bytes]) -> bool:
    return pair["second"] == b"00" and int(pair["first"], 16) in _LATIN
