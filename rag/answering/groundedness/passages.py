"""Passages and sentences taken apart in the same way: words, terms, quantities, dates and identifiers, line by line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final

from rag.answering.groundedness.lines import cells_of, lines, squeezed
from rag.text.analyzer import Terms
from rag.text.codes import code_key, codes_of
from rag.text.dates import When, dates_of
from rag.text.languages import STOP_WORDS, language_of_text
from rag.text.quantities import Quantity, quantities_of
from rag.text.stop_words import DENIALS
from rag.text.units import PERIOD_OF, PERIODS, UNITS
from rag.text.words import WrittenWord, normalised, written_words
from rag.types.answers import Citation

TEXT_CHARS: Final = 20_000
"""The most that is read of a passage."""
WORDS_KEPT: Final = 50_000
"""Their terms are remembered: an answer repeats its passages' words."""
_A: Final = frozenset("a an per each every im pro je jede jeden jedes par chaque al por cada ogni alla elke".split())  # noqa: SIM905  # a list of words reads best as words
_YEARS: Final = range(1900, 2101)  # that documents speak of


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of a passage, a row of a table, or a sentence of an answer."""

    text: str
    """Normalised."""
    language: str
    words: Sequence[WrittenWord]
    """Those that are part of no date."""
    quantities: Sequence[Quantity]
    dates: Sequence[When]
    held: frozenset[str]
    """All its terms."""
    content: Sequence[tuple[int, Sequence[str]]]
    """The place and the terms of each word that carries a subject: no number, no stop word, no denial."""
    periods: frozenset[str]
    """How often something is that it speaks of: "a week", "yearly"."""
    row: frozenset[str] = frozenset()
    """The terms of its first cell, which says what a row of a table is about; empty for sentences."""


@dataclass(frozen=True)
class Passage:
    """What a citation's passage says."""

    number: int
    lines: Sequence[Line]
    """The first is title and headings."""
    language: str

    @cached_property
    def squeezed(self) -> str:
        """All its text, for quotations."""
        return squeezed(" ".join(line.text for line in self.lines))

    @cached_property
    def quantities(self) -> Sequence[Quantity]:
        """All its quantities, in order."""
        return [quantity for line in self.lines for quantity in line.quantities]

    @cached_property
    def years(self) -> frozenset[float]:
        """The years that stand in it, in dates or alone."""
        dated = {float(date.year) for line in self.lines for date in line.dates if date.year is not None}
        values = {reading.value for quantity in self.quantities for reading in quantity.readings}
        return frozenset(dated | {value for value in values if value in _YEARS})

    @cached_property
    def codes(self) -> frozenset[str]:
        """Keys of its identifiers, and of neighbours that may be one written apart."""
        keys: set[str] = set()
        for line in self.lines:
            keys |= codes_of(line.words).keys()
            keys |= {
                code_key(one.text + two.text)
                for one, two in pairwise(line.words)
                if (one.has_digit or two.has_digit) and not one.ends_clause
            }
        return frozenset(keys)


class PassageReader:
    """Takes texts apart. Holds nothing but the way of splitting words into terms."""

    def __init__(self, terms: Terms) -> None:

        def of_word(word: str) -> tuple[str, ...]:
            return tuple(terms(word))

        self._terms = lru_cache(maxsize=WORDS_KEPT)(of_word)

    def line(self, text: str, language: str) -> Line:
        """One sentence. The language decides which words count."""
        plain = normalised(text)
        dates, words = dates_of(written_words(plain))
        terms = [self._terms(word.text) for word in words]
        quantities = quantities_of(words, language)
        counted = {place for quantity in quantities for place in range(quantity.at, quantity.upto)}
        small = STOP_WORDS.get(language, frozenset())
        content = [
            (place, of_word)
            for place, (word, of_word) in enumerate(zip(words, terms, strict=True))
            if of_word and place not in counted and not word.text[0].isdigit()
            if word.lower not in DENIALS and word.folded not in small
        ]
        held = frozenset(term for of_word in terms for term in of_word)
        return Line(plain, language, words, quantities, dates, held, content, _periods(words))

    def passage(self, citation: Citation) -> Passage:
        """What a citation's passage says, title and headings included."""
        text = citation.chunk.searchable[:TEXT_CHARS]
        language = language_of_text(text)
        head, _, body = text.partition("\n")
        headings = citation.chunk.headings
        columns = cells_of(headings[-1]) if headings and headings[-1].startswith("|") else ()
        body_lines = [replace(self.line(line, language), row=self._row(label)) for line, label in lines(body, columns)]
        return Passage(citation.number, [self.line(head, language), *body_lines], language)

    def _row(self, label: str) -> frozenset[str]:
        return frozenset(term for word in written_words(normalised(label)) for term in self._terms(word.text)[:1])


def _periods(words: Sequence[WrittenWord]) -> frozenset[str]:
    alone = {PERIODS[word.lower] for word in words if word.lower in PERIODS}
    units = [UNITS.get(word.lower) for before, word in pairwise(words) if before.lower in _A and not before.ends_clause]
    return frozenset(alone | {PERIOD_OF[unit] for unit in units if unit is not None and unit in PERIOD_OF})
