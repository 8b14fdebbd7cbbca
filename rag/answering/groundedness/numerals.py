"""Numbers found among words, as people write them in several languages: digits, words, ranges, scales, units."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from rag.answering.groundedness.counting import COUNTING, LOOSELY_COUNTING, SHARES
from rag.answering.groundedness.digits import GROUP, RANGE, readings_of, scale_of, whole_number
from rag.answering.groundedness.figures import Figure, Reading
from rag.answering.groundedness.lexing import Word
from rag.answering.groundedness.units import CURRENCIES, SCALES, UNITS, Unit
from rag.answering.groundedness.words import HEDGES, small_words, word_set

_LINKS: Final = word_set("to – — - bis and und or oder et ou à a y e o al")
_OUT_OF: Final = word_set("of in von der den sur de des di su out every")
_WORDS_OF_RATIO: Final = 3
_OF: Final = word_set("a an of the einer eine d' une de media")


def figures_of(words: Sequence[Word], language: str) -> list[Figure]:
    """The figures among the words, in order; words that are parts of dates have been taken out before."""
    found: list[Figure] = []
    i = 0
    while i < len(words):
        figures, i = _figures_at(words, i, language)
        found += figures
    return [*_sharing_units(found, words), *_ratios(found, words)]


def _ratios(figures: Sequence[Figure], words: Sequence[Word]) -> list[Figure]:
    """What "three out of four" and "5 of 20" bear out besides: a share."""
    ratios: list[Figure] = []
    for one, two in pairwise(figures):
        between = [word.lower for word in words[one.upto : two.at]]
        few, many = one.readings[0].value, two.readings[0].value
        if between and len(between) <= _WORDS_OF_RATIO and between[-1] in _OUT_OF and 0 < few < many and not one.unit:
            text = f"{one.text} {' '.join(between)} {two.text}"
            ratios.append(Figure(text, (Reading(few / many, 0.01),), None, one.at, two.upto, loose=True))
    return ratios


def _figures_at(words: Sequence[Word], i: int, language: str) -> tuple[list[Figure], int]:
    """The figures that begin at a word, and where to go on."""
    word = words[i]
    if not word.has_digit:
        return _counted(words, i, language)
    parts = RANGE.split(word.text)
    matches = [match for part in parts if (match := whole_number(part))]
    if len(matches) < len(parts):
        return [], i + 1
    found: list[Figure] = []
    end = i + 1
    for place, match in enumerate(matches):
        figure, end = _written(words, i, match, language, last=place == len(matches) - 1)
        found.append(figure)
    return _years(found), end


def _years(found: list[Figure]) -> list[Figure]:
    """What "2024/25" says: 2024 and 2025."""
    if len(found) != 2 or len(found[0].digits) != 4 or len(found[1].digits) != 2:  # noqa: PLR2004  # digits of years
        return found
    [first, second] = found
    year = f"{first.digits[:2]}{second.digits}"
    return [first, replace(second, digits=year, readings=(Reading(float(year), 1.0),))] if year.isdigit() else found


def _written(words: Sequence[Word], i: int, match: re.Match[str], language: str, *, last: bool) -> tuple[Figure, int]:
    """One number of a word; what stands behind the word belongs to its last."""
    readings = readings_of(match["digits"], language)
    end, digits = i + 1, match["digits"]
    if last and not match["after"]:
        readings, digits, end = _grouped_by_spaces(words, i, match, readings)
    scale = scale_of(match) or 1.0
    unit = UNITS.get(match["after"].lstrip("-").lower()) or UNITS.get(match["after"].lstrip("-").lower().split("-")[0])
    if match["before"]:
        unit = UNITS.get(match["before"].lower())
    if last:
        step, end = _scaled(words, end)
        scale *= step
        if unit is None:
            unit, end = _unit(words, end, language)
    unit = unit or _currency_before(words, i)
    if match["sign"] == "-" and match.start("digits") == 1:
        readings = tuple(Reading(-reading.value, reading.step) for reading in readings)
    scaled = tuple(reading.times(scale) for reading in readings)
    if match["after"] == "m":  # metres, or millions
        scaled += tuple(reading.times(1e6) for reading in readings)
    shown = " ".join([match[0], *(word.text for word in words[i + 1 : end])]) if last else match[0]
    return Figure(shown, scaled, unit, i, end, rounded=_is_rounded(words, i), digits=digits), end


def _currency_before(words: Sequence[Word], i: int) -> Unit | None:
    """The currency of "EUR 30"; none of "20 EUR 30"."""
    if not i or words[i - 1].ends_clause:
        return None
    unit = UNITS.get(words[i - 1].lower)
    taken = i > 1 and words[i - 2].text[-1].isdigit()
    return unit if unit is not None and unit.measures in CURRENCIES and not taken else None


def _counted(words: Sequence[Word], i: int, language: str) -> tuple[list[Figure], int]:
    """A number word. It claims something only in front of a unit: lists count their own items."""
    word = words[i].lower
    value = COUNTING.get(language, {}).get(word)
    if value is None:
        value = LOOSELY_COUNTING.get(language, {}).get(word)
        return ([] if value is None else [_part(words, i, value)]), i + 1
    end = i + 1
    if language == "english" and value >= 20 and value % 10 == 0 and end < len(words):  # noqa: PLR2004  # "twenty five"
        one = COUNTING["english"].get(words[end].lower, 0)
        value, end = (value + one, end + 1) if 0 < one < 10 else (value, end)  # noqa: PLR2004  # likewise
    if end < len(words) and words[end].lower in SHARES and not words[end - 1].ends_clause:
        return [replace(_part(words, i, value * SHARES[words[end].lower]), unit=None, loose=True)], end + 1
    scale, end = _scaled(words, end)
    unit, upto = _unit(words, end, language)
    text = " ".join(word.text for word in words[i:upto])
    reading = Reading(value * scale, scale)
    loose = (unit is None and scale == 1) or (value == 1 and scale == 1)
    rounded = _is_rounded(words, i)
    return [Figure(text, (reading,), unit, i, upto, rounded=rounded, loose=loose, digits=words[i].text)], upto


def _part(words: Sequence[Word], i: int, value: float) -> Figure:
    """An ordinal or a share. Of a unit it is a quantity: "half an hour"."""
    end = i + 1
    while end < len(words) and end < i + 3 and words[end].lower in _OF and not words[end - 1].ends_clause:
        end += 1
    unit = _as_unit(words[end]) if value < 1 and end < len(words) and not words[end - 1].ends_clause else None
    upto = i + 1 if unit is None else end + 1
    text = " ".join(word.text for word in words[i:upto])
    return Figure(text, (Reading(value, 1),), unit, i, upto, loose=unit is None, digits=words[i].text)


def _grouped_by_spaces(
    words: Sequence[Word], i: int, match: re.Match[str], readings: tuple[Reading, ...]
) -> tuple[tuple[Reading, ...], str, int]:
    """The number whose thousands stand apart: "10 000"."""
    digits, end = match["digits"], i + 1
    if not digits.isdigit() or len(digits) > GROUP or digits.startswith("0") or words[i].ends_clause:
        return readings, digits, end
    joined = digits
    while end < len(words) and len(words[end].text) == GROUP and words[end].text.isdigit():
        if words[end].at != words[end - 1].at + len(words[end - 1].text) + 1:
            break
        joined += words[end].text
        end += 1
    if end == i + 1:
        return readings, digits, end
    return (Reading(float(joined), 1.0),), joined, end


def _scaled(words: Sequence[Word], i: int) -> tuple[float, int]:
    if i < len(words) and not words[i - 1].ends_clause and len(words[i].text) > 1:
        scale = SCALES.get(words[i].lower)
        if scale is not None:
            return scale, i + 1
    if i < len(words) and words[i].text in {"万", "萬", "億", "亿", "千", "百"}:
        return SCALES[words[i].text], i + 1
    return 1.0, i


def _unit(words: Sequence[Word], i: int, language: str) -> tuple[Unit | None, int]:
    """The unit that stands at a place, or behind one word more: "20 working days"; and where it ends."""
    if i >= len(words) or (i and words[i - 1].ends_clause):
        return None, i
    unit = _as_unit(words[i])
    if unit is not None:
        return unit, i + 1
    if (
        i + 1 < len(words)
        and not words[i].ends_clause
        and words[i].text.isalpha()
        and words[i].folded not in small_words(language)
    ):
        unit = _as_unit(words[i + 1])
        if unit is not None and unit.measures not in CURRENCIES:
            return unit, i + 2
    return None, i


def _as_unit(word: Word) -> Unit | None:
    unit = UNITS.get(word.lower)
    if unit is None and word.text[:1] in "日週時分秒円元年天周ヶか个小":
        unit = next((UNITS[word.text[:size]] for size in (3, 2, 1) if word.text[:size] in UNITS), None)
    return unit


def _is_rounded(words: Sequence[Word], i: int) -> bool:
    near = [words[place] for place in range(max(0, i - 2), i) if not any(word.ends_clause for word in words[place:i])]
    return any(word.lower in HEDGES for word in near)


def _sharing_units(figures: list[Figure], words: Sequence[Word]) -> list[Figure]:
    """The first of "10 to 15 days" counts days, too."""
    shared = list(figures)
    for place in range(len(figures) - 1, 0, -1):
        first, second = shared[place - 1], shared[place]
        between = words[first.upto : second.at]
        linked = first.at == second.at or (len(between) == 1 and between[0].lower in _LINKS)
        if linked and first.unit is None and second.unit is not None:
            shared[place - 1] = replace(first, unit=second.unit, loose=first.loose and second.loose)
    return shared
