"""Words as BM25 counts them: normalised, codes kept whole, CJK in pairs, English endings cut."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import Final

import Stemmer

CJK: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
"""Scripts that are written without spaces, or with particles grown on to words: kana, Han, Hangul."""

_TOKEN = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+(?:[-_./'’‐][^\W_{CJK}]+)*")
_CJK_RUN = re.compile(rf"[{CJK}]")
_PARTS = re.compile(r"\d+|[^\W\d_]+")
_THOUSANDS = re.compile(r"(?<=\d)[,'’](?=\d{3}(?!\d))")
_JOINERS = re.compile(r"[-_./'’‐]")  # the last is what NFKC makes of Word's non-breaking hyphen
_NUMBER = re.compile(r"[\d.,/-]+")
_CODE = re.compile(r"[a-z]\d")
_CODE_DIGITS = 2
_PERIOD = re.compile(r"(?:fy|cy|q|h)\d{1,4}(?:q\d)?|\d{4}q\d")  # documents write a year or quarter in many ways
_POSSESSIVE = re.compile(r"['’]s$")

STOP_WORDS: Final = frozenset(
    """
    a about all also am an and any are as at be been but by can could did do does for from had has have how i if
    in into is it its many may me might much must my no not of on or our ours s shall should so such t than that
    the their them then there these they this those to was we were what when where which who whom whose why will
    with would you your yours
    """.split()  # noqa: SIM905  # a list of words reads best as words
)
"""Words that carry no subject. In questions as in documents, so that both are counted alike."""


class TermSplitter:
    """Text into terms. Not safe for use by several threads at once: the stemmer keeps a cache."""

    recipe: Final = "terms/4"

    def __init__(self) -> None:
        self._stemmer = Stemmer.Stemmer("english")  # Porter2: Porter, "Snowball", 2001

    def split(self, text: str) -> list[str]:
        """The terms in order, with repetition.

        A compound ("CB-4471-K", "maxRetries", "follow-up") gives itself without joiners and its parts, so that it is
        found by either, and however its joiners are written.
        """
        text = _THOUSANDS.sub("", unicodedata.normalize("NFKC", text))
        terms: list[str] = []
        for match in _TOKEN.finditer(text):
            token = match[0]
            if _CJK_RUN.match(token):
                terms.extend(_pairs(token))
            else:
                terms.extend(self._word(_POSSESSIVE.sub("", token)))
        return terms

    def _word(self, token: str) -> list[str]:
        parts = [part for piece in _JOINERS.split(token) for run in _PARTS.findall(piece) for part in _humps(run)]
        words = [self._normal(part) for part in parts] if len(parts) > 1 else []
        whole = self._normal(token if _NUMBER.fullmatch(token) else _JOINERS.sub("", token))
        return [word for word in (whole, *words) if word]

    def _normal(self, word: str) -> str:
        """The word's stem; empty for one that carries no subject."""
        folded = unicodedata.normalize("NFD", word.casefold())
        plain = "".join(character for character in folded if not unicodedata.combining(character))
        if plain in STOP_WORDS:  # before its ending is cut: "does" would become "doe"
            return ""
        return plain if any(map(str.isdigit, plain)) else self._stemmer.stemWord(plain)


def _humps(run: str) -> list[str]:
    """The words of a camel-cased run of letters, in any script that has cases: HTTPServer, überPrüfung."""
    if run.islower() or run.isupper() or run[1:].islower():
        return [run]
    starts = [
        i
        for i in range(1, len(run))
        if run[i].isupper() and (run[i - 1].islower() or (run[i - 1].isupper() and run[i + 1 : i + 2].islower()))
    ]
    return [run[start:end] for start, end in pairwise([0, *starts, len(run)])]


def _pairs(run: str) -> list[str]:
    """Overlapping bigrams: what search engines do for scripts without spaces; a lone character stands for itself."""
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def is_code(term: str) -> bool:
    """Whether a term is an identifier rather than a word or a quantity: "cfol999", "cb4471k"; not "24hour", "b2b"."""
    return bool(_CODE.search(term)) and sum(map(str.isdigit, term)) >= _CODE_DIGITS and not _PERIOD.fullmatch(term)
