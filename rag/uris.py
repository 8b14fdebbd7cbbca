"""How paths on a drive are written: as text that JSON can hold, from which each file is found again."""

from __future__ import annotations

import os
import re
import unicodedata
from pathlib import Path, PurePath
from typing import Final

_ESCAPE: Final = re.compile(rb"\\x([0-9a-f]{2})")
_LIKE_ESCAPE: Final = re.compile(r"\\(?=x[0-9a-f]{2})")


def uri_of(relative: PurePath) -> str:
    r"""The path with forward slashes. Bytes that are no UTF-8 are written as \xNN.

    So is a backslash in front of what looks like that, so that two files never have one uri.
    """
    text = os.fsencode(_LIKE_ESCAPE.sub(r"\\x5c", relative.as_posix()))
    return text.decode("utf-8", "backslashreplace")


def path_of(root: Path, uri: str) -> Path:
    """Where the file of a uri lies below the root: byte by byte the name that it has there."""
    return root / os.fsdecode(_ESCAPE.sub(lambda found: bytes.fromhex(found[1].decode()), uri.encode()))


def title_of(uri: str) -> str:
    """What a document is called that has no title of its own: its name without the suffix."""
    return unicodedata.normalize("NFC", PurePath(uri).stem)


def label_of(folder: str) -> str:
    """A folder as scopes name it: in one spelling, however the machine that made it wrote its accents."""
    return unicodedata.normalize("NFC", folder)
