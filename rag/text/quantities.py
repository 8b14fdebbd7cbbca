"""Numbers with their units among words, as people write them in several languages: digits, words, ranges, scales."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from rag.text.languages import STOP_WORDS
from rag.text.number_words import COUNTING, LOOSELY_COUNTING
from rag.text.numbers import RANGE, Reading, readings_of, scale_of, whole_number
from rag.text.units import CURRENCIES, SCALES, UNITS, Unit
from rag.text.words import WrittenWord

_LINKS: Final = frozenset("to – — - bis and und or oder et ou à a y e o al".split())  # noqa: SIM905  # a list of words reads best as words
_OF: Final = frozenset("a an of the einer eine d' une de media".split())  # noqa: SIM905  # a list of words reads best as words
_HEDGES: Final = frozenset(
    """
    about around roughly approximately approx some nearly almost over under circa ca c. ~ ≈ close rund etwa ungefähr
    zirka fast knapp über unter gut mehr weniger more less fewer environ presque près quelque unos unas casi
    aproximadamente alrededor cerca quasi oltre ongeveer bijna 約 およそ ほぼ 大约 约
    """.split()  # noqa: SIM905  # as above
)
"""Words right before a number that say it is rounded."""
_CJK_SCALES: Final = frozenset("万萬億亿千百")
_CJK_UNITS: Final = frozenset("日週時分秒円元年天周ヶか个小")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number and what it counts."""

    text: str
    """As written, for people."""
    readings: tuple[Reading, ...]
    """The likeliest first."""
    unit: Unit | None
    at: int
    """The place of its first word among the words."""
    upto: int
    """One past the place of its last, unit included."""
    rounded: bool = False
    """Whether a word before it says so: "about"."""
    loose: bool = False
    """Something that is counted in words and not measured: "first", "half", "two" of what has no unit."""
    digits: str = ""
    """The number alone, as written."""

    @property
    def is_year(self) -> bool:
        """Whether it looks like a year."""
        return self.unit is None and len(self.digits) == 4 and self.digits.isdigit() and self.digits[:2] in {"19", "20"}  # noqa: PLR2004  # digits of a year


def quantities_of(words: Sequence[WrittenWord], language: str) -> list[Quantity]:
    """The quantities among the words, in order; words that are parts of dates have been taken out before."""
    found: list[Quantity] = []
    at = 0
    while at < len(words):
        quantities, at = _in_digits(words, at, language) if words[at].has_digit else _in_words(words, at, language)
        found += quantities
    return _sharing_units(found, words)


def _sharing_units(quantities: Sequence[Quantity], words: Sequence[WrittenWord]) -> list[Quantity]:
    """The first of a range counts what its second does: "10 to 15 days", "10-15 days"."""
    shared = list(quantities)
    for place, (first, second) in enumerate(pairwise(quantities)):
        between = [word.lower for word in words[first.upto : second.at]]
        if first.unit is None and (first.at == second.at or (len(between) == 1 and between[0] in _LINKS)):
            shared[place] = replace(first, unit=second.unit, loose=first.loose and second.loose)
    return shared


def _in_digits(words: Sequence[WrittenWord], at: int, language: str) -> tuple[list[Quantity], int]:
    """The quantities that a word with digits begins, two of a range; and where to go on."""
    parts = RANGE.split(words[at].text)
    matches = [match for part in parts if (match := whole_number(part))]
    if len(matches) < len(parts):
        return [], at + 1
    found = [_written(words, at, match, language, last=match is matches[-1]) for match in matches]
    return [quantity for quantity, _ in found], found[-1][1]


def _written(
    words: Sequence[WrittenWord], at: int, match: re.Match[str], language: str, *, last: bool
) -> tuple[Quantity, int]:
    """One number of a word; what stands behind the word belongs to its last."""
    after = match["after"].lstrip("-").lower()
    unit = UNITS.get(match["before"].lower()) if match["before"] else UNITS.get(after) or UNITS.get(after.split("-")[0])
    scale, end = scale_of(match) or 1.0, at + 1
    if last:
        step, end = _scaled(words, end)
        scale *= step
        if unit is None:
            unit, end = _unit(words, end, language)
    unit = unit or _currency_before(words, at)
    sign = -1.0 if match["sign"] == "-" and match.start("digits") == 1 else 1.0
    plain = [Reading(sign * reading.value, reading.step) for reading in readings_of(match["digits"], language)]
    readings = [reading.times(scale) for reading in plain]
    if match["after"] == "m":  # metres, or millions
        readings += [reading.times(1e6) for reading in plain]
    shown = " ".join([match[0], *(word.text for word in words[at + 1 : end])]) if last else match[0]
    rounded = _is_rounded(words, at)
    return Quantity(shown, tuple(readings), unit, at, end, rounded=rounded, digits=match["digits"]), end


def _currency_before(words: Sequence[WrittenWord], at: int) -> Unit | None:
    """The currency of "EUR 30"; none of "20 EUR 30"."""
    if not at or words[at - 1].ends_clause:
        return None
    unit = UNITS.get(words[at - 1].lower)
    taken = at > 1 and words[at - 2].text[-1].isdigit()
    return unit if unit is not None and unit.measures in CURRENCIES and not taken else None


def _in_words(words: Sequence[WrittenWord], at: int, language: str) -> tuple[list[Quantity], int]:
    """What a number word counts."""
    word, end = words[at].lower, at + 1
    value = COUNTING.get(language, {}).get(word)
    if value is None:
        value = LOOSELY_COUNTING.get(language, {}).get(word)
        return ([] if value is None else [_part(words, at, value)]), end
    if language == "english" and value >= 20 and value % 10 == 0 and end < len(words):  # noqa: PLR2004  # "twenty five"
        one = COUNTING["english"].get(words[end].lower, 0)
        value, end = (value + one, end + 1) if 0 < one < 10 else (value, end)  # noqa: PLR2004  # likewise
    scale, end = _scaled(words, end)
    unit, upto = _unit(words, end, language)
    text = " ".join(word.text for word in words[at:upto])
    loose = scale == 1 and (unit is None or value == 1)
    reading = Reading(value * scale, scale)
    rounded = _is_rounded(words, at)
    return [Quantity(text, (reading,), unit, at, upto, rounded=rounded, loose=loose, digits=words[at].text)], upto


def _part(words: Sequence[WrittenWord], at: int, value: float) -> Quantity:
    """An ordinal or a share. Of a unit it is a quantity: "half an hour"."""
    end = at + 1
    while end < min(len(words), at + 3) and words[end].lower in _OF and not words[end - 1].ends_clause:
        end += 1
    unit = _as_unit(words[end]) if value < 1 and end < len(words) and not words[end - 1].ends_clause else None
    upto = at + 1 if unit is None else end + 1
    text = " ".join(word.text for word in words[at:upto])
    return Quantity(text, (Reading(value, 1),), unit, at, upto, loose=unit is None, digits=words[at].text)


def _scaled(words: Sequence[WrittenWord], at: int) -> tuple[float, int]:
    if at < len(words) and not words[at - 1].ends_clause:
        word = words[at]
        scale = SCALES.get(word.lower) if len(word.text) > 1 or word.text in _CJK_SCALES else None
        if scale is not None:
            return scale, at + 1
    return 1.0, at


def _unit(words: Sequence[WrittenWord], at: int, language: str) -> tuple[Unit | None, int]:
    """The unit that stands at a place, or behind one word more: "20 working days"; and where it ends."""
    if at >= len(words) or words[at - 1].ends_clause:
        return None, at
    if unit := _as_unit(words[at]):
        return unit, at + 1
    between = words[at]
    is_content = between.text.isalpha() and between.folded not in STOP_WORDS.get(language, frozenset())
    if at + 1 < len(words) and is_content and not between.ends_clause:
        unit = _as_unit(words[at + 1])
        if unit is not None and unit.measures not in CURRENCIES:
            return unit, at + 2
    return None, at


def _as_unit(word: WrittenWord) -> Unit | None:
    unit = UNITS.get(word.lower)
    if unit is None and word.text[:1] in _CJK_UNITS:
        unit = next((UNITS[word.text[:size]] for size in (3, 2, 1) if word.text[:size] in UNITS), None)
    return unit


def _is_rounded(words: Sequence[WrittenWord], at: int) -> bool:
    near = [
        words[place] for place in range(max(0, at - 2), at) if not any(word.ends_clause for word in words[place:at])
    ]
    return any(word.lower in _HEDGES for word in near)
