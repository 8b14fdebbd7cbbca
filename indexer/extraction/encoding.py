"""Bytes to text, whatever encoding they are in."""

from __future__ import annotations

import codecs
import re
from typing import Final

import charset_normalizer

_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE_BYTES: Final = 64 * 1024
"""Enough to tell an encoding; detection is quadratic in patience, not in insight."""
_WIDE_NUL_SHARE: Final = 0.2
"""From this share of zero bytes, all at odd or all at even places, a text is UTF-16."""
_BEYOND_ASCII: Final = re.compile("[^\x00-\x7f]")
_WHOLE_FOR_EACH_BROKEN: Final = 3
"""A file is UTF-8 in spite of damaged bytes when far more sequences are whole: chance does not make those."""
_WESTERN: Final = re.compile("[\x00-\x7fÀ-ÖØ-öø-ÿŒœŠšŽžŸ“”„‘’‚‹›«»–—…€£¥§©®™°µ·•¿¡¼½¾²³ªº\xa0\xad]*")
_ACCENTS_IN_A_ROW: Final = re.compile("[À-ÖØ-öø-ÿ]{3}")
_WESTERN_SHARE: Final = 0.05
"""More of a text in a Western language is ASCII than this leaves out."""
_SYMBOL_IN_WORD: Final = re.compile("[a-zà-ÿ][¡-»¿×÷]")
_SYMBOLS_ALLOWED: Final = 0.01
"""A text has a footnote mark or a unit (m²) here and there, not one in every hundred characters."""


def decoded(raw: bytes, *, declared: str | None = None) -> str:
    """The text of a file's bytes. A byte order mark counts most, then `declared`, then what the bytes look like."""
    encoding = encoding_of(raw, declared=declared)
    return raw.decode(encoding, errors="replace")


def encoding_of(raw: bytes, *, declared: str | None = None) -> str:
    """The name of the encoding, as Python knows it."""
    for mark, encoding in _BOMS:
        if raw.startswith(mark):
            return encoding
    if declared is not None and _decodes(raw, declared):
        return declared
    if wide := _wide_without_mark(raw[:_SAMPLE_BYTES]):
        return wide
    if _is_utf8(raw):
        return "utf-8"
    return _guessed(raw)


def _decodes(raw: bytes, encoding: str) -> bool:
    try:
        raw.decode(encoding)
    except (LookupError, UnicodeDecodeError):
        return False
    return True


def _wide_without_mark(sample: bytes) -> str | None:
    """UTF-16 shows itself by zero bytes in every second place, as long as the text is mostly Latin."""
    places = max(len(sample) // 2, 1)
    even, odd = sample[::2].count(0) / places, sample[1::2].count(0) / places
    if odd > _WIDE_NUL_SHARE and even * 4 < odd:
        return "utf-16-le"
    if even > _WIDE_NUL_SHARE and odd * 4 < even:
        return "utf-16-be"
    return None


def _is_utf8(raw: bytes) -> bool:
    text = raw.decode("utf-8", errors="replace")
    invalid = text.count("\N{REPLACEMENT CHARACTER}")
    return invalid == 0 or len(_BEYOND_ASCII.findall(text)) - invalid > _WHOLE_FOR_EACH_BROKEN * invalid


def _guessed(raw: bytes) -> str:
    """By charset-normalizer, which compares how much each decoding looks like a language."""
    sample = _around_the_first_accents(raw)
    if _looks_western(sample):
        return "cp1252"
    matches = [
        match
        for match in charset_normalizer.from_bytes(sample, steps=10, chunk_size=1024)
        if _decodes(raw, match.encoding)
    ]
    if not matches:
        return "cp1252" if _decodes(raw, "cp1252") else "latin-1"
    best = min(matches, key=lambda match: _symbols_in_words(str(match)))  # of equals the first: they come best first
    western = any(match.encoding == "cp1252" and match.chaos <= best.chaos for match in matches)
    return "cp1252" if western and best.coherence == 0 else best.encoding


def _looks_western(sample: bytes) -> bool:
    """Mostly ASCII, with accents and signs that English, German or French use: too little for a comparison."""
    text = sample.decode("cp1252", errors="replace")
    if len(_BEYOND_ASCII.findall(text)) > _WESTERN_SHARE * len(text) or _ACCENTS_IN_A_ROW.search(text):
        return False
    return _WESTERN.fullmatch(text) is not None and _SYMBOL_IN_WORD.search(text) is None


def _symbols_in_words(text: str) -> bool:
    """Whether symbols stand where another code page has letters: "rodz¹ siê" for "rodzą się"."""
    return len(_SYMBOL_IN_WORD.findall(text)) > _SYMBOLS_ALLOWED * len(text)


def _around_the_first_accents(raw: bytes) -> bytes:
    """A sample that holds what must be told apart, though a long file begin with pages of plain ASCII."""
    found = re.search(rb"[\x80-\xff]", raw)
    start = max(0, found.start() - 1024) if found else 0
    return raw[start : start + _SAMPLE_BYTES]
