"""The sentences of a passage that bear on a question. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from rag.retrieval.base import QueryTerm
from rag.text.analyzer import Terms
from rag.text.sentences import sentence_starts
from rag.types.chunks import Chunk, RetrievedChunk

EXCERPT_CHARS: Final = 300
PAGE_EXCERPTS: Final = 2  # quoted of one page: the reader opens it anyway
NAMED: Final = 0.5
"""What a term counts that title or headings name: the passage is about it, so it tells no sentence from another."""

_LINE_BREAKS: Final = re.compile(r"\n+")
_HEADING: Final = re.compile(r"#{1,6} ")


def excerpt(text: str, weights: Mapping[str, float], terms: Terms, *, limit: int = EXCERPT_CHARS) -> tuple[str, int]:
    """The run of sentences, at most `limit` characters long, whose terms weigh most; and where it begins in `text`.

    White space is folded, Markdown's marks of headings are dropped. A sentence longer than the limit comes in pieces.
    """
    sentences = _sentences(text, limit)
    if not sentences:
        return "", 0
    scores = [_weight(text[start:end], weights, terms) for start, end in sentences]
    best = max(range(len(sentences)), key=lambda i: (scores[i], -i))
    first = last = best
    while True:
        grown = [
            (scores[i], first - i, i)
            for i in (first - 1, last + 1)
            if 0 <= i < len(sentences) and sentences[max(last, i)][1] - sentences[min(first, i)][0] <= limit
        ]
        if not grown:
            break
        _, _, i = max(grown)
        first, last = min(first, i), max(last, i)
    start, end = sentences[first][0], sentences[last][1]
    return _folded(text[start:end], limit), start


def term_weights(terms: Sequence[QueryTerm]) -> Mapping[str, float]:
    """The IDF of each term by which a document may write a word of the question."""
    return {variant: term.idf for term in terms for variant in term.variants}


def telling(weights: Mapping[str, float], chunk: Chunk, terms: Terms) -> Mapping[str, float]:
    """The weights by which sentences of this chunk are told apart."""
    own = (line for line in chunk.text.splitlines() if _HEADING.match(line))
    named = {term for text in (chunk.document.title, *chunk.headings, *own) for term in terms(text)}
    return {term: weight * NAMED if term in named else weight for term, weight in weights.items()}


def spread(hits: Sequence[RetrievedChunk], *, limit: int) -> list[RetrievedChunk]:
    """The best hits, at most one of those that overlap, and at most `PAGE_EXCERPTS` of a page."""
    picked: list[RetrievedChunk] = []
    for hit in hits:
        same_page = [
            other.chunk
            for other in picked
            if (other.chunk.document.id, other.chunk.page) == (hit.chunk.document.id, hit.chunk.page)
        ]
        overlaps = any(_overlap(hit.chunk, other) for other in same_page)
        if not overlaps and len(same_page) < PAGE_EXCERPTS:
            picked.append(hit)
    return picked[:limit]


def _overlap(one: Chunk, other: Chunk) -> bool:
    first, second = one.spans[0], other.spans[0]
    return first.start < second.end and second.start < first.end


def page_at(chunk: Chunk, offset: int) -> tuple[int, str]:
    """The physical page and the printed label where the chunk's character `offset` stands."""
    for span in chunk.spans:
        length = span.end - span.start
        if offset < length:
            return span.page, span.label
        offset -= length + 1
    return chunk.spans[-1].page, chunk.spans[-1].label


def _sentences(text: str, limit: int) -> list[tuple[int, int]]:
    """Where each begins and ends; one longer than the limit comes in pieces, cut at white space where it can be."""
    breaks = (match.end() for match in _LINE_BREAKS.finditer(text))
    edges = sorted({0, *sentence_starts(text, 0, len(text)), *breaks, len(text)})
    spans = [piece for start, end in pairwise(edges) for piece in _pieces(text, start, end, limit)]
    return [(start, start + len(text[start:end].rstrip())) for start, end in spans if text[start:end].strip()]


def _pieces(text: str, start: int, end: int, limit: int) -> Iterator[tuple[int, int]]:
    size = limit // 2  # so that neighbours can be added to the one that matters
    while end - start > limit:
        space = text.rfind(" ", start + size // 2, start + size)
        cut = space + 1 if space >= 0 else start + size
        yield start, cut
        start = cut
    yield start, end


def _weight(sentence: str, weights: Mapping[str, float], terms: Terms) -> float:
    return sum(weights.get(term, 0.0) for term in set(terms(sentence)))


def _folded(text: str, limit: int) -> str:
    lines = [re.sub(r"^#{1,6} ", "", line.strip()) for line in text.splitlines()]
    folded = re.sub(r"\s+", " ", " ".join(line for line in lines if line))
    if len(folded) <= limit:
        return folded
    cut = folded[: limit - 1]
    return (cut[: cut.rindex(" ")] if " " in cut[limit // 2 :] else cut).rstrip() + "…"
