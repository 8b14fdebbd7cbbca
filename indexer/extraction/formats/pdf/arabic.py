"""Ligatures of right-to-left scripts in a PDF, whose letters come out in the wrong order."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from indexer.extraction.formats.pdf.glyphs import Glyph

_SUSPECT: Final = re.compile("[\u0622\u0623\u0625\u0627]\u0644")
"""Alef and lam, which is mostly the article, and sometimes the ligature lam-alef turned round."""
_SAME_PLACE: Final = 0.05
"""Points."""


def may_hold_turned_ligatures(text: str) -> bool:
    """Whether it is worth looking at the line's characters one by one."""
    return _SUSPECT.search(text) is not None


def in_logical_order(glyphs: Sequence[Glyph]) -> str:
    """The line with the letters of each ligature in the order in which they are read.

    The library turns a right-to-left line round character by character, those of one glyph too. Such a glyph is told
    by its width, which the last of its letters has alone: lam-alef comes as an alef of no width and a lam.
    """
    parts: list[str] = []
    waiting: list[Glyph] = []
    for glyph in glyphs:
        if _is_letter_without_width(glyph):
            waiting.append(glyph)
            continue
        if waiting and _is_letter(glyph) and abs(glyph.x1 - waiting[0].x0) < _SAME_PLACE:
            parts.append(glyph.character)
            parts.extend(turned.character for turned in reversed(waiting))
        else:
            parts.extend(kept.character for kept in waiting)
            parts.append(glyph.character)
        waiting = []
    return "".join([*parts, *(kept.character for kept in waiting)])


def _is_letter_without_width(glyph: Glyph) -> bool:
    return glyph.x1 - glyph.x0 < _SAME_PLACE and _is_letter(glyph)


def _is_letter(glyph: Glyph) -> bool:
    return unicodedata.bidirectional(glyph.character) in {"R", "AL"}
