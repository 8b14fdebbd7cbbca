"""Where words begin and end, in scripts with spaces and without."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

CJK: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
"""Scripts that are written without spaces, or with particles grown on to words: kana, Han, Hangul."""
_OTHERS_WITHOUT_SPACES: Final = ((0x0E00, 0x0FFF), (0x1000, 0x109F), (0x1780, 0x17FF))
"""Thai, Lao and Tibetan; Burmese; Khmer."""


def _letters_without_spaces() -> str:
    codes = (code for first, last in _OTHERS_WITHOUT_SPACES for code in range(first, last + 1))
    return "".join(chr(code) for code in codes if unicodedata.category(chr(code))[0] in "LM")


def _marks() -> str:
    """The marks that stand on letters: in Indic scripts they are vowels, to a regular expression they end a word."""
    return "".join(chr(code) for code in range(0x300, 0xFFFF) if unicodedata.category(chr(code))[0] == "M")


_UNSPACED: Final = CJK + _letters_without_spaces()
_DECIMAL_COMMA: Final = r"(?<![\w.,])\d+,\d{1,2}(?![\w,]|\.\d)"
_JOINER: Final = "[-_./'’‐&]"  # the last hyphen is what NFKC makes of Word's non-breaking one
_SIGNS: Final = r"(?:\+\+|\#(?!\w))?"  # C++, C#
_ASCII_TOKEN = re.compile(rf"{_DECIMAL_COMMA}|[A-Za-z0-9]+(?:{_JOINER}[A-Za-z0-9]+)*{_SIGNS}")
_RUN: Final = rf"(?:[^\W_{_UNSPACED}]++[{_marks()}]*+)++"
_TOKEN = re.compile(rf"[{_UNSPACED}]+|{_DECIMAL_COMMA}|{_RUN}(?:{_JOINER}{_RUN})*{_SIGNS}")
_UNSPACED_START = re.compile(rf"[{_UNSPACED}]")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


def tokens_of(text: str) -> list[str]:
    """The words of a text with what joins them ("CB-4471-K"), and the runs of letters of scripts without spaces."""
    return (_ASCII_TOKEN if text.isascii() else _TOKEN).findall(text)


def has_no_spaces(token: str) -> bool:
    """Whether a token is a run of a script without spaces."""
    return bool(_UNSPACED_START.match(token))


def pairs(run: str) -> list[tuple[str, tuple[str, ...]]]:
    """Overlapping bigrams: what search engines do for scripts without spaces; a lone character stands for itself.

    With each its Han characters, so that a question may ask for one alone.
    """
    if len(run) == 1:
        return [(run, ())]
    return [(pair, tuple(_HAN.findall(pair))) for pair in (run[i : i + 2] for i in range(len(run) - 1))]
