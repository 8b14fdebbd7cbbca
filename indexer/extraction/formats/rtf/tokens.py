"""Rich Text Format, cut into tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

_TOKEN: Final = re.compile(
    rb"\\(?P<word>[A-Za-z]{1,32})(?P<number>-?\d{1,10})? ?"
    rb"|\\'(?P<hex>[0-9A-Fa-f]{2})"
    rb"|\\(?P<symbol>[^A-Za-z])"
    rb"|(?P<brace>[{}])"
    rb"|(?P<text>[^\\{}\r\n]+)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Open:
    """A group begins."""


@dataclass(frozen=True, slots=True)
class Close:
    """A group ends."""


@dataclass(frozen=True, slots=True)
class ControlWord:
    """A control word; without a number it is switched on."""

    name: str
    number: int | None


@dataclass(frozen=True, slots=True)
class Symbol:
    """A control symbol: one character that is no letter."""

    name: str


@dataclass(frozen=True, slots=True)
class Bytes:
    """Text in the code page of the font; an escaped byte is part of it like any other."""

    raw: bytes


Token: TypeAlias = Open | Close | ControlWord | Symbol | Bytes

_OPEN: Final = Open()
_CLOSE: Final = Close()


def tokens(raw: bytes) -> Iterator[Token]:
    """All tokens in order. Binary data, which may look like anything, is passed over; so is what is no token."""
    at = 0
    while (found := _TOKEN.search(raw, at)) is not None:
        at = found.end()
        match found.lastgroup:
            case "brace":
                yield _OPEN if found["brace"] == b"{" else _CLOSE
            case "text":
                yield Bytes(found["text"])
            case "hex":
                yield Bytes(bytes.fromhex(found["hex"].decode("ascii")))
            case "symbol":
                yield Symbol(found["symbol"].decode("latin-1"))
            case _:
                name, number = found["word"].decode("ascii"), found["number"]
                if name == "bin":
                    at += max(int(number or 0), 0)
                else:
                    yield ControlWord(name, int(number) if number is not None else None)
