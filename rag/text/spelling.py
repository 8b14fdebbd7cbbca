"""One way to write what can be written in many: characters and numbers."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

from rag.text.dates import date_in_figures

_SPACES_IN_NUMBERS = re.compile(r"(?<=\d)[\u00a0\u2007\u2009\u202f](?=\d{3}(?!\d))")
_RAISED_DIGITS = re.compile(r"(?<=\d)(?=[\u00b2\u00b3\u00b9\u2070-\u2079\u00bc-\u00be\u2150-\u215f])")
"""Where a power, the mark of a footnote or a fraction follows a number: 10², 1½."""
_UNSEEN = re.compile(r"[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
"""Soft hyphens, joiners, marks of direction: they stand in texts and are not seen."""
_OTHER_DIGIT = re.compile(r"(?![0-9])\d")

# Each begins with what it looks for, and looks back after it: several times faster.
_GROUPED_BY_COMMAS = re.compile(r"\d(?<![\d.,]\d)\d{0,2}(?:,\d{3})+(?![\d,])")
_GROUPED_BY_DOTS = re.compile(r"\d(?<![\w.,-]\d)\d{0,2}(?:(?:\.\d{3})+,\d+(?![\d.,])|(?:\.\d{3}){2,}(?![\w.,-]))")
_GROUPED_BY_APOSTROPHES = re.compile(r"['’](?<=\d['’])(?=\d{3}(?!\d))")
_ZERO_CENTS = re.compile(r"\.00$")
_AMBIGUOUS = re.compile(r"\d{1,3}\.\d{3}")
_SEPARATOR = re.compile(r"[-/]")


def cleaned(text: str) -> str:
    """The text in compatible characters (NFKC), ASCII digits, without what is not seen and what groups thousands."""
    if not text.isascii():
        text = _RAISED_DIGITS.sub(" ", _SPACES_IN_NUMBERS.sub("", text))
        text = _UNSEEN.sub("", unicodedata.normalize("NFKC", text)).replace("\u2044", "/")
        text = _OTHER_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), text)
    text = _GROUPED_BY_COMMAS.sub(lambda number: number[0].replace(",", ""), text)
    text = _GROUPED_BY_DOTS.sub(lambda number: number[0].replace(".", "").replace(",", "."), text)
    return _GROUPED_BY_APOSTROPHES.sub("", text)


def number_terms(number: str) -> tuple[str, tuple[str, ...]]:
    """How a number is counted, and its parts: "19.08.2022" as "2022-08-19", with the year, the month and the day."""
    if date := date_in_figures(number):
        return date, tuple(str(int(part)) for part in date.split("-"))
    if "," in number:  # a decimal to some, a list to others
        return _ZERO_CENTS.sub("", number.replace(",", ".")), tuple(number.split(","))
    if _AMBIGUOUS.fullmatch(number):  # a decimal to some, thousands to others
        return number, (number.replace(".", ""),)
    parts = _SEPARATOR.split(number)
    if len(parts) == 1:
        return _ZERO_CENTS.sub("", number), ()
    joined = number if number.count("-") + number.count("/") == 1 else _SEPARATOR.sub("", number)  # 1/2 is not 12
    return joined, tuple(parts)


def humps(run: str) -> list[str]:
    """The words of a camel-cased run of letters, in any script that has cases: HTTPServer, überPrüfung."""
    if run.islower() or run.isupper() or run[1:].islower():
        return [run]
    starts = [
        i
        for i in range(1, len(run))
        if run[i].isupper() and (run[i - 1].islower() or (run[i - 1].isupper() and run[i + 1 : i + 2].islower()))
    ]
    return [run[start:end] for start, end in pairwise([0, *starts, len(run)])]
