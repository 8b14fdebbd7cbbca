"""Which language a text is in, by its stop words; and letters without case and accents."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Final

from rag.text.stop_words import ENGLISH, GERMAN, LATIN, OTHER_SCRIPTS

_LETTERS: Final = {
    GERMAN: "äöüß",
    "french": "éèêàçœ",
    "spanish": "ñáíóú¿",
    "italian": "àèìòù",
    "portuguese": "ãõçáê",
    "swedish": "åäö",
    "danish": "æøå",
    "norwegian": "æøå",
    "finnish": "äö",
    "polish": "ąćęłńśźż",
    "czech": "ěřůšč",
    "hungarian": "őűáé",
    "romanian": "ăâîșț",
    "turkish": "ğışç",
}
_ACCENTED: Final = {language: re.compile(f"[{letters}]", re.IGNORECASE) for language, letters in _LETTERS.items()}

_GERMAN_WORD: Final = re.compile(
    r"\w{3}(?:ungs?|ungen|heit|keit|schaft|antrag|frist|fristen|geld|kosten|pflicht|recht|vertrag|zeit|zeiten)(?!\w)",
    re.IGNORECASE,
)
"""Endings that tell a German compound where no other word is there to tell."""

UNCLEAR: Final = (ENGLISH, GERMAN, "french", "spanish", "italian", "portuguese", "dutch")
"""What a text without any sign of its language may be in: those that most is written in at work, English first."""

_SURE: Final = 3
"""Distinct stop words that a longer text in another language than English has to hold, and more than English ones."""
_SHORT: Final = 25
"""Up to so many distinct words, one less does."""

_LIGATURES: Final = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ı": "i", "ð": "d", "þ": "th"})
_SCRIPTS: Final = (
    (0x0370, 0x03FF, "greek"),
    (0x0400, 0x04FF, "russian"),
    (0x0530, 0x058F, "armenian"),
    (0x0600, 0x06FF, "arabic"),
    (0x0900, 0x097F, "hindi"),
    (0x0B80, 0x0BFF, "tamil"),
)
"""Scripts, by code points, and whose stemmer suits most of what is written in them."""
_CJK_SCRIPTS: Final = {
    "japanese": re.compile(r"[\u3040-\u30ff]"),
    "korean": re.compile(r"[\uac00-\ud7af]"),
    "chinese": re.compile(r"[\u3400-\u9fff]"),
}
"""Tried in this order: Japanese has Han characters, too."""
_LETTERS_ALONE: Final = re.compile(r"[^\W\d_]+")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_ABOVE: Final = 200  # canonical combining classes from here on are marks above and below letters
_POINTS: Final = range(10, 36)  # the vowel points of Hebrew and Arabic


def folded(word: str) -> str:
    """The word without case and accents: "Crème" as "creme", "Straße" as "strasse". Marks that are vowels stay."""
    word = word.casefold()
    if word.isascii():
        return word
    if _CYRILLIC.search(word):  # й is a letter of its own
        return unicodedata.normalize("NFC", word).replace("ё", "е")
    letters = unicodedata.normalize("NFD", word.translate(_LIGATURES))
    return unicodedata.normalize("NFC", "".join(letter for letter in letters if not _is_accent(letter)))


def _is_accent(letter: str) -> bool:
    kind = unicodedata.combining(letter)
    return kind >= _ABOVE or kind in _POINTS


STOP_WORDS: Final[Mapping[str, frozenset[str]]] = {
    language: frozenset(folded(word) for word in words.split()) for language, words in (LATIN | OTHER_SCRIPTS).items()
}
"""By language, folded."""

_LANGUAGES_OF: Final[Mapping[str, tuple[str, ...]]] = {
    word: tuple(language for language in LATIN if word in STOP_WORDS[language])
    for word in frozenset().union(*(STOP_WORDS[language] for language in LATIN))
}


def language_of_word(word: str, language: str) -> str:
    """The language that its script tells; `language`, that of its text, where it is in Latin letters."""
    first = ord(word[0])
    return next((name for start, end, name in _SCRIPTS if start <= first <= end), language)


def language_of(text: str, words: Iterable[str]) -> str:
    """The language of a text, by its stop words; English where nothing says otherwise. `words` are folded."""
    words = set(words)
    signs = _signs(text, words)
    known = (language for language in LATIN if language in signs)  # of equals the first, the same in every process
    best = max(known, key=signs.__getitem__, default=ENGLISH)
    enough = _SURE if len(words) > _SHORT else _SURE - 1
    return best if signs.get(best, 0) >= enough else ENGLISH


def language_of_text(text: str) -> str:
    """The language of a text, or the script where one tells Japanese, Korean or Chinese."""
    for language, letters in _CJK_SCRIPTS.items():
        if len(letters.findall(text)) * 4 > len(text.replace(" ", "")):
            return language
    return language_of(text, _folded_words(text))


def is_other_language(text: str, language: str) -> bool:
    """Whether a sentence is in another language than this, beyond doubt."""
    own = language_of_text(text)
    if own == language or own in _CJK_SCRIPTS or language in _CJK_SCRIPTS:
        return own != language
    words = _folded_words(text)
    ours, theirs = STOP_WORDS.get(own, frozenset[str]()), STOP_WORDS.get(language, frozenset[str]())
    return len(words & ours) > max(1, len(words & theirs))


def _folded_words(text: str) -> frozenset[str]:
    return frozenset(folded(word) for word in _LETTERS_ALONE.findall(text))


def likely_languages(text: str, words: Iterable[str]) -> tuple[str, ...]:
    """The languages that a question may be in, the likeliest first; English among them, as some words are anywhere."""
    words = set(words)
    signs = _signs(text, words)
    if not signs:
        return UNCLEAR
    most = max(signs.values())
    first = language_of(text, words)
    others = sorted(language for language, count in signs.items() if count == most)
    return tuple(dict.fromkeys([first, *others, ENGLISH]))


def _signs(text: str, words: set[str]) -> dict[str, int]:
    """How many distinct stop words, and words with letters of its own, speak for each language."""
    signs: dict[str, int] = {}
    for word in words & _LANGUAGES_OF.keys():
        for language in _LANGUAGES_OF[word]:
            signs[language] = signs.get(language, 0) + 1
    if not text.isascii():
        for language, letters in _ACCENTED.items():
            if letters.search(text):
                signs[language] = signs.get(language, 0) + 1
    if len(words) <= _SHORT and _GERMAN_WORD.search(text):
        signs[GERMAN] = signs.get(GERMAN, 0) + 1
    return signs
