"""Dates and times of day as people write them, and as ISO 8601 has them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rag.text.words import WrittenWord

_NAMES: Final = """
    jan january januar janvier enero gennaio janeiro januari
    feb february februar fevrier febrero febbraio fevereiro februari
    mar march marz mars marzo marco maart
    apr april avril abril aprile
    may mai mayo maggio maio mei
    jun june juni juin junio giugno junho
    jul july juli juillet julio luglio julho
    aug august aout agosto augustus
    sep sept september septembre septiembre settembre setembro
    oct okt october oktober octobre octubre ottobre outubro
    nov november novembre noviembre novembro
    dec dez december dezember decembre diciembre dicembre dezembro
"""
MONTHS: Final[Mapping[str, int]] = {
    name: month for month, names in enumerate(_NAMES.strip().splitlines(), start=1) for name in names.split()
}
"""Names and short forms, folded, in English, German, French, Spanish, Italian, Portuguese and Dutch."""

_DAY = re.compile(r"(\d{1,2})(?:st|nd|rd|th|er)?")
_YEAR = re.compile(r"\d{4}")
_FIGURES = re.compile(r"(\d{4})-(\d\d?)-(\d\d?)|(\d\d?)\.(\d\d?)\.(\d{4})|(\d\d?)/(\d\d?)/(\d{4})")
_BETWEEN: Final = frozenset({"of", "de", "del", "di"})  # 19 de agosto de 2022
_LAST_MONTH, _LAST_DAY = 12, 31

_ISO: Final = re.compile(r"(\d{4}|-)[-/](\d{1,2})(?:[-/](\d{1,2}))?(?:T.*)?")
_DOTTED: Final = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})")
_SLASHED: Final = re.compile(r"(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})")
_MONTH: Final = re.compile(r"(\d{1,2})[./](\d{4})")
_DAY_AS_WRITTEN: Final = re.compile(r"(\d{1,2})(?:st|nd|rd|th|er|º)?")
_YEAR_OF_LATE: Final = re.compile(r"(?:19|20)\d{2}")
_TIME: Final = re.compile(r"(\d{1,2})[:h](\d{2})(?::\d{2})?(am|pm|h)?|(\d{1,2})(am|pm)", re.IGNORECASE)
_CLOCK: Final = re.compile(r"(\d{1,2})(?:[.:](\d{2}))?")
_HALVES: Final = {"am": 0, "a.m": 0, "pm": 12, "p.m": 12}
_OF_CLOCK: Final = frozenset({"uhr", "o'clock", "h"})
_NAMED_TIMES: Final[Mapping[str, int]] = {
    **dict.fromkeys(("noon", "midday", "mittag", "midi"), 720),
    **dict.fromkeys(("midnight", "mitternacht", "minuit"), 0),
}
_OF: Final = _BETWEEN | {"the"}
_CENTURY: Final = 2000
_TWO_DIGITS: Final = 100
_SHORT_NAME: Final = 3
"""Letters of a month's name that is a word of its own, too: "may", "mar"."""


@dataclass(frozen=True, slots=True)
class When:
    """A date, or part of one, or a time of day."""

    text: str
    year: int | None = None
    month: int | None = None
    day: int | None = None
    swapped: bool = False
    """Whether month and day may be the other way round: 03/04/2025."""
    minutes: int | None = None
    """Since midnight, of a time of day."""


def date_in_figures(text: str) -> str:
    """The date that the text is; empty for what is none, or might be one of two: 8/9/2022."""
    if not (match := _FIGURES.fullmatch(text)):
        return ""
    if match[1]:
        return _iso(match[1], match[2], match[3])
    if match[4]:
        return _iso(match[6], match[5], match[4])
    if min(int(match[7]), int(match[8])) <= _LAST_MONTH < max(int(match[7]), int(match[8])):
        day, month = sorted((match[7], match[8]), key=int, reverse=True)
        return _iso(match[9], month, day)
    return ""


def dates_in_words(words: Sequence[str]) -> Iterator[tuple[str, range]]:
    """The dates among folded words, and which words each takes: day, month and year, or month, day and year."""
    kept = [position for position, word in enumerate(words) if word not in _BETWEEN]
    for first, second, third in zip(kept, kept[1:], kept[2:], strict=False):
        month, day = (words[second], words[first]) if words[second] in MONTHS else (words[first], words[second])
        number = _DAY.fullmatch(day)
        if month not in MONTHS or not number or not _YEAR.fullmatch(words[third]):
            continue
        if date := _iso(words[third], str(MONTHS[month]), number[1]):
            yield date, range(first, third + 1)


def _iso(year: str, month: str, day: str) -> str:
    if not (1 <= int(month) <= _LAST_MONTH and 1 <= int(day) <= _LAST_DAY):
        return ""
    return f"{year}-{int(month):02}-{int(day):02}"


def dates_of(words: Sequence[WrittenWord]) -> tuple[list[When], list[WrittenWord]]:
    """The dates and times among the words, and the words that are part of none, both in order."""
    found: list[When] = []
    left: list[WrittenWord] = []
    at = 0
    while at < len(words):
        when, end = _named(words, at) or _time(words, at) or (_numeric(words[at].text), at + 1)
        if when is None:
            left.append(words[at])
        else:
            found.append(when)
        at = end
    return found, left


def _named(words: Sequence[WrittenWord], at: int) -> tuple[When, int] | None:
    """A month by name with what stands around it: "5 March 2025", "March 5th, 2025", "mars 2025", "1 de marzo"."""
    day = _day(words, at)
    place = at if day is None else _behind_of(words, at + 1)
    if place >= len(words) or words[place].folded not in MONTHS:
        return None
    end = place + 1
    if day is None and not words[place].ends_clause:
        day = _day(words, end)
        end += day is not None
    after = _behind_of(words, end)
    year = int(words[after].text) if after < len(words) and _YEAR_OF_LATE.fullmatch(words[after].text) else None
    end = end if year is None else after + 1
    name = words[place].text
    if day is None and year is None and (not name[0].isupper() or at == 0 or len(name) <= _SHORT_NAME):
        return None
    return When(" ".join(word.text for word in words[at:end]), year, MONTHS[words[place].folded], day), end


def _day(words: Sequence[WrittenWord], at: int) -> int | None:
    match = _DAY_AS_WRITTEN.fullmatch(words[at].text) if at < len(words) else None
    return int(match[1]) if match and 0 < int(match[1]) <= _LAST_DAY else None


def _behind_of(words: Sequence[WrittenWord], at: int) -> int:
    return at + 1 if at < len(words) and words[at].lower in _OF else at


def _time(words: Sequence[WrittenWord], at: int) -> tuple[When, int] | None:
    text, after = words[at].text, words[at + 1].lower if at + 1 < len(words) else ""
    if words[at].lower in _NAMED_TIMES:
        return When(text, minutes=_NAMED_TIMES[words[at].lower]), at + 1
    named = after in _HALVES or after in _OF_CLOCK
    if match := _TIME.fullmatch(text):
        hour, minute, half = int(match[1] or match[4]), int(match[2] or 0), (match[3] or match[5] or after).lower()
    elif named and after != "h" and (match := _CLOCK.fullmatch(text)):
        hour, minute, half = int(match[1]), int(match[2] or 0), after
    else:
        return None
    if half in _HALVES:
        hour = hour % 12 + _HALVES[half]
    return When(f"{text} {after}" if named else text, minutes=hour * 60 + minute), at + 1 + named


def _numeric(text: str) -> When | None:
    if match := _ISO.fullmatch(text):
        when = When(
            text, None if match[1] == "-" else int(match[1]), int(match[2]), int(match[3]) if match[3] else None
        )
    elif match := _DOTTED.fullmatch(text):
        when = When(text, _full(int(match[3])), int(match[2]), int(match[1]))
    elif match := _SLASHED.fullmatch(text):
        one, two, year = map(int, match.groups())
        month, day = (two, one) if _is_possible(two, one) else (one, two)
        when = When(text, _full(year), month, day, swapped=_is_possible(one, two) and _is_possible(two, one))
    elif match := _MONTH.fullmatch(text):
        when = When(text, int(match[2]), int(match[1]))
    else:
        return None
    return when if _is_possible(when.month or 1, when.day or 1) else None


def _is_possible(month: int, day: int) -> bool:
    return 1 <= month <= _LAST_MONTH and 1 <= day <= _LAST_DAY


def _full(year: int) -> int:
    return year if year >= _TWO_DIGITS else _CENTURY + year
