"""Whether a line of a passage says the contrary of a sentence that speaks of the same. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rag.answering.groundedness.passages import Line
from rag.answering.groundedness.words import BOUNDS, DENIALS, IMPLIED, OPPOSITES

_ADVERBS: Final = frozenset({"not", "nicht", "pas", "no", "non", "niet"})


def contradict(line: Line, source: Line) -> bool:
    """Whether one denies what the other says, or says the contrary of one of its words, or of how often it is."""
    said, there = {word.lower for word in line.words}, {word.lower for word in source.words}
    if IMPLIED.isdisjoint(said | there) and _denials(line) % 2 != _denials(source) % 2:
        return True
    if line.periods and source.periods and line.periods.isdisjoint(source.periods):
        return True
    return any(_swapped(said, there, *pair) for pair in _both_ways())


def _both_ways() -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    for one, other in OPPOSITES:
        yield one, other
        yield other, one


def _swapped(said: set[str], there: set[str], one: frozenset[str], other: frozenset[str]) -> bool:
    """One of the words is said where only its contrary stands."""
    return not said.isdisjoint(one) and said.isdisjoint(other) and there.isdisjoint(one) and not there.isdisjoint(other)


def _denials(line: Line) -> int:
    words = [word.lower for word in line.words]
    return sum(
        (word in DENIALS or word.endswith("n't") or word == "no")
        and not (place + 1 == len(words) and word in _ADVERBS)  # "Tolhuis does not": what it denies is not said
        and not (place + 1 < len(words) and words[place + 1] in BOUNDS)
        for place, word in enumerate(words)
    )
