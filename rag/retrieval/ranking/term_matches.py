"""Where a passage holds the terms of a question: together, side by side, in its headings. Pure."""

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

Idfs: TypeAlias = npt.NDArray[np.float64]
"""The IDF of each term of a question, in order."""

WINDOW: Final = 40
"""Terms: about two sentences."""
_BESIDE: Final = 2  # terms between neighbours: a part of a compound may stand between
_LISTING_LINE: Final = re.compile(r"(?:\.{4,}|\s)\s*\d{1,3}\s*$")
_LISTING_CHARS: Final = 120  # of a line: a longer one is prose that happens to end in a number


@dataclass(frozen=True, slots=True)
class TermMatches:
    """One passage, for one question."""

    matches: Sequence[tuple[int, int]]
    """Where the text holds a term of the question: its place, and the number of the question's term; by places."""
    held: frozenset[int]
    """The numbers of the question's terms that text, title and headings hold."""
    above: frozenset[int]
    """… that title and headings hold."""


def read(chunk: Chunk, terms: Sequence[QueryTerm], tokenize: Terms) -> TermMatches:
    """Look for the terms in a chunk."""
    numbers: dict[str, list[int]] = defaultdict(list)
    for number, term in enumerate(terms):
        for variant in term.variants:
            numbers[variant].append(number)
    found = enumerate(tokenize(chunk.text))
    matches = [(place, number) for place, token in found if token in numbers for number in numbers[token]]
    heads = tokenize(context_line(chunk.document.title, chunk.headings))
    above = frozenset(number for token in heads if token in numbers for number in numbers[token])
    return TermMatches(matches, frozenset(number for _, number in matches) | above, above)


def weight(held: frozenset[int], idf: Idfs) -> float:
    """The IDF of some terms of the question, summed."""
    return float(sum(idf[number] for number in held))


def window(row: TermMatches, idf: Idfs) -> float:
    """The most weight of different terms that stand within WINDOW terms."""
    best = held = 0.0
    first = 0
    inside: dict[int, int] = defaultdict(int)
    for place, number in row.matches:
        held += 0.0 if inside[number] else idf[number]
        inside[number] += 1
        while place - row.matches[first][0] > WINDOW:
            left = row.matches[first][1]
            inside[left] -= 1
            held -= 0.0 if inside[left] else idf[left]
            first += 1
        best = max(best, held)
    return best


def pairs(row: TermMatches, idf: Idfs) -> float:
    """Of neighbouring terms of the question, the share by IDF that are neighbours in the text, too."""
    found: set[int] = set()
    for i, (place, number) in enumerate(row.matches):
        following = row.matches[i + 1 : i + 2 + _BESIDE]
        if any(other == number + 1 and later - place <= _BESIDE for later, other in following):
            found.add(number)
    weights = idf[:-1] + idf[1:]
    return float(sum(weights[number] for number in found) / weights.sum()) if len(weights) else 0.0


def digits(text: str) -> float:
    """The share of digits among the characters."""
    return sum(map(str.isdigit, text)) / max(1, len(text))


def listing(text: str) -> float:
    """The share of lines that end in a page number: most of a table of contents, or of an index."""
    lines = [line for line in text.splitlines() if line.strip()]
    listed = sum(len(line) < _LISTING_CHARS and bool(_LISTING_LINE.search(line[-12:])) for line in lines)
    return listed / max(1, len(lines))
