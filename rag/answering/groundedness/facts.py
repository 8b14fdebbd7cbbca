"""What a sentence claims letter by letter (numbers, dates, identifiers, names) looked for in its passages. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from rag.answering.groundedness.dates import When, agrees
from rag.answering.groundedness.figures import Figure, bears_out, same_number
from rag.answering.groundedness.lexing import Word
from rag.answering.groundedness.names import codes_of, holds_code, names_of
from rag.answering.groundedness.passages import Line, Passage
from rag.answering.groundedness.units import UNITS
from rag.answering.groundedness.words import word_set
from rag.types.groundedness import Lack, Missing

_ACRONYM: Final = 2
FIGURES: Final = 12
"""The most numbers of a sentence that are looked up."""

SUMS: Final = word_set(
    "together total totals sum combined altogether overall insgesamt zusammen summe gesamt ensemble suma totale"
)
DIFFERENCES: Final = word_set(
    """
    difference less fewer more between lie rest remaining remain left saves saved differenz weniger mehr unterschied
    moins plus différence menos más meno più minder meer
    """
)
"""Words of a sentence that adds or subtracts what stands in its sources."""


@dataclass(frozen=True, slots=True)
class Claims:
    """What a sentence claims, as far as it can be looked up."""

    figures: Sequence[Figure]
    codes: Sequence[str]
    names: Sequence[tuple[Word, ...]]
    dates: int

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.figures) + len(self.codes) + len(self.names) + self.dates


def claims_of(line: Line, known: Collection[str]) -> Claims:
    """The claims of a sentence. `known`: words in lower case that are names elsewhere in the answer's passages."""
    figures = [figure for figure in line.figures if not figure.loose][:FIGURES]
    return Claims(
        figures,
        list(codes_of(line.words).values()),
        names_of(line.text, line.words, line.language, known),
        len(line.dates),
    )


def missing_facts(line: Line, claims: Claims, passages: Sequence[Passage], given: Line) -> list[Missing]:
    """The claims that none of the passages bears out, in the order of their kinds. What the question says is given."""
    years = frozenset[int]().union(*(passage.years for passage in passages))
    missing = [
        Missing(Lack.DATE, date.text)
        for date in line.dates
        if not any(agrees(other, date, years) for passage in passages for text in passage.lines for other in text.dates)
        and not any(_is_hour(figure, date) for passage in passages for figure in passage.figures)
        and not any(agrees(other, date, years) for other in given.dates)
        and not _only_a_year(date.year, date.month, years)
    ]
    missing += [
        Missing(lack, figure.text) for figure in claims.figures if (lack := _lack(figure, line, passages, given))
    ]
    keys = frozenset[str]().union(*(passage.codes for passage in passages))
    missing += [
        Missing(Lack.CODE, code)
        for code in claims.codes
        if not holds_code(code, keys) and not holds_code(code, codes_of(given.words))
    ]
    terms = dict(zip((word.at for word in line.words), line.terms, strict=True))
    for name in claims.names:
        if any(_is_absent(word, terms[word.at], passages, given) for word in name):
            missing.append(Missing(Lack.NAME, " ".join(word.text for word in name)))
    return missing


def _is_held(terms: Sequence[str], passages: Sequence[Passage], given: Line) -> bool:
    """Whether a word stands there: whole, or each of its parts, or in another form."""

    def found(term: str) -> bool:
        return term in given.held or any(passage.forms(term) for passage in passages)

    return not terms or found(terms[0]) or (len(terms) > 1 and all(found(term) for term in terms[1:]))


def _is_absent(word: Word, terms: Sequence[str], passages: Sequence[Passage], given: Line) -> bool:
    if _is_held(terms, passages, given):
        return False
    return not any(_is_short_for(word.text, line) for passage in passages for line in passage.lines)


def _is_short_for(word: str, line: Line) -> bool:
    """Whether a word is made of the initials of words that stand side by side: "HR" of "Human Resources"."""
    if not word.isupper() or len(word) < _ACRONYM:
        return False
    capitals = "".join(other.text[0] if other.text[0].isupper() else " " for other in line.words)
    every = "".join(other.lower[0] for other in line.words)
    return word in capitals or (len(word) > _ACRONYM and word.lower() in every)


def _only_a_year(year: int | None, month: int | None, years: Collection[int]) -> bool:
    return month is None and year in years


def _lack(figure: Figure, line: Line, passages: Sequence[Passage], given: Line) -> Lack | None:
    sources = [source for passage in passages for source in passage.figures]
    bearing = [text for passage in passages for text in passage.lines if _any_bears_out(text, figure)]
    if line.periods and bearing and all(text.periods and line.periods.isdisjoint(text.periods) for text in bearing):
        return Lack.UNIT  # five a week are not five a month
    if bearing or _any_bears_out(given, figure):
        return None
    dates = [date for passage in passages for text in passage.lines for date in text.dates]
    if any(_is_hour(figure, date) or _is_day(figure, date) for date in dates):
        return None
    if figure.unit is None and any(_is_year_of(figure, passage) for passage in passages):
        return None
    if _is_derived(figure, line, sources):
        return None
    return Lack.UNIT if any(same_number(source, figure) for source in sources) else Lack.NUMBER


def _any_bears_out(line: Line, said: Figure) -> bool:
    return any(bears_out(source, said) for source in line.figures)


def _is_hour(figure: Figure, date: When) -> bool:
    """Whether "17" or "17 h" is the time 17:00."""
    counts_hours = figure.unit in {None, UNITS["hour"]}
    return date.minutes is not None and counts_hours and figure.readings[0].value * 60 == date.minutes


def _is_day(figure: Figure, date: When) -> bool:
    """Whether "the 15th" is the day of 15 March."""
    return figure.unit is None and figure.text != figure.digits and figure.readings[0].value == date.day


def _is_year_of(figure: Figure, passage: Passage) -> bool:
    return any(reading.value in passage.years for reading in figure.readings)


def _is_derived(figure: Figure, line: Line, sources: Sequence[Figure]) -> bool:
    """Whether it is the sum or the difference of two numbers that count the same, and the sentence says so."""
    said = {word.lower for word in line.words}
    summed, subtracted = not SUMS.isdisjoint(said), not DIFFERENCES.isdisjoint(said)
    if not (summed or subtracted):
        return False
    wanted = figure.readings[0].value
    for one, two in combinations([source for source in sources if not source.loose], 2):
        if one.unit == two.unit and (figure.unit is None or one.unit in {figure.unit, None}):
            first, second = one.readings[0].value, two.readings[0].value
            if summed and _same(first + second, wanted):
                return True
            if subtracted and _same(abs(first - second), wanted):
                return True
    return False


def _same(one: float, other: float) -> bool:
    return abs(one - other) < 1e-6 * max(1.0, abs(other))  # what floating-point arithmetic leaves
