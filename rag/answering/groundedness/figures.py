"""A number with its unit, and whether one bears out another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rag.answering.groundedness.units import SHARE, UNITS, Unit

CLOSE: Final = 1e-12
"""Relative: what floating-point arithmetic leaves of equality."""
ROUNDED: Final = 0.1
"""The most that a rounded number may be off, as a share of the true one."""

_POUNDS: Final = "pounds"


@dataclass(frozen=True, slots=True)
class Reading:
    """One thing that digits may say: "1.500" is 1500 or 1.5."""

    value: float
    step: float
    """What one more in the last place that is written would add."""

    def times(self, factor: float) -> Reading:
        """The same in another unit."""
        return Reading(self.value * factor, self.step * factor)


@dataclass(frozen=True, slots=True)
class Figure:
    """A number and what it counts."""

    text: str
    """As written, for people."""
    readings: tuple[Reading, ...]
    unit: Unit | None
    at: int
    """The place of its first word among the words."""
    upto: int
    """One past the place of its last, unit included."""
    rounded: bool = False
    """Whether a word before it says so: "about"."""
    loose: bool = False
    """It bears out others, but claims nothing itself: "first", "half", "two" of what is not measured."""
    digits: str = ""
    """The number alone, as written."""

    @property
    def is_year(self) -> bool:
        """Whether it looks like a year."""
        return self.unit is None and len(self.digits) == 4 and self.digits.isdigit() and self.digits[:2] in {"19", "20"}  # noqa: PLR2004  # digits of a year


def bears_out(source: Figure, said: Figure) -> bool:
    """Whether the source's number is what was said, in other units and rounded where that is said or plain to see."""
    factor = _conversion(source, said)
    if factor is None or (source.is_year and said.unit is not None):
        return False
    if factor != 1:  # then the likelier reading alone: 2,000 kg are not 2,000 g
        return _agrees(source.readings[0].times(factor), said.readings[0], said, may_round=True)
    alike = source.unit is said.unit or (source.unit is not None and said.unit is not None)
    return any(
        _agrees(have, want, said, may_round=alike and not source.loose and first)
        for first, have, want in (
            (have is source.readings[0] and want is said.readings[0], have, want)
            for have in source.readings
            for want in said.readings
        )
    )


def same_number(source: Figure, said: Figure) -> bool:
    """Whether the numbers are the same, whatever they count."""
    return any(_close(have.value, want.value) for have in source.readings for want in said.readings)


def same_kind(source: Figure, said: Figure) -> bool:
    """Whether they count the same thing, so that one may have been mistaken for the other."""
    return not source.loose and source.unit == said.unit and source.is_year == said.is_year


def _conversion(source: Figure, said: Figure) -> float | None:
    if source.unit is None and said.unit is not None and said.unit.measures == SHARE:
        small = all(0 < reading.value <= 1 for reading in source.readings)
        return 100.0 if small else 1.0  # "0.25" and "a quarter" are 25 %
    if source.unit is None or said.unit is None:
        return 1.0
    if source.unit.measures != said.unit.measures:
        return (
            1.0
            if _POUNDS in {source.unit.measures, said.unit.measures} and _are_pounds(source.unit, said.unit)
            else None
        )
    return source.unit.factor / said.unit.factor


def _are_pounds(one: Unit, other: Unit) -> bool:
    """Pounds are money or weight."""
    return all(unit in {UNITS["pounds"], UNITS["£"], UNITS["lb"]} for unit in (one, other))


def _agrees(have: Reading, want: Reading, said: Figure, *, may_round: bool) -> bool:
    if _close(have.value, want.value):
        return True
    if not may_round:
        return False
    off = abs(have.value - want.value)
    if off > ROUNDED * abs(have.value):
        return False
    if said.rounded:
        return off <= _last_digit(want.value, want.step)
    plainly = want.step < 1 or have.step < 1 or want.step >= 1000  # noqa: PLR2004  # "1.5 million" is rounded as all can see
    return plainly and have.step < want.step and off <= want.step / 2 * (1 + CLOSE)


def _close(one: float, other: float) -> bool:
    return abs(one - other) <= CLOSE * max(abs(one), abs(other))


def _last_digit(value: float, step: float) -> float:
    """The worth of the last digit that is no zero: 100 of 1,500."""
    while value and _close(value / (10 * step), round(value / (10 * step))):
        step *= 10
    return step
