"""A sentence as words, its numbers written in one way: what figures, dates and names are read from. Linear in time."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from rag.text.languages import folded
from rag.text.scripts import CJK

WORD_CHARS: Final = 64
"""What is longer is no word that anybody wrote."""

_BEFORE_NFKC: Final = {
    ord(c): None for c in "⁰¹²³⁴⁵⁶⁷⁸⁹\u00ad\u200b"
} | {  # a footnote's mark must not grow on to a number
    ord("½"): ".5",
    ord("¼"): ".25",
    ord("¾"): ".75",
    ord("−"): "-",
    ord("–"): " – ",
    ord("—"): " — ",
    ord("~"): " ~ ",
    ord("≈"): " ≈ ",
    ord("’"): "'",
}
_CJK_DATE: Final = re.compile(r"(?:(\d{4}) ?年)? ?(\d{1,2}) ?月(?: ?(\d{1,2}) ?日)?")
_CJK_YEAR: Final = re.compile(r"(\d{4}) ?年度?")
_CJK_EDGE: Final = re.compile(rf"(?<=[{CJK}])(?=[0-9A-Za-z])|(?<=[0-9A-Za-z%])(?=[{CJK}])")
_CJK_SCALE: Final = re.compile(r"(?<=\d) ?([万萬億亿千百])")
_SPELT: Final = re.compile(r"\b(?:per|pour|por) ?(?:cent|ciento|cento)\b", re.IGNORECASE)
_FRENCH_TIME: Final = re.compile(r"\b(\d{1,2}) h (\d{2})\b")
_DIGIT: Final = re.compile(r"\d")
_WORD: Final = re.compile(r"[^\s|()\[\]{}\"“”„«»‹›;!?<>=…*`、。，；：「」（）]+")
_COMMA: Final = re.compile(r"(?<=[^\d\s]),(?=\S)|,(?=[^\d\s])|:(?=[^\d\s/])")
_TRAILING: Final = ".,:'-/_"
_LEADING: Final = ",:'/_"


@dataclass(frozen=True, slots=True)
class Word:
    """One word without the punctuation around it."""

    text: str
    ends_clause: bool
    """Whether punctuation stands behind it."""
    at: int
    """Where it begins in the normalised text, in characters."""
    dotted: bool
    """Whether a full stop stands behind it: "3." may be an ordinal."""
    lower: str
    """In lower case, for the tables."""
    folded: str
    """Without case and accents, for the small words."""
    has_digit: bool

    @classmethod
    def made(cls, text: str, *, ends_clause: bool = False, at: int = 0, dotted: bool = False) -> Word:
        """A word with what is asked of it again and again."""
        return cls(text, ends_clause, at, dotted, text.lower(), folded(text), has_digit=bool(_DIGIT.search(text)))


def normalised(text: str) -> str:
    """One way of writing digits, fractions, dashes and East Asian dates; words of such scripts apart from digits."""
    plain = unicodedata.normalize("NFKC", text.translate(_BEFORE_NFKC))
    plain = _CJK_DATE.sub(_iso, plain)
    plain = _CJK_YEAR.sub(r" \1 ", plain)
    plain = _CJK_SCALE.sub(r" \1 ", plain)
    plain = _FRENCH_TIME.sub(r"\1h\2", _SPELT.sub("percent", plain))
    return _CJK_EDGE.sub(" ", plain)


def words_of(text: str) -> list[Word]:
    """The words of a normalised text, in order."""
    words: list[Word] = []
    for run in _WORD.finditer(text):
        start = run.start()
        closed = text[run.end() : run.end() + 1] not in {"", " ", "*", "\n", "\t"}
        pieces = _COMMA.split(run[0]) if "," in run[0] or ":" in run[0] else [run[0]]
        for place, piece in enumerate(pieces):
            bare = piece.rstrip(_TRAILING)
            cut = bare.lstrip(_LEADING)
            if cut and len(cut) <= WORD_CHARS:
                last = place == len(pieces) - 1
                ends = len(bare) < len(piece) or not last or closed
                dotted = piece[len(bare) : len(bare) + 1] == "."
                words.append(Word.made(cut, ends_clause=ends, at=start + len(bare) - len(cut), dotted=dotted))
            start += len(piece) + 1
    return words


def _iso(date: re.Match[str]) -> str:
    year, month, day = date.groups()
    return f" {year or '-'}-{int(month):02}" + (f"-{int(day):02} " if day else " ")
