"""UTF-16 and UTF-32 without a byte order mark, told from bytes that are no text."""

from __future__ import annotations

import unicodedata
from typing import Final

_SAMPLE_CHARACTERS: Final = 2000
_ENCODINGS: Final = ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be")
"""UTF-32 first: read as UTF-16, it is a text with a NUL after every character."""
_NO_TEXT: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs"})
_BREAKS: Final = frozenset("\t\n\r\x0c")
_NO_TEXT_SHARE: Final = 0.02
_WORD_SHARE: Final = 0.6
"""At least so much of a text is letters, digits and spaces; a table of numbers is more."""
_ALPHABET_BLOCKS: Final = 5
"""Rows of 256 code points that the alphabets of one text lie in; chance takes them from everywhere."""
_IDEOGRAPHIC: Final = ((0x2E80, 0x9FFF), (0xAC00, 0xD7A3), (0xF900, 0xFAFF), (0xFF00, 0xFFEF), (0x20000, 0x323AF))
"""East Asian writing fills hundreds of rows."""
_COMMON: Final = frozenset(" \n　。、，,.的了のはをに")
"""Of which every longer East Asian text holds some; of sixty thousand characters, chance hits others."""
_COMMON_SHARE: Final = 0.03


def wide_encoding_of(sample: bytes) -> str | None:
    """The one of them in which the bytes are a text; None where there is none."""
    for encoding in _ENCODINGS:
        width = 4 if encoding.startswith("utf-32") else 2
        whole = sample[: len(sample) // width * width][: width * _SAMPLE_CHARACTERS]
        try:
            text = whole.decode(encoding)
        except UnicodeDecodeError as error:
            if error.start < len(whole) - width:  # a pair of surrogates may be cut at the end
                continue
            text = whole[: error.start].decode(encoding)
        if text and _is_text(text):
            return encoding
    return None


def _is_text(text: str) -> bool:
    categories = [unicodedata.category(character) for character in text if character not in _BREAKS]
    words = sum(1 for category in categories if category[0] in "LNZM")
    strange = sum(1 for category in categories if category in _NO_TEXT)
    if strange > _NO_TEXT_SHARE * len(text) or words < _WORD_SHARE * len(categories):
        return False
    letters = [ord(character) for character in text if character.isalpha()]
    alphabetic = [code for code in letters if not any(first <= code <= last for first, last in _IDEOGRAPHIC)]
    if len({code >> 8 for code in alphabetic}) > _ALPHABET_BLOCKS:
        return False
    common = sum(1 for character in text if character in _COMMON)
    return len(alphabetic) * 2 > len(letters) or common >= _COMMON_SHARE * len(text)
