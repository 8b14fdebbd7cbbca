"""Whether a number stands where its passages put it, and which number must have been meant. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Final

from rag.answering.groundedness.numbers import bears_out, claimed, reckons, same_kind, same_number
from rag.answering.groundedness.passages import Line, Passage
from rag.text.quantities import Quantity
from rag.types.groundedness import Correction, Lack

BEARERS: Final = 20
"""The most places in which a number is looked at."""
NEAR: Final = 6.0
"""Words: how fast the bearing of a word on a number fades with its distance."""
CLAUSE: Final = 3.0
"""Words: how much further it is to the other side of a comma, or of another number."""
FITS: Final = 0.45
"""How well the words around a number must fit those around the one that it replaces; `fit`, 0 to 1."""
AHEAD: Final = 0.3
"""And by how much better than those around any other number of the cited passages."""
SHOWN_CHARS: Final = 40


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A number that may have been meant."""

    quantity: Quantity
    text: Line
    passage: Passage
    fit: float


def is_displaced(line: Line, said: Quantity, passages: Sequence[Passage], lead: float) -> bool:
    """Whether another number fits the place of `said` better, by more than `lead`, or that of the row named."""
    bearers = list(islice(_bearers(said, passages), BEARERS))
    if not bearers:
        return False
    own = max(fit(line, said, text, quantity) for text, quantity in bearers)
    in_other_rows = all(text.row and not text.row <= line.held for text, _ in bearers)
    others = _candidates(line, said, passages, lambda quantity: same_kind(quantity, said))
    return any(
        other.fit - own > lead or (in_other_rows and bool(other.text.row) and other.text.row <= line.held)
        for other in others
    )


def exchanged(line: Line, passages: Sequence[Passage]) -> float:
    """By how much two of the sentence's numbers would fit better in each other's place, on average; at most 1."""
    quantities = claimed(line)
    bearers = {quantity: list(islice(_bearers(quantity, passages), BEARERS)) for quantity in quantities}

    def fits(place: Quantity, value: Quantity) -> float:
        return max((fit(line, place, text, quantity) for text, quantity in bearers[value]), default=0.0)

    leads = (
        (fits(one, two) + fits(two, one) - fits(one, one) - fits(two, two)) / 2
        for one, two in combinations(quantities, 2)
        if same_kind(one, two)
    )
    return max(leads, default=0.0)


def correction(line: Line, said: Quantity, lack: Lack, passages: Sequence[Passage]) -> Correction | None:
    """What the one cited passage that can be meant says in the place of a number; None where that is not sure."""
    if reckons(line):
        return None  # it may be right all the same, by arithmetic that nobody here follows
    matches = same_number if lack is Lack.UNIT else same_kind
    found = sorted(_candidates(line, said, passages, lambda one: matches(one, said)), key=lambda one: -one.fit)
    if not found or found[0].fit < FITS:
        return None
    best = found[0]
    rivals = [one for one in found if not same_number(one.quantity, best.quantity) or one.passage is not best.passage]
    if rivals and rivals[0].fit > best.fit - AHEAD:
        return None
    counts_the_same = said.unit is not None or _beside(line, said, best.text, best.quantity)
    if len(best.quantity.text) > SHOWN_CHARS or not counts_the_same:
        return None
    return Correction(said.text, best.quantity.text, best.passage.number)


def _bearers(said: Quantity, passages: Sequence[Passage]) -> Iterator[tuple[Line, Quantity]]:
    for passage in passages:
        for text in passage.lines:
            yield from ((text, quantity) for quantity in text.quantities if bears_out(quantity, said))


def _candidates(
    line: Line, said: Quantity, passages: Sequence[Passage], matches: Callable[[Quantity], bool]
) -> Iterator[_Candidate]:
    """The numbers that match and bear out none of the sentence's."""
    own = [said, *(quantity for quantity in claimed(line) if quantity is not said)]
    for passage in passages:
        for text in passage.lines:
            for quantity in text.quantities:
                if matches(quantity) and not any(bears_out(quantity, one) for one in own):
                    yield _Candidate(quantity, text, passage, fit(line, said, text, quantity))


def fit(line: Line, said: Quantity, source: Line, quantity: Quantity) -> float:
    """How much of what stands around a number of the sentence stands around one of the source, near words most: 0–1."""
    weights = {place: math.exp(-_distance(line, place, said) / NEAR) for place, _ in line.content}
    total = sum(weights.values())
    if not total:
        return 0.0
    matched = 0.0
    for place, terms in line.content:
        near = [
            math.exp(-_distance(source, other, quantity) / (2 * NEAR))
            for other, have in source.content
            if not set(terms).isdisjoint(have)
        ]
        matched += weights[place] * max(near, default=0.0)
    return matched / total


def _distance(line: Line, place: int, quantity: Quantity) -> float:
    """In words; further where the clause ends between, or another number stands there."""
    start, end = (place, quantity.at) if place < quantity.at else (quantity.upto - 1, place)
    clauses = sum(word.ends_clause for word in line.words[start:end])
    between = sum(start < other.at < end for other in line.quantities if other is not quantity)
    return end - start + CLAUSE * (clauses + between)


def _beside(line: Line, said: Quantity, source: Line, quantity: Quantity) -> bool:
    """Whether the same word stands before both numbers, or behind both."""
    one, two = dict(line.content), dict(source.content)
    pairs = ((one.get(said.at - 1), two.get(quantity.at - 1)), (one.get(said.upto), two.get(quantity.upto)))
    return any(here[0] == there[0] for here, there in pairs if here and there)
