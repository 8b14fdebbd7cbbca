"""One sentence held against its passages by its words and numbers: what is missing, out of place, or unsure. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from rag.answering.groundedness.bearing import Bearing, bearing, exchanged, rival
from rag.answering.groundedness.corrections import correction
from rag.answering.groundedness.facts import Claims, missing_facts
from rag.answering.groundedness.lines import squeezed
from rag.answering.groundedness.passages import Line, Passage
from rag.answering.groundedness.statements import Statement
from rag.answering.groundedness.words import is_other_language
from rag.types.groundedness import Correction, Lack, Missing


@dataclass(frozen=True, slots=True)
class Bounds:
    """From where on a sentence is borne out. Fitted by lab/benchmarks/support.py on one half of its answers.

    Only `lead` is stricter than what was fitted (0.2): a false warning costs more trust than a slip that goes unseen.
    """

    lead: float = 0.3
    """By how much another number must fit better than the one that is said, of 1, for this one to be out of place."""
    exchanged: float = 0.08
    """Likewise for two numbers of a sentence in each other's place."""
    said: float = 0.6
    """The share of a sentence's words that, standing together in a passage, says the same without more ado."""
    like: float = 0.55
    """Else how alike the sentence and a line of the passage must be in meaning, 0 to 1: less by …"""
    words: float = 0.2
    """… this times that share,"""
    found: float = 0.05
    """… and by this if a number, a name or an identifier of the sentence stands in the passage."""


BOUNDS: Final = Bounds()


@dataclass(frozen=True, slots=True)
class Checked:
    """One sentence with what is needed to judge it."""

    statement: Statement
    line: Line
    """It, taken apart."""
    claims: Claims
    against: Sequence[Passage]
    """Those that it names, that are lent to it, or all."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What the words and numbers of a sentence say about it."""

    missing: tuple[Missing, ...] = ()
    correction: Correction | None = None
    unsure: float | None = None
    """The likeness that it needs to be borne out, where its meaning has to be compared."""
    unknowable: bool = False
    """It is in another language than its passages, and names nothing that could be looked up."""


def examined(one: Checked, given: Line, bounds: Bounds) -> Finding:
    """What is found of a sentence that has passages to be held against. `given` is the question."""
    line, claims, passages = one.line, one.claims, one.against
    if all(is_other_language(one.statement.text, passage.language) for passage in passages):
        plain = replace(claims, names=())  # names of places are translated
        missing = missing_facts(line, plain, passages, given)
        return Finding(tuple(missing), unknowable=not missing and not plain.count)
    quoted = squeezed(line.text)
    if any(quoted in passage.squeezed for passage in passages):
        return Finding()
    missing = missing_facts(line, claims, passages, given)
    if missing:
        return Finding(tuple(missing), _correction_of_missing(one, missing))
    bears = bearing(line, passages)
    if bears.contradicts:
        return Finding((Missing(Lack.NEGATION),))
    displaced = _displaced(one, bounds)
    if displaced is not None:
        return displaced
    return Finding(unsure=None if bears.together >= bounds.said else _likeness_needed(bears, claims, bounds))


def _likeness_needed(bears: Bearing, claims: Claims, bounds: Bounds) -> float:
    return bounds.like - bounds.words * bears.together - bounds.found * bool(claims.count)


def _correction_of_missing(one: Checked, missing: Sequence[Missing]) -> Correction | None:
    if len(missing) != 1 or missing[0].lack not in {Lack.NUMBER, Lack.UNIT}:
        return None
    said = next(figure for figure in one.claims.figures if figure.text == missing[0].text)
    return correction(one.line, one.claims, said, missing[0].lack, one.against)


def _displaced(one: Checked, bounds: Bounds) -> Finding | None:
    """A number that stands in the passages, but where they speak of something else."""
    for said in one.claims.figures:
        better = rival(one.line, one.claims, said, one.against)
        if better is not None and better.lead > bounds.lead:
            right = correction(one.line, one.claims, said, Lack.NUMBER, one.against)
            return Finding((Missing(Lack.NUMBER, said.text),), right)
    if exchanged(one.line, one.claims, one.against) > bounds.exchanged:
        return Finding((Missing(Lack.NUMBER),))
    return None
