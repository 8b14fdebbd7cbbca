"""Passages and sentences taken apart in the same way: words, terms, figures, dates and identifiers, line by line."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final

from rag.answering.groundedness.dates import When, dates_of
from rag.answering.groundedness.figures import Figure
from rag.answering.groundedness.kinship import BEGINNING, is_kin
from rag.answering.groundedness.lexing import Word, normalised, words_of
from rag.answering.groundedness.lines import cells_of, lines, squeezed
from rag.answering.groundedness.names import code_key, codes_of
from rag.answering.groundedness.numerals import figures_of
from rag.answering.groundedness.units import PERIOD_OF, PERIODS, UNITS
from rag.answering.groundedness.words import DENIALS, language_of, small_words, word_set
from rag.types.answers import Citation

_A: Final = word_set("a an per each every im pro je jede jeden jedes par chaque al por cada a al ogni alla elke per")

Terms = Callable[[str], Sequence[str]]

TEXT_CHARS: Final = 20_000
"""The most that is read of a passage."""
WORDS_KEPT: Final = 50_000
"""Their terms are remembered: an answer repeats its passages' words."""


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of a passage, a row of a table, or a sentence of an answer."""

    text: str
    """Normalised."""
    language: str
    words: Sequence[Word]
    """Those that are part of no date."""
    terms: Sequence[Sequence[str]]
    """Of each word."""
    figures: Sequence[Figure]
    dates: Sequence[When]
    held: frozenset[str]
    """All its terms."""
    content: Sequence[tuple[int, Sequence[str]]]
    """The place and the terms of each word that carries a subject: no number, no small word, no denial."""
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
    def held(self) -> frozenset[str]:
        """All its terms."""
        return frozenset[str]().union(*(line.held for line in self.lines))

    @cached_property
    def by_beginning(self) -> Mapping[str, Sequence[str]]:
        """Its terms by their first letters, to find forms of a word."""
        found: dict[str, list[str]] = {}
        for term in self.held:
            found.setdefault(term[:BEGINNING], []).append(term)
        return found

    def forms(self, term: str) -> list[str]:
        """Its terms that are forms of this one."""
        return [other for other in self.by_beginning.get(term[:BEGINNING], ()) if is_kin(term, other)]

    @cached_property
    def figures(self) -> Sequence[Figure]:
        """All its figures, in order."""
        return [figure for line in self.lines for figure in line.figures]

    @cached_property
    def years(self) -> frozenset[int]:
        """The years that stand in it, in dates or alone."""
        dated = {date.year for line in self.lines for date in line.dates if date.year is not None}
        alone = {
            int(reading.value) for figure in self.figures for reading in figure.readings if _is_year(reading.value)
        }
        return frozenset(dated | alone)

    @cached_property
    def codes(self) -> frozenset[str]:
        """Keys of its identifiers, and of neighbours that may be one written apart."""
        keys: set[str] = set()
        for line in self.lines:
            keys |= codes_of(line.words).keys()
            keys |= {
                code_key(one.text + two.text)
                for one, two in pairwise(line.words)
                if any(map(str.isdigit, one.text + two.text)) and not one.ends_clause
            }
        return frozenset(keys)


class Reader:
    """Takes texts apart. Holds nothing but the way of splitting words into terms."""

    def __init__(self, terms: Terms) -> None:

        def of_word(word: str) -> tuple[str, ...]:
            return tuple(terms(word))

        self._terms = lru_cache(maxsize=WORDS_KEPT)(of_word)

    def line(self, text: str, language: str) -> Line:
        """One sentence. The language decides which words count."""
        plain_text = normalised(text)
        every = words_of(plain_text)
        dates, words = dates_of(every)
        terms = [self._terms(word.text) for word in words]
        held = frozenset(term for of_word in terms for term in of_word)
        figures = figures_of(words, language)
        content = _content(words, terms, figures, small_words(language))
        return Line(plain_text, language, words, terms, figures, dates, held, content, _periods(words))

    def passage(self, citation: Citation) -> Passage:
        """What a citation's passage says, title and headings included."""
        text = citation.chunk.searchable[:TEXT_CHARS]
        language = language_of(text)
        head, _, body = text.partition("\n")
        headings = citation.chunk.headings
        columns = cells_of(headings[-1]) if headings and headings[-1].startswith("|") else ()
        body_lines = [replace(self.line(line, language), row=self._row(label)) for line, label in lines(body, columns)]
        return Passage(citation.number, [self.line(head, language), *body_lines], language)

    def _row(self, label: str) -> frozenset[str]:
        return frozenset(term for word in words_of(normalised(label)) for term in self._terms(word.text)[:1])


def _content(
    words: Sequence[Word], terms: Sequence[Sequence[str]], figures: Sequence[Figure], small: Collection[str]
) -> list[tuple[int, Sequence[str]]]:
    counted = {place for figure in figures for place in range(figure.at, figure.upto)}
    return [
        (place, of_word)
        for place, (word, of_word) in enumerate(zip(words, terms, strict=True))
        if of_word
        and place not in counted
        and not word.text[0].isdigit()
        and word.lower not in DENIALS
        and word.folded not in small
    ]


def _periods(words: Sequence[Word]) -> frozenset[str]:
    alone = {PERIODS[word.lower] for word in words if word.lower in PERIODS}
    units = [UNITS.get(word.lower) for before, word in pairwise(words) if before.lower in _A and not before.ends_clause]
    return frozenset(alone | {PERIOD_OF[unit] for unit in units if unit is not None and unit in PERIOD_OF})


def _is_year(value: float) -> bool:
    return value.is_integer() and 1900 <= value <= 2100  # noqa: PLR2004  # years that documents speak of
