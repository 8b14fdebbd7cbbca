"""Characters that are no text, or that write the same text in a second way: one spelling, whatever the format."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

BULLET: Final = "•"

_BREAKS: Final = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_BLANKS: Final = re.compile("[\xa0\u2000-\u200a\u202f\u205f]")
_PRESENTATION_FORMS: Final = re.compile("[\ufb00-\ufb17\ufb50-\ufdfb\ufe70-\ufefc]")
"""Ligatures of Latin and Armenian, and the shapes of Arabic letters (The Unicode Standard, chapters 7 and 9)."""
_SYMBOL_BULLETS: Final = re.compile("[\uf0a7\uf0a8\uf0b7\uf0d8\uf0fc\uf076]")
"""What the fonts Symbol and Wingdings draw as bullets comes out as private use characters."""
_UNSEEN: Final = re.compile(
    "[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f"  # control characters other than tab and line feed
    "\u200b\u2060-\u2064\ufeff"  # widths of nothing: they split words for a search
    "\u200e\u200f\u202a-\u202e\u2066-\u2069"  # directions, which can make a text read otherwise than it is stored
    "\ud800-\udfff\ufff9-\ufffb\ufffe\uffff"
    "\U000e0000-\U000e007f]"  # tags: text that a person never sees and a model reads
)
_SOFT_HYPHEN: Final = re.compile("(?:(?P<before>\\S)|(?<![ \t]))[ \t]*\n?\xad+[ \t]*\n?[ \t]*(?P<after>\\S?)")
_FROM_RIGHT: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_MANY_BREAKS: Final = re.compile(r"\n{3,}")

_CONTROL: Final = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]")
_CONTROLS_ALLOWED: Final = 0.03
"""Share of control characters up to which a file is text; random bytes have a tenth."""
_STRAYS_ALLOWED: Final = 4
"""A short text may hold a few all the same."""


def is_text(text: str) -> bool:
    """Whether this is what a person wrote, rather than the bytes of a program put down as characters."""
    return len(_CONTROL.findall(text)) <= max(_CONTROLS_ALLOWED * len(text), min(_STRAYS_ALLOWED, len(text) // 8))


def cleaned(text: str) -> str:
    """The text in NFC, lines ended by a line feed, without what nobody sees and with soft hyphens resolved."""
    text = _BREAKS.sub("\n", text)
    text = _BLANKS.sub(" ", text)
    text = _UNSEEN.sub("", text)
    text = _SYMBOL_BULLETS.sub(BULLET, text)
    text = _PRESENTATION_FORMS.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)
    if "\xad" in text:
        text = _SOFT_HYPHEN.sub(_without_soft_hyphen, text)
    return unicodedata.normalize("NFC", text)


def tidied(text: str) -> str:
    """The text without blanks at line ends, and with at most one blank line in a row."""
    text = "\n".join(line.rstrip(" \t") for line in text.split("\n"))  # a pattern would be quadratic in long blanks
    return _MANY_BREAKS.sub("\n\n", text).strip("\n")


def is_from_right(text: str) -> bool:
    """Whether there is Hebrew or Arabic in it."""
    return _FROM_RIGHT.search(text) is not None


def is_code_like(character: str) -> bool:
    """Whether a hyphen beside this character belongs to a number or a code: 01-2301-XXX."""
    return character.isdigit() or character.isupper()


def _without_soft_hyphen(found: re.Match[str]) -> str:
    """A soft hyphen is a place to break a word; fonts that lack a hyphen use it for the real one in part numbers."""
    before, after = found["before"] or "", found["after"]
    hyphen = "-" if is_code_like(before) and is_code_like(after) else ""
    return f"{before}{hyphen}{after}"
