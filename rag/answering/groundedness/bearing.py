"""How much of a sentence its passages say, and whether they say it of the same numbers. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Final

from rag.answering.groundedness.contradiction import contradict
from rag.answering.groundedness.facts import Claims
from rag.answering.groundedness.figures import Figure, bears_out, same_kind
from rag.answering.groundedness.kinship import is_kin
from rag.answering.groundedness.passages import Line, Passage

BEARERS: Final = 20
"""The most places in which a number is looked at."""
NEAR: Final = 6.0
"""Words: how fast the bearing of a word on a number fades with its distance."""
CLAUSE: Final = 3.0
"""Words: how much further it is to the other side of a comma, or of another number."""
OTHER_FORM: Final = 0.9
"""What a word counts for that stands there in another form."""
OTHER_ROW: Final = 0.3
"""What a number of a table counts for in whose row stands something that the sentence does not speak of."""
OTHER_SIDE: Final = 0.8
"""What a word counts for that stands before the one number and behind the other."""
SAME_MATTER: Final = 0.6
"""The share of a sentence's words that a line must hold to be able to contradict it."""
NEAREST: Final = 0.35
"""Lines whose share is less than this below the best speak of the same, too."""


@dataclass(frozen=True, slots=True)
class Bearing:
    """How passages bear on a sentence; the share is of its words that carry a subject, 0 to 1."""

    together: float
    """The share that stands in the best two neighbouring lines, title and headings."""
    contradicts: bool
    """Whether the lines that speak of the same deny what the sentence says, or say the contrary of one of its words."""


@dataclass(frozen=True, slots=True)
class Rival:
    """A number that fits a sentence better than the one that it has."""

    figure: Figure
    passage: Passage
    lead: float
    """By how much it fits better, of 1."""


def bearing(line: Line, passages: Sequence[Passage]) -> Bearing:
    """How the passages bear on the sentence."""
    if not line.content:
        return Bearing(1.0, contradicts=False)
    together, alone = 0.0, list[tuple[float, Line]]()
    for passage in passages:
        wanted = [_Wanted.of(terms, passage) for _, terms in line.content]
        for place, text in enumerate(passage.lines):
            window = passage.lines[0].held.union(*(near.held for near in passage.lines[place : place + 2]))
            together = max(together, _share(wanted, window))
            alone.append((_share(wanted, text.held), text))
    most = max(share for share, _ in alone)
    nearest = [text for share, text in alone if share >= most - NEAREST]
    contradicts = most >= SAME_MATTER and all(contradict(line, text) for text in nearest)
    return Bearing(together, contradicts)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A word that is looked for, in all the forms that a passage has of it."""

    whole: str
    parts: Sequence[Sequence[str]]

    @classmethod
    def of(cls, terms: Sequence[str], passage: Passage) -> _Wanted:
        return cls(terms[0], [passage.forms(term) for term in terms[1:] or terms])

    def degree(self, held: frozenset[str]) -> float:
        """1 where it is held; less where parts or other forms are."""
        if self.whole in held:
            return 1.0
        return OTHER_FORM * sum(not held.isdisjoint(forms) for forms in self.parts) / len(self.parts)


def rival(line: Line, claims: Claims, said: Figure, passages: Sequence[Passage]) -> Rival | None:
    """The number that fits best in the place of `said`: it counts the same, and is none of the sentence's others.

    None too where `said` stands nowhere: it has been reckoned, and no number can take its place.
    """
    bearers = list(islice(bearers_of(said, passages), BEARERS))
    if not bearers:
        return None
    others = [figure for figure in claims.figures if figure is not said]
    own = max(fit(line, said, text, figure) for text, figure in bearers)
    in_other_rows = all(text.row and not text.row <= line.held for text, _ in bearers)
    best: Rival | None = None
    for passage in passages:
        for text in passage.lines:
            for figure in text.figures:
                if same_kind(figure, said) and not bears_out(figure, said):
                    in_row = in_other_rows and bool(text.row) and text.row <= line.held
                    lead = 1.0 if in_row else fit(line, said, text, figure) - own
                    if (best is None or lead > best.lead) and not any(bears_out(figure, other) for other in others):
                        best = Rival(figure, passage, lead)
    return best


def bearers_of(said: Figure, passages: Sequence[Passage]) -> Iterator[tuple[Line, Figure]]:
    """The figures that bear one out, each with its line."""
    for passage in passages:
        for text in passage.lines:
            for figure in text.figures:
                if bears_out(figure, said):
                    yield text, figure


def exchanged(line: Line, claims: Claims, passages: Sequence[Passage]) -> float:
    """By how much two of the sentence's numbers would fit better in each other's place, on average; at most 1."""
    bearers = {figure: list(islice(bearers_of(figure, passages), BEARERS)) for figure in claims.figures}

    def fits(place: Figure, value: Figure) -> float:
        return max((fit(line, place, text, figure) for text, figure in bearers[value]), default=0.0)

    return max(
        (
            (fits(one, two) + fits(two, one) - fits(one, one) - fits(two, two)) / 2
            for one, two in combinations(claims.figures, 2)
            if same_kind(one, two)
        ),
        default=0.0,
    )


def fit(line: Line, said: Figure, source: Line, figure: Figure) -> float:
    """How much of what stands around a number of the sentence stands around one of the source, near words most: 0–1."""
    weights = {place: math.exp(-_distance(line, place, said) / NEAR) for place, _ in line.content}
    total = sum(weights.values())
    if not total:
        return 0.0
    matched = 0.0
    for place, terms in line.content:
        near = [
            math.exp(-_distance(source, other, figure) / (2 * NEAR))
            * (1.0 if (other < figure.at) == (place < said.at) else OTHER_SIDE)
            for other, have in source.content
            if _alike(terms, have)
        ]
        if near:
            matched += weights[place] * max(near)
    of_row = 1.0 if source.row <= line.held else OTHER_ROW
    return of_row * matched / total


def _distance(line: Line, place: int, figure: Figure) -> float:
    """In words; further where the clause ends between, or another number stands there."""
    start, end = (place, figure.at) if place < figure.at else (figure.upto - 1, place)
    clauses = sum(word.ends_clause for word in line.words[start:end])
    between = sum(start < other.at < end for other in line.figures if other is not figure)
    return end - start + CLAUSE * clauses + CLAUSE * between


def _share(wanted: Sequence[_Wanted], held: frozenset[str]) -> float:
    return sum(word.degree(held) for word in wanted) / len(wanted)


def _alike(one: Sequence[str], other: Sequence[str]) -> bool:
    return any(is_kin(term, have) for term in one for have in other)
