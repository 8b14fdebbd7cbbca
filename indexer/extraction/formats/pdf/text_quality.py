"""Whether a page's text layer is what is printed on it: fonts may map their glyphs to other characters, or to none."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any, Final

import pymupdf

_GARBAGE_SHARE: Final = 0.3
"""Of characters that are none. Less of them is a formula, or a word in an odd font."""
_FEWEST: Final = 3
_UNMAPPED: Final = "\N{REPLACEMENT CHARACTER}"
_HONEST_FLAGS: Final = pymupdf.TEXTFLAGS_TEXT & ~pymupdf.TEXT_CID_FOR_UNKNOWN_UNICODE
_OWN_ENCODINGS: Final = frozenset({"", "Identity-H", "Identity-V"})
_NO_CHARACTER: Final = frozenset({"Cc", "Cn", "Co", "Cs"})
"""Controls, unassigned, private and surrogate code points."""

_SHARES: Final = MappingProxyType(
    dict(zip("abcdefghijklmnopqrstuvwxyz", (
        0.081, 0.013, 0.029, 0.041, 0.129, 0.014, 0.017, 0.027, 0.074, 0.005, 0.012, 0.041, 0.027,
        0.072, 0.060, 0.023, 0.006, 0.062, 0.062, 0.060, 0.040, 0.015, 0.010, 0.003, 0.010, 0.010,
    ), strict=True))
)  # fmt: skip
"""How often each letter stands in a text: the rounded mean over English, German, French, Spanish, Italian, Portuguese,
Dutch, Swedish and Polish."""
_DIVERGENCE: Final = 0.5
"""Nats by which a page's letters differ from these. Of 1,700 pages in seven languages, code and tables among them, two
had more; texts whose letters are shifted or exchanged have 0.6 and more."""
_FEWEST_LETTERS: Final = 60
_LATIN_SHARE: Final = 0.8
"""Of a page's letters: names and commands in a Chinese text are too few, and too odd, to tell."""
_ACCENTED_SHARE: Final = 0.45
"""Vietnamese has 0.3; Cyrillic taken for Latin has nearly all."""
_RARE_SHARE: Final = 0.25
"""Of Han characters that are common in no country; a real text has a few in a hundred."""

_WORD_EDGES: Final = ".,;:!?()[]{}\"'“”‘’«»„–—-…•*/<>"
_ODD: Final = re.compile(
    r"[^\W\d_][*«»^~|=+#$%&{}<>§£¥]+[^\W\d_]"  # marks inside a word
    r"|[^\W\d_]\d+[^\W\d_]"  # digits likewise
    r"|[a-zß-ÿ][A-Z]{2,}[a-z]|[a-z][A-Z][a-z]?$"  # capitals that no name has
)
_FEWEST_WORDS: Final = 10
_LETTERS: Final = re.compile(r"[^\W\d_]{3,}")
_FIGURES: Final = re.compile(r"\d{2}")
_FEWEST_CHARACTERS: Final = 4
_VOWELS: Final = frozenset("aeiouyäöüåæøœ")


def _common_han() -> frozenset[str]:
    """The first levels of GB 2312, JIS X 0208 and Big5: what people in China, Japan and Taiwan write."""
    rows = (("gb2312", range(0xB0, 0xD8)), ("euc_jp", range(0xB0, 0xD0)), ("big5", range(0xA4, 0xC7)))
    codes = ((codec, bytes((lead, trail))) for codec, leads in rows for lead in leads for trail in range(0x40, 0xFF))
    return frozenset(code.decode(codec, errors="ignore")[:1] for codec, code in codes)


_COMMON_HAN: Final = _common_han()
_HAN: Final = re.compile("[\u3400-\u9fff]")


def is_unmapped(page: pymupdf.Page, text: str) -> bool:
    """Whether much of the page's text is glyphs of which nobody says what characters they are.

    The library makes up characters for those ("6XPPD" for "Summa"); asked not to, it marks them.
    """
    bare, document = text, page.parent
    if document is not None and any(_lacks_map(document, font) for font in page.get_fonts()):
        bare = str(page.get_text("text", flags=_HONEST_FLAGS))
    counts = Counter(bare)  # a page has thousands of characters, and some eighty different ones
    letters = sum(count for character, count in counts.items() if character.isalnum())
    garbage = sum(count for character, count in counts.items() if _is_garbage(character))
    return garbage >= _FEWEST and garbage >= _GARBAGE_SHARE * (letters + garbage)


def looks_garbled(text: str) -> bool:
    """Whether the text's characters are real but hardly a text: to be looked into, not to be thrown away."""
    letters = Counter({character: count for character, count in Counter(text).items() if character.isalpha()})
    if letters.total() < _FEWEST_LETTERS:
        return False
    han = Counter({character: count for character, count in letters.items() if _HAN.match(character)})
    if han.total() >= _FEWEST_LETTERS:
        rare = sum(count for character, count in han.items() if character not in _COMMON_HAN)
        return rare > _RARE_SHARE * han.total()
    latin = Counter({character: count for character, count in letters.items() if character < "\u0250"})
    if latin.total() < max(_FEWEST_LETTERS, _LATIN_SHARE * letters.total()):
        return False
    accented = sum(count for character, count in latin.items() if not character.isascii())
    return accented > _ACCENTED_SHARE * latin.total() or _divergence(latin) > _DIVERGENCE


def lacks_words(page: pymupdf.Page, text: str) -> bool:
    """Whether a short text in fonts that do not tell their characters has nothing like a word or a number in it."""
    marks = "".join(text.split())
    if not _FEWEST_CHARACTERS <= len(marks) <= _FEWEST_LETTERS or any(mark >= "\u0250" for mark in marks):
        return False
    words = _LETTERS.findall(unicodedata.normalize("NFC", text.lower()))
    if _FIGURES.search(text) or any(not _VOWELS.isdisjoint(unicodedata.normalize("NFD", word)) for word in words):
        return False
    document, fonts = page.parent, page.get_fonts()
    return document is not None and bool(fonts) and all(_lacks_map(document, font) for font in fonts)


def odd_words(text: str) -> float:
    """The share of words that no language has: without a vowel, or with marks, digits or capitals inside.

    It is 0 where there are too few words to tell.
    """
    words = [word for raw in text.split() if len(word := raw.strip(_WORD_EDGES)) > 2 and any(map(str.isalpha, word))]  # noqa: PLR2004  # shorter ones are abbreviations
    return sum(map(_is_odd, words)) / len(words) if len(words) >= _FEWEST_WORDS else 0.0


def _is_odd(word: str) -> bool:
    bare = unicodedata.normalize("NFD", word.lower())
    is_latin = word.isalpha() and all(character < "\u0250" for character in word)
    return bool(_ODD.search(word)) or (is_latin and not word.isupper() and _VOWELS.isdisjoint(bare))


def _lacks_map(document: pymupdf.Document, font: Sequence[Any]) -> bool:
    """Whether it has an encoding of its own, and no table that tells the characters."""
    xref, encoding = font[0], font[5]
    return encoding in _OWN_ENCODINGS and document.xref_get_key(xref, "ToUnicode")[0] == "null"


def _is_garbage(character: str) -> bool:
    return character == _UNMAPPED or (character not in "\t\n\r" and unicodedata.category(character) in _NO_CHARACTER)


def _divergence(letters: Counter[str]) -> float:
    """The relative entropy of the letters, less what is due to the smallness of the sample (Miller, 1955)."""
    plain: Counter[str] = Counter()
    for letter, count in letters.items():
        for part in unicodedata.normalize("NFD", letter.lower()):
            if part in _SHARES:
                plain[part] += count
    total = plain.total()
    if not total:
        return 0.0
    shares = {letter: count / total for letter, count in plain.items()}
    entropy = sum(share * math.log(share / _SHARES[letter]) for letter, share in shares.items())
    return entropy - (len(shares) - 1) / (2 * total)
