"""Dates and times of day in the ways people write them, and whether one bears out another."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rag.answering.groundedness.counting import MONTHS
from rag.answering.groundedness.lexing import Word

_ISO: Final = re.compile(r"(\d{4}|-)[-/](\d{1,2})(?:[-/](\d{1,2}))?(?:T.*)?")
_DOTTED: Final = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})")
_MONTH: Final = re.compile(r"(\d{1,2})[./](\d{4})")
_HOURS_BY_NAME: Final = {
    "noon": 720,
    "midday": 720,
    "mittag": 720,
    "midi": 720,
    "midnight": 0,
    "mitternacht": 0,
    "minuit": 0,
}
_SLASHED: Final = re.compile(r"(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})")
_SHORT: Final = re.compile(r"(\d{1,2})\.(\d{1,2})")
_TIME: Final = re.compile(r"(\d{1,2})[:h](\d{2})(?::\d{2})?(am|pm|h)?|(\d{1,2})(am|pm)", re.IGNORECASE)
_CLOCK: Final = re.compile(r"(\d{1,2})(?:[.:](\d{2}))?")
_HALVES: Final = {"am": 0, "a.m": 0, "pm": 12, "p.m": 12}
_OF_CLOCK: Final = frozenset({"uhr", "o'clock", "h"})
_DAY: Final = re.compile(r"(\d{1,2})(?:st|nd|rd|th|er|º)?")
_YEAR: Final = re.compile(r"(?:19|20)\d{2}")
_BEFORE_DAYS: Final = frozenset({"am", "vom", "zum", "bis", "ab", "seit", "den", "dem", "der"})
_OF: Final = frozenset({"of", "de", "del", "the", "di"})
_CENTURY: Final = 2000
_MONTHS_A_YEAR: Final = 12
_DAYS: Final = 31
_HOURS: Final = 24


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
    halves: bool = False
    """Whether the time may be twelve hours later: "9:00" of who writes am and pm."""


def dates_of(words: Sequence[Word]) -> tuple[list[When], list[Word]]:
    """The dates and times among the words, and the words that are part of none, both in order."""
    found: list[When] = []
    left: list[Word] = []
    i = 0
    while i < len(words):
        whens, end = _at(words, i)
        if whens:
            day = _day_before(left, whens[0])
            if day is not None:
                whens = [replace(whens[0], text=f"{day} {whens[0].text}", day=day)]
            found += whens
            i = end
        else:
            left.append(words[i])
            i += 1
    return found, left


def agrees(source: When, said: When, years: Collection[int]) -> bool:
    """Whether the source's date says all that was said; a year that it leaves out may stand elsewhere: in `years`."""
    if said.minutes is not None:
        if source.minutes is None:
            return False
        apart = abs(source.minutes - said.minutes)
        return apart == 0 or (apart == _HOURS * 30 and (source.halves or said.halves))
    if source.minutes is not None:
        return False
    if said.year is not None and said.year != source.year and not (source.year is None and said.year in years):
        return False
    pairs = {(source.month, source.day)} | ({(source.day, source.month)} if source.swapped else set())
    wanted = {(said.month, said.day)} | ({(said.day, said.month)} if said.swapped else set())
    return any(month == have and day in {None, on} for month, day in wanted for have, on in pairs)


def _at(words: Sequence[Word], i: int) -> tuple[list[When], int]:
    word = words[i]
    if word.lower in MONTHS:
        return _named(words, i)
    if word.lower in _HOURS_BY_NAME:
        return [When(word.text, minutes=_HOURS_BY_NAME[word.lower])], i + 1
    if not word.has_digit:
        return [], i
    times, end = _times(words, i)
    if times:
        return times, end
    when = _numeric(words, i)
    return ([] if when is None else [when]), i + 1


def _times(words: Sequence[Word], i: int) -> tuple[list[When], int]:
    text = words[i].text
    parts = text.split("-")
    if len(parts) == 2 and all(_TIME.fullmatch(part) for part in parts):  # noqa: PLR2004  # 9:00-17:00
        return [_time(part, "") for part in parts], i + 1
    after = words[i + 1].lower if i + 1 < len(words) else ""
    if _TIME.fullmatch(text):
        end = i + 2 if after in _HALVES or after in _OF_CLOCK else i + 1
        return [_time(text, after)], end
    if (after in _HALVES or after in _OF_CLOCK - {"h"}) and _CLOCK.fullmatch(text):
        return [_time(text, after)], i + 2
    return [], i


def _numeric(words: Sequence[Word], i: int) -> When | None:
    text = words[i].text
    if iso := _ISO.fullmatch(text):
        year, month, day = iso.groups()
        when = When(text, None if year == "-" else int(year), int(month), int(day) if day else None)
    elif dotted := _DOTTED.fullmatch(text):
        when = When(text, _full(int(dotted[3])), int(dotted[2]), int(dotted[1]))
    elif slashed := _SLASHED.fullmatch(text):
        one, two, year = map(int, slashed.groups())
        month, day = (two, one) if _possible(two, one) else (one, two)
        when = When(text, _full(year), month, day, swapped=_possible(one, two) and _possible(two, one))
    elif named := _MONTH.fullmatch(text):
        when = When(text, int(named[2]), int(named[1]))
    elif words[i].dotted and i and words[i - 1].lower in _BEFORE_DAYS and (short := _SHORT.fullmatch(text)):
        when = When(text, None, int(short[2]), int(short[1]))  # "am 1.3.", not the 1.3 at the end of a sentence
    else:
        return None
    return when if _possible(when.month or 1, when.day or 1) else None


def _named(words: Sequence[Word], i: int) -> tuple[list[When], int]:
    """A month by name, with what stands behind it: "March 5th, 2025", "March 2025", "mars 2025", "marzo de 2025"."""
    month = MONTHS[words[i].lower]
    end, day, year = i + 1, None, None
    if end < len(words) and (match := _DAY.fullmatch(words[end].text)) and not words[i].ends_clause:
        day = int(match[1]) if 0 < int(match[1]) <= _DAYS else None
        end += day is not None
    after = end + 1 if end < len(words) and words[end].lower in _OF else end
    if after < len(words) and _YEAR.fullmatch(words[after].text):
        year, end = int(words[after].text), after + 1
    before = words[i - 1] if i else None
    if before is not None and before.lower in _OF and i > 1:
        before = words[i - 2]
    beside = day is not None or year is not None or (before is not None and _DAY.fullmatch(before.text) is not None)
    if not beside and (not words[i].text[0].isupper() or i == 0 or len(words[i].text) <= 3):  # noqa: PLR2004  # "may", "mar"
        return [], i
    return [When(" ".join(word.text for word in words[i:end]), year, month, day)], end


def _day_before(left: list[Word], when: When) -> int | None:
    """The day in front of a month's name; it is taken out of the words."""
    if when.day is not None or when.month is None or when.minutes is not None or not when.text[0].isalpha():
        return None
    of = len(left) > 1 and left[-1].lower in _OF
    place = len(left) - (2 if of else 1)
    match = _DAY.fullmatch(left[place].text) if place >= 0 else None
    if match is None or not 0 < int(match[1]) <= _DAYS:
        return None
    del left[place:]
    return int(match[1])


def _time(text: str, after: str) -> When:
    if clock := _TIME.fullmatch(text):
        hour, minute = int(clock[1] or clock[4]), int(clock[2] or 0)
        half = (clock[3] or clock[5] or after).lower()
    else:
        match = _CLOCK.fullmatch(text)
        hour, minute = (int(match[1]), int(match[2] or 0)) if match else (0, 0)
        half = after
    if half in _HALVES:
        hour = hour % 12 + _HALVES[half]
    shown = f"{text} {after}" if after in _HALVES or after in _OF_CLOCK else text
    return When(shown, minutes=hour * 60 + minute, halves=half not in _HALVES and half not in _OF_CLOCK and hour <= 12)  # noqa: PLR2004  # of a clock


def _possible(month: int, day: int) -> bool:
    return 1 <= month <= _MONTHS_A_YEAR and 1 <= day <= _DAYS


def _full(year: int) -> int:
    return year if year >= 100 else _CENTURY + year  # noqa: PLR2004  # two digits
