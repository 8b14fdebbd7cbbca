"""A day and an hour as a section of a format writes them, in English."""

from __future__ import annotations

import calendar
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from indexer.extraction.formats.office.number_code import Token

EPOCH: Final = datetime(1899, 12, 30)  # noqa: DTZ001  # cells know no time zone
_LEAP_DAY: Final = 60
"""Excel counts 29 February 1900, which never was (ECMA-376, part 1, 18.17.4.1)."""
_END: Final = 2_958_466
"""The first day of the year 10000."""
_DAY_SECONDS: Final = 86_400
_UNITS: Final = {"h": 3600, "m": 60, "s": 1}
_NOON: Final = 12
_INITIAL: Final = 5  # letters that ask for a month's first one
_KNOWN: Final = frozenset("TZ")
"""Letters that stand unquoted in stamps; others are of another language's codes, such as TT.MM.JJJJ."""
_BUDDHIST_YEARS: Final = 543


@dataclass(frozen=True, slots=True)
class _Moment:
    year: int
    month: int
    day: int
    weekday: int
    seconds: int
    """Since midnight."""
    total: int
    """Seconds since the epoch."""
    fraction: str
    """Digits of a second, as many as are shown."""


def moment_text(value: float, tokens: Sequence[Token]) -> str:
    """Days since the epoch as a moment. Raises ValueError for one that no calendar has, or a code of no sense."""
    if not 0 <= value < _END:
        raise ValueError(value)
    tokens = _with_minutes(tokens)
    is_timed = any(kind in ("elapsed", "minutes") or (kind == "moment" and text[0] in "hsHS") for kind, text in tokens)
    moment = _moment(value, digits=_fraction_digits(tokens), timed=is_timed)
    half_days = any(kind == "clock" for kind, _ in tokens)
    written: list[str] = []
    shows_fraction = False
    for at, (kind, text) in enumerate(tokens):
        match kind:
            case "moment" | "minutes":
                written.append(_part(text.lower() if kind == "moment" else text, moment, half_days=half_days))
            case "elapsed":
                unit = text[0].lower()
                written.append(str(moment.total // _UNITS[unit]).zfill(len(text)))
            case "clock":
                written.append(_half_of_day(text, late=moment.seconds >= _NOON * 3600))
            case "point" if _is_fraction(tokens, at):
                shows_fraction = True
                written.append(f".{moment.fraction}")
            case "digit" if shows_fraction:
                pass
            case "other" if text.isascii() and text.isalpha() and text not in _KNOWN:
                raise ValueError(text)
            case _:
                shows_fraction = False
                written.append(text)
    return "".join(written)


def _with_minutes(tokens: Sequence[Token]) -> Sequence[Token]:
    """Those of m that mean minutes, beside hours in front or seconds behind, told from months."""
    times = [at for at, (kind, _) in enumerate(tokens) if kind in ("moment", "elapsed")]
    told = list(tokens)
    for place, at in enumerate(times):
        kind, text = tokens[at]
        if kind == "moment" and text[0] in "mM":
            before = tokens[times[place - 1]][1][0].lower() if place else ""
            behind = tokens[times[place + 1]][1][0].lower() if place + 1 < len(times) else ""
            if before == "h" or behind == "s":
                told[at] = ("minutes", "M" * len(text))
    return told


def _is_fraction(tokens: Sequence[Token], point: int) -> bool:
    """Whether the point has places for parts of a second behind it."""
    return point + 1 < len(tokens) and tokens[point + 1] == ("digit", "0")


def _fraction_digits(tokens: Sequence[Token]) -> int:
    points = [at for at, (kind, _) in enumerate(tokens) if kind == "point" and _is_fraction(tokens, at)]
    if not points:
        return 0
    behind = [kind for kind, _ in tokens[points[0] + 1 :]]
    return next((count for count, kind in enumerate(behind) if kind != "digit"), len(behind))


def _moment(value: float, *, digits: int, timed: bool) -> _Moment:
    """Rounded to the last digit of a second that is shown, so that 59.9999 is a minute; a day alone is not rounded."""
    ticks = round(value * _DAY_SECONDS * 10**digits) if timed else int(value) * _DAY_SECONDS
    total, fraction = divmod(ticks, 10**digits)
    days, seconds = divmod(total, _DAY_SECONDS)
    date = EPOCH + timedelta(days=days + 1 if days < _LEAP_DAY else days)
    year, month, day = date.year, date.month, date.day
    if days == 0:
        year, month, day = 1900, 1, 0
    elif days == _LEAP_DAY:
        year, month, day = 1900, 2, 29
    weekday = (days - 2) % 7  # Monday is 0; day 1 counts as a Sunday
    return _Moment(year, month, day, weekday, seconds, total, str(fraction).zfill(digits) if digits else "")


def _part(text: str, moment: _Moment, *, half_days: bool) -> str:
    """What a run of one letter stands for: lower-case m is a month, M are minutes."""
    hour = moment.seconds // 3600
    numbers = {
        "e": moment.year,
        "b": moment.year + _BUDDHIST_YEARS,
        "h": (hour % _NOON or _NOON) if half_days else hour,
        "M": moment.seconds // 60 % 60,
        "s": moment.seconds % 60,
    }
    match text[0]:
        case "y":
            return f"{moment.year:04}" if len(text) > 2 else f"{moment.year % 100:02}"  # noqa: PLR2004  # yy, yyyy
        case "m":
            return _name(text, calendar.month_name[moment.month], moment.month)
        case "d":
            return _name(text, calendar.day_name[moment.weekday], moment.day)
        case "g":
            return ""  # the name of an era
        case letter:
            return str(numbers[letter]).zfill(min(len(text), 2))


def _name(text: str, name: str, number: int) -> str:
    match len(text):
        case 1:
            return str(number)
        case 2:
            return f"{number:02}"
        case 3:
            return name[:3]
        case size if size == _INITIAL and text[0] == "m":
            return name[0]
        case _:
            return name


def _half_of_day(text: str, *, late: bool) -> str:
    early_name, late_name = text.split("/")
    return late_name if late else early_name
