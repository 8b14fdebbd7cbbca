"""Which titles are fit to show beside a citation."""

from __future__ import annotations

import re
from typing import Final

from indexer.extraction.characters.normalization import cleaned

MAX_TITLE_CHARS: Final = 200

_PROGRAM: Final = re.compile(r"(microsoft (word|excel|powerpoint)|adobe \w+|quarkxpress)\b\s*[-–:]\s*", re.IGNORECASE)
_FILE_NAME: Final = re.compile(
    r"\S+\.(docx?|xlsx?|pptx?|pdf|odt|rtf|txt|te?x|dvi|ps|indd|qxd|fm|md|html?|exe|p65|cdr|ai|eps|jpe?g|png|tiff?)$"
    r"|.*\.(docx?|pptx?|xlsx?|pdf|indd|qxd|dvi|tex)$",
    re.IGNORECASE,
)
_FILE_STEM: Final = re.compile(r"[^\s_]+(?:_[^\s_]+)+$")
_PATH: Final = re.compile(r"[a-z]:[\\/]|\\\\|/|~/|file:|https?:", re.IGNORECASE)
_PLACEHOLDER: Final = re.compile(
    r"((?:untitled|unbenannt|sans titre|powerpoint|adobe photoshop|new|neues)(?: \w+)?|无标题|無題|no title|title|titel"
    r"|document|dokument|slide|presentation|template|blank|none|null|unknown|scan|scanned document|image|print|layout"
    r"|page|cover|\(?anonymous\)?)[\s_-]*\d*$",
    re.IGNORECASE,
)
_UNFIT: Final = (_PROGRAM, _FILE_NAME, _FILE_STEM, _PATH, _PLACEHOLDER)
"""How a title begins that names no text."""
_TAG: Final = re.compile(r"</?[a-z][a-z0-9]*(?:\s[^<>]*)?/?>", re.IGNORECASE)
_LETTER: Final = re.compile(r"[^\W\d_]")
_MIN_LETTERS: Final = 2
_MIN_LETTERS_SHARE: Final = 0.3
"""Below it, a title is a number or a code."""


def shown_title(raw: str | None) -> str:
    """The title in one line, or nothing where it names a file, a program or a blank form rather than a text."""
    title = " ".join(_TAG.sub(" ", cleaned(raw or "")).split())
    if any(pattern.match(title) for pattern in _UNFIT):
        return ""
    letters = len(_LETTER.findall(title))
    if letters < max(_MIN_LETTERS, _MIN_LETTERS_SHARE * len(title)) or "\N{REPLACEMENT CHARACTER}" in title:
        return ""
    return title if len(title) <= MAX_TITLE_CHARS else f"{title[: MAX_TITLE_CHARS - 1].rstrip()}…"
