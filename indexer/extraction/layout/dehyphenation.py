"""Words broken or run on at the end of a printed line, put together again."""

from __future__ import annotations

import re
from typing import Final

from indexer.extraction.characters.normalization import is_code_like

_WIDE: Final = "\u2e80-\u30ff\u31c0-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
"""Han, kana and their punctuation: scripts without spaces. Korean has spaces and is left out."""
_WIDE_END: Final = re.compile(f"[{_WIDE}]$")
_WIDE_START: Final = re.compile(f"[{_WIDE}]")
_HANGUL_END: Final = re.compile("[\uac00-\ud7af]$")
_HANGUL_START: Final = re.compile("[\uac00-\ud7af]")
_WIDE_LETTER: Final = "\u3005-\u3007\u3040-\u30ff\u31c0-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_SPACED_WIDE: Final = re.compile(f"(?<=[{_WIDE_LETTER}])[ ]+(?=[{_WIDE_LETTER}])")
_HYPHENS: Final = ("-", "\u2010", "\xad")
_LAST_TOKEN: Final = re.compile(r"\S+$")
_FIRST_TOKEN: Final = re.compile(r"\S+")
_CODE_MARKS: Final = re.compile(r"[\d/\\@_.:=#]")
_WORD_EDGES: Final = ".,;:!?()[]{}\"'“”‘’«»„"
_KEPT_BEFORE_HYPHEN: Final = frozenset({"self", "well", "non"})


def joined(upper: str, lower: str, *, page_words: frozenset[str] = frozenset(), spaces_are_kept: bool = False) -> str:
    """Two lines of one paragraph as one.

    A word that was broken at the hyphen is mended; a compound, a part number or an address keeps its hyphen. The
    words of the page, in lower case, tell which of the two it is when both are possible. Korean breaks words without
    a hyphen: where the file keeps the spaces at line ends, a line without one ends inside a word.
    """
    if spaces_are_kept and _HANGUL_END.search(upper) and _HANGUL_START.match(lower):
        return upper + lower
    upper, lower = upper.rstrip(), lower.lstrip()
    if upper.endswith(_HYPHENS):
        return _joined_at_hyphen(upper, lower, page_words)
    if _WIDE_END.search(upper) and _WIDE_START.match(lower):
        return upper + lower
    return f"{upper} {lower}"


def without_wide_spaces(text: str) -> str:
    """The text without the spaces that some programs put between Chinese or Japanese characters."""
    return _SPACED_WIDE.sub("", text)


def _joined_at_hyphen(upper: str, lower: str, page_words: frozenset[str]) -> str:
    head, hyphen = upper[:-1], upper[-1]
    first, second = _LAST_TOKEN.search(head), _FIRST_TOKEN.match(lower)
    if first is None or second is None:  # a dash between words, or a list mark
        return f"{upper} {lower}"
    left, right = first[0].strip(_WORD_EDGES), second[0].strip(_WORD_EDGES)
    if hyphen == "\xad":
        return head + lower if not (is_code_like(head[-1]) and is_code_like(lower[0])) else f"{head}-{lower}"
    return f"{head}-{lower}" if _keeps_hyphen(left, right, page_words) else head + lower


def _keeps_hyphen(left: str, right: str, page_words: frozenset[str]) -> bool:
    if not left or not right or _CODE_MARKS.search(left) or _CODE_MARKS.search(right):
        return True
    if f"{left}{right}".lower() in page_words:
        return False
    if f"{left}-{right}".lower() in page_words or "-" in left:
        return True
    return not (left[-1].islower() and right[0].islower()) or left.lower() in _KEPT_BEFORE_HYPHEN
