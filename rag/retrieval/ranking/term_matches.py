"""A passage as a question reads it: where its words stand, together, side by side. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from rag.retrieval.base import QueryTerm
from rag.text.analyzer import Terms
from rag.types.chunks import Chunk, context_line

Rarity: TypeAlias = npt.NDArray[np.float64]
"""IDF of each word of a question, in order."""

WINDOW: Final = 40
"""Terms: about two sentences."""
_BESIDE: Final = 2  # terms between neighbours: a part of a compound may stand between
_LISTING_LINE: Final = re.compile(r"(?:\.{4,}|\s)\s*\d{1,3}\s*$")
_LISTING_CHARS: Final = 120  # of a line: a longer one is prose that happens to end in a number


@dataclass(frozen=True, slots=True)
class TermMatches:
    """One passage, for one question."""

    matches: Sequence[tuple[int, int]]
    """Where the text holds a word of the question: place of the term, number of the word; in order of places."""
    held: frozenset[int]
    """The numbers of the words that text, title and headings hold."""
    above: frozenset[int]
    """… that title and headings hold."""


def read(chunk: Chunk, words: Sequence[QueryTerm], terms: Terms) -> TermMatches:
    """Look for the words in a chunk."""
    numbers: dict[str, list[int]] = defaultdict(list)
    for number, word in enumerate(words):
        for term in word.terms:
            numbers[term].append(number)
    found = enumerate(terms(chunk.text))
    matches = [(place, number) for place, term in found if term in numbers for number in numbers[term]]
    heads = terms(context_line(chunk.document.title, chunk.headings))
    above = frozenset(number for term in heads if term in numbers for number in numbers[term])
    return TermMatches(matches, frozenset(number for _, number in matches) | above, above)


def weight(held: frozenset[int], rarity: Rarity) -> float:
    """The rarity of some words of the question, summed."""
    return float(sum(rarity[number] for number in held))


def window(reading: TermMatches, rarity: Rarity) -> float:
    """The most weight of different words that stand within WINDOW terms."""
    best = held = 0.0
    first = 0
    inside: dict[int, int] = defaultdict(int)
    for place, number in reading.matches:
        held += 0.0 if inside[number] else rarity[number]
        inside[number] += 1
        while place - reading.matches[first][0] > WINDOW:
            left = reading.matches[first][1]
            inside[left] -= 1
            held -= 0.0 if inside[left] else rarity[left]
            first += 1
        best = max(best, held)
    return best


def pairs(reading: TermMatches, rarity: Rarity) -> float:
    """Of neighbouring words of the question, the share by rarity that are neighbours in the text, too."""
    found: set[int] = set()
    for i, (place, number) in enumerate(reading.matches):
        following = reading.matches[i + 1 : i + 2 + _BESIDE]
        if any(other == number + 1 and later - place <= _BESIDE for later, other in following):
            found.add(number)
    weights = rarity[:-1] + rarity[1:]
    return float(sum(weights[number] for number in found) / weights.sum()) if len(weights) else 0.0


def digits(text: str) -> float:
    """The share of digits among the characters."""
    return sum(map(str.isdigit, text)) / max(1, len(text))


def listing(text: str) -> float:
    """The share of lines that end in a page number: most of a table of contents, or of an index."""
    lines = [line for line in text.splitlines() if line.strip()]
    listed = sum(len(line) < _LISTING_CHARS and bool(_LISTING_LINE.search(line[-12:])) for line in lines)
    return listed / max(1, len(lines))
