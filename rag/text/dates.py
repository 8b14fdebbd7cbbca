"""Dates in words and in figures, as ISO 8601 has them: "19 August 2022" and "8/19/2022" as "2022-08-19"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

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
