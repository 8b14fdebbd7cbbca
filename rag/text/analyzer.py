"""Words as BM25 counts them: one spelling, codes whole and in parts, stems by language, pairs where no spaces are."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Final

import Stemmer

from rag.text.codes import is_code
from rag.text.compounds import compound_parts
from rag.text.dates import MONTHS, dates_in_words
from rag.text.languages import STOP_WORDS, UNCLEAR, folded, language_of, language_of_word, likely_languages
from rag.text.scripts import has_no_spaces, pairs, tokens_of
from rag.text.spelling import cleaned, humps, number_terms
from rag.text.stop_words import GERMAN

_JOINERS = re.compile(r"(?<!\d)\.|\.(?!\d)|[-_/'’‐&]")  # but for the dots within numbers
_PIECES = re.compile(r"\d+(?:\.\d+)*|[^\W\d_]+")
_NUMBER = re.compile(r"[\d.,/-]+")
_SPACED_NUMBER = re.compile(r"\d(?<![\w.,-]\d)(?<!\d \d)\d{0,2}(?: \d{3}){2,}(?![\w-])(?! \d)")
_RANGE = re.compile(r"[-/]")
_VERSION = re.compile(r"[vV](?=\d+\.\d)")
_ENDING = re.compile(r"(?:n['’]t|['’](?:s|re|ll|ve|d|m))$", re.IGNORECASE)
_ELISION = re.compile(
    r"^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|all|dall|dell|nell|sull|un|quell)['’](?=\w)", re.IGNORECASE
)

Terms = Callable[[str], Sequence[str]]
"""Splits a text into terms, in order, with repetition."""

PART: Final = 0.5
"""How much of an occurrence a part counts for that is not written as one: of "Urlaubsantrag", of a date."""
_TELLING: Final = 3
"""Characters of a part that may stand for its whole: the year of "FY2022", not the month of a date."""
_SHORTEST_COMPOUND: Final = 8
_KEPT_WORDS: Final = 100_000
"""Words whose analysis is remembered: most words of a text have been met before."""

_ACRONYMS: Final = frozenset({"IT", "WHO"})
"""What is no stop word in capitals."""

_GLUED: Final = (2, 3)
"""How many neighbours of a question are tried as one word, as names of files and products write them.

Of names and numbers only: "boundary layer" is not one word, and the few texts that write it so would win by rarity."""


@dataclass(frozen=True, slots=True)
class AnalyzedWord:
    """A word of a text."""

    whole: str
    """Its term."""
    parts: tuple[str, ...] = ()
    """The terms of what it is made of."""
    part_weight: float = 1.0
    """What an occurrence of a part counts for."""


@dataclass(frozen=True, slots=True)
class AskedWord:
    """A word of a question, in all the ways in which a document may write it."""

    wordings: tuple[AnalyzedWord, ...]
    """In each language that the question may be in, the likeliest first."""
    glued: tuple[str, ...] = ()
    """The terms of it and its neighbours written as one: "American Express" as "americanexpress", dates in figures."""

    def alternatives(self) -> list[tuple[str, ...]]:
        """What a text has to hold of it: of each tuple any term.

        One tuple for most words; one for each part of a word that is several ("follow-up", "2021/2022"), which the
        whole stands for as well.
        """
        first = self.wordings[0]
        wholes = (*(word.whole for word in self.wordings), *self.glued)
        if first.parts and first.part_weight == 1 and not is_code(first.whole):
            return [tuple(dict.fromkeys((part, *wholes))) for part in dict.fromkeys(first.parts)]
        parts = () if is_code(first.whole) else (part for word in self.wordings for part in word.parts)
        return [tuple(dict.fromkeys((*wholes, *(part for part in parts if len(part) >= _TELLING))))]


class Analyzer:
    """Text into words, words into terms. Not safe for use by several threads at once: stemmers keep a cache."""

    recipe: Final = f"terms/5/{PART}"

    def __init__(self) -> None:
        self._stemmers: dict[str, Stemmer.Stemmer] = {}
        self._analysed = lru_cache(maxsize=_KEPT_WORDS)(self._analyse)

    def split(self, text: str) -> list[str]:
        """The terms in order, with repetition: of each word the whole, then its parts.

        A compound ("CB-4471-K", "maxRetries", "follow-up", "Urlaubsantrag") gives itself without joiners and its
        parts, so that it is found by either, and however its joiners are written.
        """
        return [term for word in self.words(text) for term in (word.whole, *word.parts)]

    def words(self, text: str) -> list[AnalyzedWord]:
        """The words that carry a subject, as the language that the text is in has them."""
        text = cleaned(text)
        tokens = tokens_of(text)
        distinct = {folded(token) for token in set(tokens)}
        language = language_of(text, distinct)
        words = [word for token in tokens for word in self._analysed(token, language)]
        if not MONTHS.keys().isdisjoint(distinct):
            words.extend(AnalyzedWord(date) for date, _ in dates_in_words([folded(token) for token in tokens]))
        words.extend(AnalyzedWord(match[0].replace(" ", "")) for match in _SPACED_NUMBER.finditer(text))
        return words

    def asked(self, question: str) -> list[AskedWord]:
        """The words of a question that carry a subject, in all the ways in which a document may write them."""
        text = cleaned(question)
        tokens = tokens_of(text)
        plain = [folded(token) for token in tokens]
        likely = likely_languages(text, set(plain))
        compounds = likely is not UNCLEAR  # else English questions would have the German nouns read
        wordings = [[self._analysed(token, language, compounds=compounds) for language in likely] for token in tokens]
        glued = self._glued(tokens, [words[0] for words in wordings], likely)
        for date, positions in dates_in_words(plain):
            for position in positions:
                glued[position][date] = None
        asked: list[AskedWord] = []
        for token, by_language, neighbours in zip(tokens, wordings, glued, strict=True):
            if has_no_spaces(token):
                asked.extend(AskedWord((AnalyzedWord(pair.whole),)) for pair in by_language[0])
            elif by_language[0]:
                asked.append(AskedWord(tuple(dict.fromkeys(chain.from_iterable(by_language))), tuple(neighbours)))
        return asked

    def _glued(
        self, tokens: Sequence[str], first: Sequence[Sequence[AnalyzedWord]], likely: Sequence[str]
    ) -> list[dict[str, None]]:
        """For each token, the terms of it and its neighbours written as one; `first` is what each is most likely."""
        glued: list[dict[str, None]] = [{} for _ in tokens]
        carries = [
            token.isalnum() and not token[0].islower() and not has_no_spaces(token) and bool(words)
            for token, words in zip(tokens, first, strict=True)
        ]
        for count in _GLUED:
            for start in range(len(tokens) - count + 1):
                run = range(start, start + count)
                if not (carries[run[0]] and carries[run[-1]]):
                    continue
                joined = folded("".join(tokens[i] for i in run))
                terms = dict.fromkeys(self._stem(joined, language) for language in likely)
                for i in run:
                    glued[i].update(terms)
        return glued

    def _analyse(self, token: str, language: str, *, compounds: bool = True) -> tuple[AnalyzedWord, ...]:
        """The word that a token is; none for one that carries no subject, several for a run without spaces."""
        if has_no_spaces(token):
            return tuple(AnalyzedWord(pair, han, PART) for pair, han in pairs(token))
        token = _ELISION.sub("", _ENDING.sub("", token))
        if _NUMBER.fullmatch(token):
            return (_number(token),)
        token = _VERSION.sub("", token)
        segments = _JOINERS.split(token)
        pieces = [piece for segment in segments for piece in _pieces(segment)]
        if len(pieces) == 1:
            return self._plain(token, language, compounds=compounds)
        has_digits = any(map(str.isdigit, token))
        parts = [self._normal(part, language) for part in (*(segments if has_digits else ()), *pieces)]
        whole = self._normal(_JOINERS.sub("", token), language)
        kept = tuple(part for part in dict.fromkeys(parts) if part and part != whole)
        if not whole or not (kept or has_digits or "&" in token):  # "and/or"
            return ()
        return (AnalyzedWord(whole, kept),)

    def _plain(self, token: str, language: str, *, compounds: bool) -> tuple[AnalyzedWord, ...]:
        """A word of letters, or of digits, without joiners."""
        if token in _ACRONYMS:
            return (AnalyzedWord(token.casefold()),)
        term = self._normal(token, language)
        if not term:
            return ()
        if language != GERMAN or not compounds or len(token) < _SHORTEST_COMPOUND:
            return (AnalyzedWord(term),)
        parts = (self._stem(part, GERMAN) for part in compound_parts(folded(token)))
        return (AnalyzedWord(term, tuple(part for part in dict.fromkeys(parts) if part != term), PART),)

    def _normal(self, word: str, language: str) -> str:
        """The word's stem; empty for one that carries no subject."""
        plain = folded(word)
        language = language_of_word(plain, language) if plain else language
        if plain in STOP_WORDS.get(language, ()):  # before its ending is cut: "does" would become "doe"
            return ""
        return self._stem(plain, language)

    def _stem(self, plain: str, language: str) -> str:
        if any(map(str.isdigit, plain)):
            return plain
        language = language_of_word(plain, language) if plain else language
        if language not in self._stemmers:
            self._stemmers[language] = Stemmer.Stemmer(language)  # Porter, "Snowball", 2001
        return self._stemmers[language].stemWord(plain)


def _pieces(segment: str) -> list[str]:
    """The runs of digits, and the words of runs of letters in camel case."""
    if not segment.replace(".", "").isalnum():  # signs, or vowels that stand on letters
        return [segment]
    return [word for run in _PIECES.findall(segment) for word in humps(run)]


def _number(token: str) -> AnalyzedWord:
    whole, parts = number_terms(token)
    return AnalyzedWord(whole, parts, 1.0 if _RANGE.search(token) else PART)
