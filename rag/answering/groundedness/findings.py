"""One sentence held against its passages by its words and numbers: what is missing, out of place, or unsure. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from rag.answering.groundedness.codes import missing_codes
from rag.answering.groundedness.dates import missing_dates
from rag.answering.groundedness.lines import squeezed
from rag.answering.groundedness.numbers import claimed, missing_numbers
from rag.answering.groundedness.passages import Line, Passage
from rag.answering.groundedness.placement import correction, exchanged, is_displaced
from rag.answering.groundedness.statements import Statement
from rag.answering.groundedness.wording import wording
from rag.text.codes import codes_of
from rag.text.languages import is_other_language
from rag.types.groundedness import Correction, Lack, Missing


@dataclass(frozen=True, slots=True)
class SupportBounds:
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
    """… and by this if a number, a date or an identifier of the sentence stands in the passage."""


BOUNDS: Final = SupportBounds()


@dataclass(frozen=True)
class CheckedSentence:
    """One sentence with what is needed to judge it."""

    statement: Statement
    line: Line
    """It, taken apart."""
    against: Sequence[Passage]
    """Those that it names, that are lent to it, or all."""

    @cached_property
    def can_be_looked_up(self) -> bool:
        """Whether it holds a number, a date or an identifier."""
        return bool(claimed(self.line) or self.line.dates or codes_of(self.line.words))


@dataclass(frozen=True, slots=True)
class Finding:
    """What the words and numbers of a sentence say about it."""

    missing: tuple[Missing, ...] = ()
    correction: Correction | None = None
    unsure: float | None = None
    """The likeness that it needs to be borne out, where its meaning has to be compared."""
    unknowable: bool = False
    """It is in another language than its passages, and names nothing that could be looked up."""


def examined(one: CheckedSentence, given: Line, bounds: SupportBounds) -> Finding:
    """What is found of a sentence that has passages to be held against. `given` is the question."""
    line, passages = one.line, one.against
    quoted = squeezed(line.text)
    if any(quoted in passage.squeezed for passage in passages):
        return Finding()
    missing = (
        *missing_dates(line, passages, given),
        *missing_numbers(line, passages, given),
        *missing_codes(line, passages, given),
    )
    if all(is_other_language(one.statement.text, passage.language) for passage in passages):
        return Finding(missing, unknowable=not one.can_be_looked_up)
    if missing:
        return Finding(missing, _correction(line, missing, passages))
    return _in_context(one, bounds)


def _in_context(one: CheckedSentence, bounds: SupportBounds) -> Finding:
    """What is found of a sentence whose numbers, dates and identifiers all stand in its passages."""
    line, passages = one.line, one.against
    words = wording(line, passages)
    if words.contradicts:
        return Finding((Missing(Lack.NEGATION),))
    for said in claimed(line):
        if is_displaced(line, said, passages, bounds.lead):
            return Finding((Missing(Lack.NUMBER, said.text),), correction(line, said, Lack.NUMBER, passages))
    if exchanged(line, passages) > bounds.exchanged:
        return Finding((Missing(Lack.NUMBER),))
    if words.together >= bounds.said:
        return Finding()
    return Finding(unsure=bounds.like - bounds.words * words.together - bounds.found * one.can_be_looked_up)


def _correction(line: Line, missing: Sequence[Missing], passages: Sequence[Passage]) -> Correction | None:
    if len(missing) != 1 or missing[0].lack not in {Lack.NUMBER, Lack.UNIT}:
        return None
    said = next(quantity for quantity in claimed(line) if quantity.text == missing[0].text)
    return correction(line, said, missing[0].lack, passages)
