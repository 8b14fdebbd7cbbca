"""Header fields of messages, whatever mailers have made of them."""

from __future__ import annotations

import re
from email.errors import HeaderParseError, MessageError
from email.header import decode_header
from email.message import Message
from typing import Final

from indexer.extraction.characters.encoding import decoded

SHOWN: Final = ("From", "To", "Cc", "Date", "Subject")
_MAX_HEADER_CHARS: Final = 10_000
_SPLIT_WORD: Final = re.compile(r"\?=\s+=\?")
_ENCODED: Final = re.compile(r"=\?[^?\s]+\?[bBqQ]\?")


def shown_headers(message: Message) -> list[tuple[str, str]]:
    """The fields that a reader is shown, in words."""
    found: dict[str, str] = {}
    for name, raw in message.raw_items():
        found.setdefault(name.lower(), in_words(str(raw)))
    return [(name, found.get(name.lower(), "")) for name in SHOWN]


def in_words(raw: str) -> str:
    """A field's text: folded lines joined, encoded words read (RFC 2047), stray bytes in their likely encoding."""
    text = raw[:_MAX_HEADER_CHARS]
    if not text.isascii():  # bytes that are no ASCII come as halves of characters
        text = decoded(text.encode("utf-8", "surrogateescape"))
    text = " ".join(_SPLIT_WORD.sub("?= =?", text).split())
    if not _ENCODED.search(text):
        return text
    try:
        parts = decode_header(text)
    except (HeaderParseError, MessageError, ValueError):
        return text
    return " ".join("".join(part if isinstance(part, str) else _word(part, charset) for part, charset in parts).split())


def _word(raw: bytes, charset: str | None) -> str:
    if charset is None:
        return raw.decode("latin-1")  # decode_header wrote the plain parts so
    try:
        return raw.decode(charset)
    except (LookupError, UnicodeDecodeError):
        return decoded(raw)
