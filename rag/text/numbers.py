"""One word with digits: whether it is a number, what its digits may say, and what may be grown on to it. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rag.text.units import SCALES, UNITS

GROUP: Final = 3
"""Digits of a group of thousands."""
RANGE: Final = re.compile(r"(?<=[\d%€$£kM])[-/](?=[\d€$£])")
"""What joins the two numbers of a range that is one word."""

_SYMBOLS: Final = "€$£¥₹"
_NUMBER: Final = re.compile(
    rf"(?P<before>(?:US)?[{_SYMBOLS}]|EUR|USD|CHF|GBP)?(?P<sign>[-+±]?)(?P<digits>\d[\d.,']*|\.\d+)"
    rf"(?P<after>(?:-?[^\W\d_]+[./]?[^\W\d_]*|[%‰{_SYMBOLS}°º][CFc]?)?(?:-[^\W\d_]+)*)",
)
_ORDINAL: Final = re.compile(r"st|nd|rd|th|er|e|ère|ème|te|ten|ter|º|ª|x|°")
_ATTACHED: Final = {"k": 1e3, "K": 1e3, "M": 1e6, "bn": 1e9, "Mio": 1e6, "Mrd": 1e9, "mn": 1e6, "mln": 1e6}
_WITH_CURRENCY: Final = {"m": 1e6, "b": 1e9, "B": 1e9}


@dataclass(frozen=True, slots=True)
class Reading:
    """One thing that digits may say: "1.500" is 1500 or 1.5."""

    value: float
    step: float
    """What one more in the last place that is written would add."""

    def times(self, factor: float) -> Reading:
        """The same in another unit."""
        return Reading(self.value * factor, self.step * factor)


def is_number(text: str) -> bool:
    """Whether a word with a digit is a quantity or a range of them, not a code."""
    return all(whole_number(part) for part in RANGE.split(text))


def whole_number(text: str) -> re.Match[str] | None:
    """The word as a number with what may be grown on to it; None for codes, versions and the like."""
    match = _NUMBER.fullmatch(text)
    return match if match and readings_of(match["digits"]) and _suffix_known(match) else None


def _suffix_known(match: re.Match[str]) -> bool:
    after = match["after"]
    bare = after.lstrip("-").lower()
    return (
        not after
        or bare in UNITS
        or bare.split("-")[0] in UNITS
        or bool(_ORDINAL.fullmatch(bare))
        or scale_of(match) is not None
        or (bare.islower() and (len(bare) > 1 or bare == "m"))  # a unit that is not known
        or (after.startswith("-") and len(bare) > 2 and not after[1:].isupper())  # noqa: PLR2004  # "2-person", not "4471-K"
    )


def scale_of(match: re.Match[str]) -> float | None:
    """What a letter or word that is grown on to a number multiplies it by: "2k", "€3m"; None where none is."""
    after = match["after"].lstrip("-")
    if match["before"] and after in _WITH_CURRENCY:
        return _WITH_CURRENCY[after]
    return _ATTACHED.get(after, SCALES.get(after.lower()) if len(after) > 1 else None)


def readings_of(digits: str, language: str = "") -> tuple[Reading, ...]:
    """What the digits may say, the likeliest first; none for what is no number, such as a version."""
    text = digits.replace("'", "")
    separators = [character for character in text if not character.isdigit()]
    if not separators:
        return (Reading(float(text), 1.0),)
    if text.startswith("."):
        text = f"0{text}"
    *heads, tail = re.split(r"[.,]", text)
    if len(set(separators)) == 2 and separators.count(separators[-1]) == 1:  # noqa: PLR2004  # both: the last is the decimal point
        return (_decimal(heads, tail),) if _grouped(heads) else ()
    if len(separators) > 1:
        return (Reading(float("".join([*heads, tail])), 1.0),) if _grouped([*heads, tail]) else ()
    readings = [_decimal(heads, tail)]
    if len(tail) == GROUP and len(heads[0]) <= GROUP and not heads[0].startswith("0"):
        grouped = Reading(float(heads[0] + tail), 1.0)
        if (language == "english" and separators == [","]) or readings[0].value.is_integer():
            return (grouped,)
        first = language == "english" and separators == ["."]
        return (readings[0], grouped) if first else (grouped, readings[0])
    return tuple(readings)


def _decimal(heads: Sequence[str], tail: str) -> Reading:
    return Reading(float(f"{''.join(heads)}.{tail}"), 10.0 ** -len(tail))


def _grouped(groups: Sequence[str]) -> bool:
    """Thousands, or lakhs as India writes them."""
    first, *rest = groups
    return len(first) <= GROUP and all(len(group) in {2, GROUP} for group in rest) and len(groups[-1]) == GROUP
