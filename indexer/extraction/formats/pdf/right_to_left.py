"""Lines of a PDF in Hebrew or Arabic with figures, brackets or Latin words in them, in the order of reading."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from indexer.extraction.characters.normalization import is_from_right
from indexer.extraction.formats.pdf.glyphs import Glyph

_FIGURE: Final = r"0-9\u0660-\u0669\u06f0-\u06f9"
_WORD: Final = r"A-Za-z\u00c0-\u024f"
_FROM_LEFT: Final = re.compile(
    rf"[$€£₪+-]?[{_FIGURE}{_WORD}](?:[^\s\u0590-\u08ff\[\](){{}}«»]*[{_FIGURE}{_WORD}])?%?"  # 1,250.50, a@b.org
    rf"(?:(?<=[{_WORD}])[ ]+[{_WORD}](?:[^\s\u0590-\u08ff\[\](){{}}«»]*[{_FIGURE}{_WORD}])?)*"  # Main Street
)
"""What is read from left to right inside such a line, however it stands there."""
_MIXED: Final = re.compile(rf"[{_FIGURE}{_WORD}\[\](){{}}«»]")


def is_mixed(text: str) -> bool:
    """Whether a line is read from the right, and holds what the library may put at a wrong place."""
    if not is_from_right(text) or _MIXED.search(text) is None:
        return False
    letters = [character for character in text if character.isalpha()]
    return 2 * sum(map(is_from_right, letters)) > len(letters)


def from_right(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """The characters in the order of reading, by where they stand."""
    marked: list[list[Glyph]] = []
    for glyph in glyphs:
        if marked and unicodedata.combining(glyph.character):
            marked[-1].append(glyph)
        else:
            marked.append([glyph])
    marked.sort(key=lambda letter: letter[0].x0 + letter[0].x1)
    drawn = "".join(letter[0].character for letter in marked)
    ordered: list[list[Glyph]] = []
    end = len(drawn)
    for run in reversed(list(_FROM_LEFT.finditer(drawn))):
        ordered.extend(reversed(marked[run.end() : end]))
        ordered.extend(marked[run.start() : run.end()])
        end = run.start()
        if is_from_right(drawn[end - 1 : end]):  # no script has such a word go on there
            ordered.append([Glyph(" ", marked[end][0].x0, marked[end][0].x0, invented=True)])
    ordered.extend(reversed(marked[:end]))
    return [glyph for letter in ordered for glyph in letter]
