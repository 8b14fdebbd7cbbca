"""BM25 as a sparse vector: here the weight of a term in a text, in the store its inverse document frequency (IDF)."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Mapping
from typing import Final

import numpy as np

from rag.text.analyzer import PART, Analyzer, AskedWord
from rag.types.vectors import SparseVector

K1: Final = 1.2  # Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, sec. 3.5
B: Final = 0.75  # likewise
AVERAGE_TERMS: Final = 120  # of a chunk of 800 characters, title and headings included; only the ratio to it matters


class Bm25:
    """Weighs terms; the product of both sides, times the store's IDF, summed, is BM25."""

    recipe: Final = f"bm25/{K1}/{B}/{AVERAGE_TERMS}/{Analyzer.recipe}"

    def __init__(self) -> None:
        self._splitter = Analyzer()
        self._lock = threading.Lock()

    def terms(self, text: str) -> list[str]:
        """The terms that a document with this text holds, in order, with repetition."""
        with self._lock:
            return self._splitter.split(text)

    def query_words(self, question: str) -> list[tuple[str, ...]]:
        """What a text has to hold of a question, in order: of each tuple any term. The first is the likeliest."""
        alternatives = (of_word for word in self._asked(question) for of_word in word.alternatives())
        return list(dict.fromkeys(alternatives))

    def document(self, text: str) -> SparseVector:
        """Term frequencies, saturated and divided by length."""
        with self._lock:
            words = self._splitter.words(text)
        counts: dict[str, float] = {}
        length = 0.0
        for word in words:
            length += 1 + len(word.parts) * word.part_weight
            counts[word.whole] = counts.get(word.whole, 0.0) + 1
            for part in word.parts:
                counts[part] = counts.get(part, 0.0) + word.part_weight
        saturation = K1 * (1 - B + B * length / AVERAGE_TERMS)
        return _vector({term: count * (K1 + 1) / (count + saturation) for term, count in counts.items()})

    def query(self, question: str) -> SparseVector:
        """Each distinct term of the question once, in all the ways in which a document may write it."""
        weights: dict[str, float] = {}
        for asked in self._asked(question):
            for word in asked.wordings:
                weights[word.whole] = 1.0
                for part in word.parts:
                    weights[part] = max(weights.get(part, 0.0), word.part_weight)
            for term in asked.glued:
                weights[term] = max(weights.get(term, 0.0), PART)
        return _vector(weights)

    def _asked(self, question: str) -> list[AskedWord]:
        with self._lock:
            return self._splitter.asked(question)


def term_number(term: str) -> int:
    """The number that stands for a term in a SparseVector."""
    return zlib.crc32(term.encode())


def _vector(weights: Mapping[str, float]) -> SparseVector:
    by_hash: dict[int, float] = {}
    for term, weight in weights.items():
        key = term_number(term)
        by_hash[key] = max(weight, by_hash.get(key, 0.0))
    indices = sorted(by_hash)
    return SparseVector(np.array(indices, dtype=np.uint32), np.array([by_hash[i] for i in indices], dtype=np.float32))
