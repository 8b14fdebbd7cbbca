"""A text as written words, its numbers written in one way: what quantities, dates and codes are read from. Linear.

The analyzer's terms drop the signs that these need: currencies, percents, what ends a clause.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from rag.text.languages import folded
from rag.text.scripts import CJK

WORD_CHARS: Final = 64
"""What is longer is no word that anybody wrote."""

_BEFORE_NFKC: Final = {ord(sign): None for sign in "⁰¹²³⁴⁵⁶⁷⁸⁹\u00ad\u200b"} | {  # a note's mark is part of no number
    ord(sign): text
    for sign, text in {
        "½": ".5",
        "¼": ".25",
        "¾": ".75",
        "−": "-",
        "–": " – ",
        "—": " — ",
        "~": " ~ ",
        "≈": " ≈ ",
        "’": "'",
    }.items()
}
_CJK_DATE: Final = re.compile(r"(?:(\d{4}) ?年)? ?(\d{1,2}) ?月(?: ?(\d{1,2}) ?日)?")
_CJK_YEAR: Final = re.compile(r"(\d{4}) ?年度?")
_CJK_EDGE: Final = re.compile(rf"(?<=[{CJK}])(?=[0-9A-Za-z])|(?<=[0-9A-Za-z%])(?=[{CJK}])")
_CJK_SCALE: Final = re.compile(r"(?<=\d) ?([万萬億亿千百])")
_PER_CENT: Final = re.compile(r"\b(?:per|pour|por) ?(?:cent|ciento|cento)\b", re.IGNORECASE)
_FRENCH_TIME: Final = re.compile(r"\b(\d{1,2}) h (\d{2})\b")
_THOUSANDS: Final = re.compile(r"(?<![\w.,])[1-9]\d{0,2}(?: \d{3}){1,4}+(?![\w]|[.,]\d| \d)")
_TIMES: Final = re.compile(r"(?<=\d[:h]\d\d)-(?=\d)")

_DIGIT: Final = re.compile(r"\d")
_WORD: Final = re.compile(r"[^\s|()\[\]{}\"“”„«»‹›;!?<>=…*`、。，；：「」（）]+")
_COMMA: Final = re.compile(r"(?<=[^\d\s]),(?=\S)|,(?=[^\d\s])|:(?=[^\d\s/])")
_TRAILING: Final = ".,:'-/_"
_LEADING: Final = ",:'/_"


@dataclass(frozen=True, slots=True)
class WrittenWord:
    """One word as it is written, without the punctuation around it."""

    text: str
    ends_clause: bool
    """Whether punctuation stands behind it."""
    lower: str
    """In lower case, for the tables."""
    folded: str
    """Without case and accents, for stop words and months."""
    has_digit: bool


def normalised(text: str) -> str:
    """One way of writing digits, fractions, dashes and East Asian dates; words of such scripts apart from digits."""
    plain = unicodedata.normalize("NFKC", text.translate(_BEFORE_NFKC))
    plain = _CJK_DATE.sub(_iso, plain)
    plain = _CJK_YEAR.sub(r" \1 ", plain)
    plain = _CJK_SCALE.sub(r" \1 ", plain)
    plain = _TIMES.sub(" – ", _FRENCH_TIME.sub(r"\1h\2", _PER_CENT.sub("percent", plain)))
    plain = _THOUSANDS.sub(lambda number: number[0].replace(" ", ""), plain)
    return _CJK_EDGE.sub(" ", plain)


def written_words(text: str) -> list[WrittenWord]:
    """The words of a normalised text, in order."""
    words: list[WrittenWord] = []
    for run in _WORD.finditer(text):
        closed = text[run.end() : run.end() + 1] not in {"", " ", "*", "\n", "\t"}
        pieces = _COMMA.split(run[0]) if "," in run[0] or ":" in run[0] else [run[0]]
        for place, piece in enumerate(pieces):
            bare = piece.rstrip(_TRAILING)
            cut = bare.lstrip(_LEADING)
            if cut and len(cut) <= WORD_CHARS:
                ends = len(bare) < len(piece) or place < len(pieces) - 1 or closed
                words.append(WrittenWord(cut, ends, cut.lower(), folded(cut), bool(_DIGIT.search(cut))))
    return words


def _iso(date: re.Match[str]) -> str:
    year, month, day = date.groups()
    return f" {year or '-'}-{int(month):02}" + (f"-{int(day):02} " if day else " ")
