"""Bytes to text, whatever encoding they are in."""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from typing import Final

import chardet

from indexer.extraction.characters.wide import wide_encoding_of

_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE_BYTES: Final = 64 * 1024
"""Enough to tell an encoding; detection is quadratic in patience, not in insight."""
_FEW_BYTES: Final = 1024
"""What is no longer is looked at whole."""
_BEYOND_ASCII: Final = re.compile("[^\x00-\x7f]")
_WHOLE_FOR_EACH_BROKEN: Final = 3
"""A file is UTF-8 in spite of damaged bytes when far more sequences are whole: chance does not make those."""
_UNPRINTABLE: Final = bytes(code for code in range(32) if code not in b"\t\n\r\x0c") + b"\x7f"
_PRINTABLE_SHARE: Final = 0.75
"""Of UTF-16 in any script of one byte, about half of the bytes are none."""
_SHIFTS: Final = (
    *((shift, "iso2022_jp_2") for shift in (b"\x1b$B", b"\x1b$@", b"\x1b(J")),
    (b"\x1b$)C", "iso2022_kr"),
)
"""What encodings of several character sets change them with (RFC 1468, RFC 1557)."""
_LATIN_1: Final = frozenset({"iso8859-1", "ascii"})
_IN_USE: Final = (
    *(f"cp{number}" for number in (437, 850, 852, 866, 874, 932, 949, 1140, *range(1250, 1259))),
    *(f"iso8859-{part}" for part in (1, 2, 5, 6, 7, 8, 9, 15)),
    *("utf-8", "koi8-r", "koi8-u", "mac-roman", "mac-cyrillic", "mac-latin2", "cp037", "cp500"),
    *("big5hkscs", "gb18030", "euc_jis_2004", "cp949", "hz"),
)
"""What files on drives were written in; the rest would only draw short texts to themselves."""
_CONFIDENCE: Final = 0.1
"""Of chardet: below it, it has seen too little to tell."""
_RULED_OUT: Final = frozenset({"utf-8", "ascii"})
_SUPERSETS: Final = {
    "iso8859-1": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
}
"""What goes by the smaller name was mostly written in the larger set."""
_WESTERN: Final = re.compile("[\x00-\x7fÀ-ÖØ-öø-ÿŒœŠšŽžŸ“”„‘’‚‹›«»–—…€£¥§©®™°µ·•¿¡¼½¾²³ªº\xa0\xad]*")
_LETTERS: Final = re.compile("[À-ÖØ-öø-ÿŒœŠšŽžŸ]")
_ACCENTS_IN_A_ROW: Final = re.compile("[À-ÖØ-öø-ÿ]{3}")
_WESTERN_SHARE: Final = 0.05
"""More of a text in a Western language is ASCII than this leaves out."""
_SHORT_WESTERN_SHARE: Final = 0.3
"""A name or a line may hold more."""
_SIGNS_SHARE: Final = 0.3
"""Quotation marks, dashes and currencies may be dense in a text that has hardly an accent."""
_SYMBOL_IN_WORD: Final = re.compile("[a-zà-ÿ][¡-»¿×÷]|[a-zà-ÿ][À-ÖØ-ÞŠŒŽŸ–—†‡‰“”„‘‹›][a-zà-ÿ]")
"""Where another code page has letters: "rodz¹ siê" for "rodzą się", "kŸhl" for "kühl"."""
_CENTRAL: Final = ("cp1250", "iso8859-2")
"""Two code pages of Central Europe that have nearly all letters in the same places."""
_NOT_CENTRAL: Final = re.compile(r"[\x80-\x9f]|[a-z][±¶¦¬]|[a-z][©«®µ»][a-z]|(?<![^\W\d_])[¦©¬®][^\W\d_]")
"""What comes out where one is taken for the other: "®ádost" for "Žádost"."""


def decoded(raw: bytes, *, declared: str | None = None) -> str:
    """The text of a file's bytes. A byte order mark counts most, then `declared`, then what the bytes look like."""
    encoding = encoding_of(raw, declared=declared)
    return raw.decode(encoding, errors="replace")


def losses(text: str) -> Sequence[str]:
    """What to warn of where bytes could not be decoded; nothing where all could."""
    count = text.count("\N{REPLACEMENT CHARACTER}")
    if not count:
        return ()
    what = "1 character was" if count == 1 else f"{count:,} characters were"
    return (f"{what} not readable in this file's encoding, and stand as “\N{REPLACEMENT CHARACTER}”.",)


def encoding_of(raw: bytes, *, declared: str | None = None) -> str:
    """The name of the encoding, as Python knows it.

    What is valid UTF-8 beyond ASCII is nothing else, whatever it says: programs that convert a file leave its head.
    """
    for mark, encoding in _BOMS:
        if raw.startswith(mark):
            return encoding
    if declared is not None and _decodes(raw, declared) and (raw.isascii() or not _decodes(raw, "utf-8")):
        return _as_windows_has_it(raw, declared)
    sample = raw[:_SAMPLE_BYTES]
    if b"\x00" in sample and not _is_ascii_with_strays(sample) and (wide := wide_encoding_of(sample)):
        return wide
    for shift, encoding in _SHIFTS:
        if shift in raw and _decodes(raw, encoding):
            return encoding
    if _is_utf8(raw):
        return "utf-8"
    return _guessed(raw)


def _decodes(raw: bytes, encoding: str) -> bool:
    try:
        codecs.lookup(encoding)  # no bytes can be decoded by a name that nobody knows
        raw.decode(encoding)
    except (LookupError, ValueError):
        return False
    return True


def _is_ascii_with_strays(sample: bytes) -> bool:
    """Text with a NUL here and there, which two of its letters at once would make Chinese."""
    letters = sample.translate(None, _UNPRINTABLE)
    return sample.isascii() and len(letters) > _PRINTABLE_SHARE * len(sample)


def _as_windows_has_it(raw: bytes, encoding: str) -> str:
    """What calls itself Latin-1 is Windows-1252, as browsers read it (WHATWG Encoding, section 4.2)."""
    return "cp1252" if codecs.lookup(encoding).name in _LATIN_1 and _decodes(raw, "cp1252") else encoding


def _is_utf8(raw: bytes) -> bool:
    text = raw.decode("utf-8", errors="replace")
    invalid = text.count("\N{REPLACEMENT CHARACTER}")
    return invalid == 0 or len(_BEYOND_ASCII.findall(text)) - invalid > _WHOLE_FOR_EACH_BROKEN * invalid


def _guessed(raw: bytes) -> str:
    """By chardet, which compares how much each decoding looks like a language."""
    sample = _around_the_first_accents(raw)
    if _looks_western(sample, accents=_WESTERN_SHARE):
        return "cp1252"
    guess = chardet.detect(sample, compat_names=False, include_encodings=_IN_USE)
    found = guess["encoding"]
    if guess["confidence"] < _CONFIDENCE and _looks_western(sample, accents=_SHORT_WESTERN_SHARE):
        return "cp1252"
    if found is not None and found not in _RULED_OUT:
        found = _SUPERSETS.get(codecs.lookup(found).name, found)
        if found in _CENTRAL:
            found = min((found, *_CENTRAL), key=lambda encoding: _strangeness(sample, encoding))
        if _mostly_decodes(raw, found):
            return found
    return wide_encoding_of(raw[:_SAMPLE_BYTES]) or ("cp1252" if _decodes(raw, "cp1252") else "latin-1")


def _mostly_decodes(raw: bytes, encoding: str) -> bool:
    """A broken byte here and there does not make it another encoding."""
    text = raw.decode(encoding, errors="replace")
    broken = text.count("\N{REPLACEMENT CHARACTER}")
    return broken == 0 or len(_BEYOND_ASCII.findall(text)) - broken > _WHOLE_FOR_EACH_BROKEN * broken


def _looks_western(sample: bytes, *, accents: float) -> bool:
    """Mostly ASCII, with accents and signs that English, German or French use: too little for a comparison."""
    text = sample.decode("cp1252", errors="replace")
    letters = len(_LETTERS.findall(text))
    signs = len(_BEYOND_ASCII.findall(text)) - letters
    if letters > accents * len(text) or signs > _SIGNS_SHARE * len(text) or _ACCENTS_IN_A_ROW.search(text):
        return False
    return _WESTERN.fullmatch(text) is not None and _SYMBOL_IN_WORD.search(text) is None


def _strangeness(sample: bytes, encoding: str) -> int:
    return len(_NOT_CENTRAL.findall(sample.decode(encoding, errors="replace")))


def _around_the_first_accents(raw: bytes) -> bytes:
    """The lines that hold what must be told apart: in a long file, pages of plain ASCII would outweigh them."""
    if len(raw) <= _FEW_BYTES:
        return raw
    lines = [line for line in raw.splitlines(keepends=True) if not line.isascii()]
    sample = b"".join(lines) if lines else raw
    return sample if len(sample) <= _SAMPLE_BYTES else sample[:_SAMPLE_BYTES]
