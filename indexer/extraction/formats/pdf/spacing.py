"""The spaces of a printed line, told from where its characters stand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from statistics import median
from typing import Final

from indexer.extraction.formats.pdf.glyphs import Glyph

_WORDS_OF_ONE_LETTER: Final = (
    "aAIyYeEoOuUàÀéèóÓ"
    "\u0410\u0412\u0418\u041a\u041e\u0421\u0423\u042f\u0430\u0432\u0438\u043a\u043e\u0441\u0443\u044f"  # Cyrillic
)
_LONE: Final = re.compile(rf"(?<!\S)(?![{_WORDS_OF_ONE_LETTER}])[A-Za-z\u00c0-\u04ff](?!\S)")
"""A letter that stands alone and is no word of its own in the languages of Europe."""
_HANGUL_RUN: Final = re.compile("[\uac00-\ud7af]{12}")
"""Longer than a Korean word, its endings included."""
_HANGUL: Final = re.compile("[\uac00-\ud7af]")
_HANGUL_SPACE: Final = 0.2
"""Ems: Korean words are set apart by a quarter to a half."""
_LEAST_WORDS: Final = 4
_TORN_SHARE: Final = 0.15
_LONE_SHARE: Final = 0.6
_WORD_OVER_LETTER: Final = 0.12
"""Ems by which the space between words is wider than that between letters, where they are spaced out."""
_OF_DRAWN_SPACE: Final = 0.7
"""A gap narrower than this share of the spaces that the line really has is kerning."""
_NARROWEST_SPACE: Final = 0.2
"""Ems that a space is wide at least in a text that is not squeezed."""
_LYING_WIDTHS: Final = -0.15
"""Ems that characters lap over each other, by what the font says of their widths: it then says nothing of spaces."""
_LEAST_STEPS: Final = 6
_ALPHABETIC_SHARE: Final = 0.6
_FIRST_WIDE: Final = "\u1100"
_SAME_PITCH: Final = 0.08
_EVEN_SHARE: Final = 0.7
_OVER_PITCH: Final = 1.3
"""Of a typewriter's step, from which one step is two."""
_WHOLE_LETTER: Final = 1.2
"""Ems from the beginning of one letter to that of the next that no letter fills."""


def looks_torn(text: str) -> bool:
    """Whether the spaces of a line are doubtful: letters that stand alone, or Korean without any."""
    lone = len(_LONE.findall(text))
    return (lone > 0 and lone >= _TORN_SHARE * len(text.split())) or _HANGUL_RUN.search(text) is not None


def respaced(glyphs: Sequence[Glyph], size: float) -> str:
    """The line with spaces where its words end, and none inside of them.

    Where it cannot be told, the spaces stay as they are: words that run together are worse than one that is torn.
    """
    text = "".join(glyph.character for glyph in glyphs)
    drawn = [glyph for glyph in glyphs if not glyph.character.isspace()]
    if len(drawn) < 2 or not size:  # noqa: PLR2004  # one character has no neighbour
        return text
    pairs = _pairs(glyphs, size)
    if 2 * len(_HANGUL.findall(text)) > len(drawn):
        kept = [pair.blank == _DRAWN or pair.gap >= _HANGUL_SPACE for pair in pairs]
    elif median(pair.gap for pair in pairs) < _LYING_WIDTHS:
        kept = [pair.blank == _DRAWN or (pair.blank == _INVENTED and pair.step > _WHOLE_LETTER) for pair in pairs]
    elif _is_alphabetic(text) and _is_even(steps := [pair.step for pair in pairs]):
        kept = [pair.blank == _DRAWN or pair.step > _OVER_PITCH * median(steps) for pair in pairs]
    elif _is_spaced_out(text):
        least = _first_jump([pair.gap for pair in pairs])
        if least == inf and _is_a_row_of_letters(text):
            return text
        kept = [pair.gap >= least for pair in pairs]
    else:
        least = _OF_DRAWN_SPACE * median([pair.gap for pair in pairs if pair.blank == _DRAWN] or [0.0])
        least = min(least, _NARROWEST_SPACE)
        kept = [pair.blank == _DRAWN or (pair.blank == _INVENTED and pair.gap >= least) for pair in pairs]
    follow = zip(drawn[1:], kept, strict=True)
    parts = [f" {glyph.character}" if is_spaced else glyph.character for glyph, is_spaced in follow]
    return "".join([drawn[0].character, *parts, " " if text[-1].isspace() else ""])


_NONE, _INVENTED, _DRAWN = range(3)


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two characters that follow each other, in ems."""

    gap: float
    step: float
    """From the beginning of the one to that of the other."""
    blank: int
    """What the file has between them."""


def _pairs(glyphs: Sequence[Glyph], size: float) -> list[_Pair]:
    pairs: list[_Pair] = []
    before: Glyph | None = None
    blank = _NONE
    for glyph in glyphs:
        if glyph.character.isspace():
            blank = max(blank, _INVENTED if glyph.invented else _DRAWN)
            continue
        if before is not None:
            pairs.append(_Pair((glyph.x0 - before.x1) / size, (glyph.x0 - before.x0) / size, blank))
        before, blank = glyph, _NONE
    return pairs


def _is_alphabetic(text: str) -> bool:
    """Whether it is mostly letters of different widths: not Chinese, nor the dots that lead to a page."""
    letters = sum(1 for character in text if character.isalpha() and character < _FIRST_WIDE)
    return letters >= _ALPHABETIC_SHARE * len(text)


def _is_even(steps: Sequence[float]) -> bool:
    """Whether the characters stand at one distance like those of a typewriter, whatever the font says of them."""
    pitch = median(steps)
    even = sum(1 for step in steps if abs(step - pitch) < _SAME_PITCH * pitch)
    return len(steps) >= _LEAST_STEPS and even > _EVEN_SHARE * len(steps)


def _is_spaced_out(text: str) -> bool:
    """Whether it is S E T like this, throughout."""
    words = text.split()
    lone = sum(1 for word in words if len(word) == 1 and word.isalpha())
    return len(words) >= _LEAST_WORDS and lone > _LONE_SHARE * len(words)


def _is_a_row_of_letters(text: str) -> bool:
    """Whether letters that are evenly apart stand each for itself: no word is A B C, nor written à À â."""
    letters = text.split()
    word = "".join(letters)
    return not (word.isupper() or word.islower() or word.istitle()) or letters == sorted(letters)


def _first_jump(gaps: Sequence[float]) -> float:
    """Where the gaps fall into narrow and wide ones; infinite where they are all alike: one word."""
    upper_half = sorted(gaps)[len(gaps) // 2 :]  # most characters are not the last of their word
    return next((after for before, after in pairwise(upper_half) if after - before >= _WORD_OVER_LETTER), inf)
