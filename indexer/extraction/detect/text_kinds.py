"""Formats that are text, told by how the text is built."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Final

from indexer.extraction.detect.delimiter import delimiter_of

_MAIL_HEADER: Final = re.compile(r"^([A-Za-z][\w-]*):", re.MULTILINE)
_ENVELOPE: Final = frozenset({"mime-version", "message-id", "received", "return-path"})
_COMMON: Final = _ENVELOPE | {"from", "to", "date", "subject", "cc"}
_HEADERS_NEEDED: Final = 4
_HEADERS_NEEDED_BY_NAME: Final = 2
_MBOX: Final = re.compile(r"From \S+[^\n]*\r?\n[\w-]+:")
_SAVED_PAGE: Final = re.compile(r"^Content-Type:\s*multipart/related", re.IGNORECASE | re.MULTILINE)
_MAIL_SUFFIXES: Final = frozenset({".eml", ".mht", ".mhtml", ".mim"})
_TABLE_SUFFIXES: Final = frozenset({".csv", ".tsv", ".tab", ".psv", ".xls"})
"""Programs export such tables under the name of Excel's files, for Excel opens them."""
_PLAIN_SUFFIXES: Final = frozenset({"", ".txt", ".dat", ".asc"})
"""A source file, a log or an INI file may look like a table; by its name it is none."""
_MARKUP: Final = MappingProxyType(
    {".rst": "rst", ".rest": "rst", ".tex": "latex", ".latex": "latex", ".ltx": "latex", ".textile": "textile"}
)
"""By name: their marks are those of other texts too."""


def kind_of_structured(text: str, suffix: str) -> str | None:
    """The kind ("mbox", "latex", "csv" …) by the beginning of a text; None for any other text."""
    text = text.lstrip("\ufeff \t\r\n")
    if _MBOX.match(text):
        return "mbox"
    if _is_mail(text, suffix):
        return "eml"
    if (markup := _markup(text, suffix)) is not None:
        return markup
    is_named_so = suffix in _TABLE_SUFFIXES
    if (is_named_so or suffix in _PLAIN_SUFFIXES) and delimiter_of(text, is_named_so=is_named_so):
        return "csv"
    return None


def _markup(text: str, suffix: str) -> str | None:
    if text.startswith("\\documentclass"):
        return "latex"
    if suffix == ".ipynb" and text.startswith("{"):
        return "notebook"
    return _MARKUP.get(suffix)


def _is_mail(text: str, suffix: str) -> bool:
    """A message as a mail server writes it; a text that merely quotes one lacks the envelope's headers."""
    top = text.replace("\r\n", "\n").split("\n\n", 1)[0]
    if _MAIL_HEADER.match(top) is None:
        return False
    headers = {name.lower() for name in _MAIL_HEADER.findall(top)} & _COMMON
    if suffix in _MAIL_SUFFIXES:
        return len(headers) >= _HEADERS_NEEDED_BY_NAME or (bool(headers) and "content-type:" in top.lower())
    if "mime-version" in headers and _SAVED_PAGE.search(top):
        return True
    return len(headers) >= _HEADERS_NEEDED and not headers.isdisjoint(_ENVELOPE)
