"""Which number of its sources a sentence must have meant, where only one can be. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from rag.answering.groundedness.bearing import fit
from rag.answering.groundedness.facts import DIFFERENCES, SUMS, Claims
from rag.answering.groundedness.figures import Figure, bears_out, same_kind, same_number
from rag.answering.groundedness.kinship import is_kin
from rag.answering.groundedness.passages import Line, Passage
from rag.answering.groundedness.units import SHARE
from rag.answering.groundedness.words import word_set
from rag.types.groundedness import Correction, Lack

FITS: Final = 0.45
"""How well the words around a number must fit those around the one that it replaces; bearing.fit, 0 to 1."""
AHEAD: Final = 0.3
"""And by how much better than those around any other number of the cited passages."""
SHOWN_CHARS: Final = 40
NUMBERS: Final = 40
"""The most that are tried in pairs."""

_RECKONING: Final = SUMS | DIFFERENCES | word_set("without ohne sans sin per average")


@dataclass(frozen=True, slots=True)
class _Candidate:
    figure: Figure
    passage: Passage
    fit: float
    counts_the_same: bool
    """Numbers without a unit count the same where the same word stands beside them."""


def correction(line: Line, claims: Claims, said: Figure, lack: Lack, passages: Sequence[Passage]) -> Correction | None:
    """What the one cited passage that can be meant says in the place of a number; None where that is not sure."""
    if not _RECKONING.isdisjoint(word.lower for word in line.words):
        return None  # it may be right all the same, by arithmetic that nobody here follows
    if _may_be_reckoned(said, passages):
        return None
    others = [figure for figure in claims.figures if figure is not said]
    found = sorted(_candidates(line, said, others, lack, passages), key=lambda candidate: -candidate.fit)
    if not found or found[0].fit < FITS:
        return None
    best = found[0]
    rivals = [
        other for other in found if not same_number(other.figure, best.figure) or other.passage is not best.passage
    ]
    if rivals and rivals[0].fit > best.fit - AHEAD:
        return None
    if len(best.figure.text) > SHOWN_CHARS or not best.counts_the_same:
        return None
    return Correction(said.text, best.figure.text, best.passage.number)


def _may_be_reckoned(said: Figure, passages: Sequence[Passage]) -> bool:
    """Whether two numbers of the passages make this one: a sum or a difference of what counts the same, or a ratio."""
    wanted = said.readings[0]
    figures = [figure for passage in passages for figure in passage.figures if not figure.loose][:NUMBERS]
    return any(
        abs(result - wanted.value) <= wanted.step / 2
        for one, two in combinations(figures, 2)
        if one.unit == two.unit
        for result in _reckoned(one.readings[0].value, two.readings[0].value, said, alike=one.unit == said.unit)
    )


def _reckoned(one: float, two: float, said: Figure, *, alike: bool) -> tuple[float, ...]:
    sums = (one + two, abs(one - two)) if alike else ()
    is_ratio = said.unit is None or said.unit.measures == SHARE
    if not is_ratio or not one or not two:
        return sums
    return (*sums, 100 * one / two, 100 * two / one, 100 * abs(one - two) / one, 100 * abs(one - two) / two)


def _candidates(
    line: Line, said: Figure, others: Sequence[Figure], lack: Lack, passages: Sequence[Passage]
) -> Iterator[_Candidate]:
    for passage in passages:
        for text in passage.lines:
            for figure in text.figures:
                fits = same_number(figure, said) if lack is Lack.UNIT else same_kind(figure, said)
                if fits and not bears_out(figure, said) and not any(bears_out(figure, other) for other in others):
                    same = said.unit is not None or _beside(line, said, text, figure)
                    yield _Candidate(figure, passage, fit(line, said, text, figure), same)


def _beside(line: Line, said: Figure, source: Line, figure: Figure) -> bool:
    """Whether the same word stands before both numbers, or behind both."""
    one, two = dict(line.content), dict(source.content)
    pairs = ((one.get(said.at - 1), two.get(figure.at - 1)), (one.get(said.upto), two.get(figure.upto)))
    return any(is_kin(here[0], there[0]) for here, there in pairs if here and there)
