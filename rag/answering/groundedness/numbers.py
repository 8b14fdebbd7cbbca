"""The numbers of a sentence looked up in its passages: in other units, and rounded where that is plain. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from rag.answering.groundedness.passages import Line, Passage
from rag.text.numbers import Reading
from rag.text.quantities import Quantity
from rag.text.units import SHARE
from rag.types.groundedness import Lack, Missing

CLOSE: Final = 1e-12
"""Relative: what floating-point arithmetic leaves of equality."""
ROUNDED: Final = 0.1
"""The most that a rounded number may be off, as a share of the true one."""
QUANTITIES: Final = 12
"""The most of a sentence that are looked up."""

_SUMS: Final = frozenset(
    "together total totals sum combined altogether overall insgesamt zusammen summe gesamt ensemble suma totale".split()  # noqa: SIM905  # a list of words reads best as words
)
_DIFFERENCES: Final = frozenset(
    """
    difference less fewer more between lie rest remaining remain left saves saved differenz weniger mehr unterschied
    moins plus différence menos más meno più minder meer
    """.split()  # noqa: SIM905  # as above
)


def claimed(line: Line) -> list[Quantity]:
    """The quantities of a sentence that must stand in a passage."""
    return [quantity for quantity in line.quantities if not quantity.loose][:QUANTITIES]


def missing_numbers(line: Line, passages: Sequence[Passage], given: Line) -> list[Missing]:
    """Those that no passage bears out. What the question (`given`) says needs no source."""
    missing = ((quantity, _lack(quantity, line, passages, given)) for quantity in claimed(line))
    return [Missing(lack, quantity.text) for quantity, lack in missing if lack is not None]


def _lack(said: Quantity, line: Line, passages: Sequence[Passage], given: Line) -> Lack | None:
    bearing = [text for passage in passages for text in passage.lines if _any_bears_out(text, said)]
    if line.periods and bearing and all(text.periods and line.periods.isdisjoint(text.periods) for text in bearing):
        return Lack.UNIT  # five a week are not five a month
    if bearing or _any_bears_out(given, said):
        return None
    if said.unit is None and any(reading.value in passage.years for passage in passages for reading in said.readings):
        return None
    sources = [source for passage in passages for source in passage.quantities]
    if is_reckoned(said, line, sources):
        return None
    return Lack.UNIT if any(same_number(source, said) for source in sources) else Lack.NUMBER


def _any_bears_out(line: Line, said: Quantity) -> bool:
    return any(bears_out(source, said) for source in line.quantities)


def reckons(line: Line) -> bool:
    """Whether a sentence says that it adds or subtracts."""
    words = {word.lower for word in line.words}
    return not words.isdisjoint(_SUMS | _DIFFERENCES)


def is_reckoned(said: Quantity, line: Line, sources: Sequence[Quantity]) -> bool:
    """Whether it is the sum or the difference of two that count the same, and the sentence says so."""
    words = {word.lower for word in line.words}
    adds, subtracts = not words.isdisjoint(_SUMS), not words.isdisjoint(_DIFFERENCES)
    if not (adds or subtracts):
        return False
    wanted = said.readings[0].value
    alike = [one for one in sources if not one.loose and (None in {said.unit, one.unit} or one.unit == said.unit)]
    pairs = ((one.readings[0].value, two.readings[0].value) for one, two in combinations(alike, 2))
    return any(
        (adds and _same(one + two, wanted)) or (subtracts and _same(abs(one - two), wanted)) for one, two in pairs
    )


def bears_out(source: Quantity, said: Quantity) -> bool:
    """Whether the source's number is what was said, in other units and rounded where that is said or plain to see."""
    factor = _conversion(source, said)
    if factor is None or (source.is_year and said.unit is not None):
        return False
    if factor != 1:  # then the likelier reading alone: 2,000 kg are not 2,000 g
        return _agrees(source.readings[0].times(factor), said.readings[0], said, may_round=True)
    may_round = not source.loose and (source.unit is None) == (said.unit is None)
    return any(
        _agrees(have, want, said, may_round=may_round and (i, j) == (0, 0))
        for i, have in enumerate(source.readings)
        for j, want in enumerate(said.readings)
    )


def same_number(source: Quantity, said: Quantity) -> bool:
    """Whether the numbers are the same, whatever they count."""
    return any(_close(have.value, want.value) for have in source.readings for want in said.readings)


def same_kind(source: Quantity, said: Quantity) -> bool:
    """Whether they count the same thing, so that one may have been mistaken for the other."""
    return not source.loose and source.unit == said.unit and source.is_year == said.is_year


def _conversion(source: Quantity, said: Quantity) -> float | None:
    if source.unit is None and said.unit is not None and said.unit.measures == SHARE:
        return 100.0 if all(0 < reading.value <= 1 for reading in source.readings) else 1.0  # "a quarter" is 25 %
    if source.unit is None or said.unit is None:
        return 1.0
    return source.unit.factor / said.unit.factor if source.unit.measures == said.unit.measures else None


def _agrees(have: Reading, want: Reading, said: Quantity, *, may_round: bool) -> bool:
    if _close(have.value, want.value):
        return True
    off = abs(have.value - want.value)
    if not may_round or off > ROUNDED * abs(have.value):
        return False
    if said.rounded:
        return off <= _last_digit(want.value, want.step)
    plainly = want.step < 1 or have.step < 1 or want.step >= 1000  # noqa: PLR2004  # "1.5 million" is rounded as all can see
    return plainly and have.step < want.step and off <= want.step / 2 * (1 + CLOSE)


def _close(one: float, other: float) -> bool:
    return abs(one - other) <= CLOSE * max(abs(one), abs(other))


def _same(one: float, other: float) -> bool:
    return abs(one - other) < 1e-6 * max(1.0, abs(other))  # sums of decimals are off by more


def _last_digit(value: float, step: float) -> float:
    """The worth of the last digit that is no zero: 100 of 1,500."""
    while value and _close(value / (10 * step), round(value / (10 * step))):
        step *= 10
    return step
