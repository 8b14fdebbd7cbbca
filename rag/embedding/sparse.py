"""BM25 as a sparse vector: here the weight of a term in a text, in the store its rarity (IDF)."""

from __future__ import annotations

import threading
import zlib
from collections import Counter
from typing import Final

import numpy as np

from rag.embedding.terms import TermSplitter
from rag.types import SparseVector

K1: Final = 1.2  # Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, sec. 3.5
B: Final = 0.75  # likewise
AVERAGE_TERMS: Final = 120  # of a chunk of 800 characters, title and headings included; only the ratio to it matters


class Bm25:
    """Weights terms; the product of both sides, times the store's IDF, summed, is BM25."""

    recipe: Final = f"bm25/{K1}/{B}/{AVERAGE_TERMS}/{TermSplitter.recipe}"

    def __init__(self) -> None:
        self._splitter = TermSplitter()
        self._lock = threading.Lock()

    def terms(self, text: str) -> list[str]:
        """The text's terms in order, with repetition."""
        with self._lock:
            return self._splitter.split(text)

    def document(self, text: str) -> SparseVector:
        """Term frequencies, saturated and divided by length."""
        terms = self.terms(text)
        length = K1 * (1 - B + B * len(terms) / AVERAGE_TERMS)
        weights = {term: count * (K1 + 1) / (count + length) for term, count in Counter(terms).items()}
        return _vector(weights)

    def query(self, text: str) -> SparseVector:
        """Each distinct term once."""
        return _vector(dict.fromkeys(self.terms(text), 1.0))

    def term(self, term: str) -> SparseVector:
        """One term alone, as `terms` gave it."""
        return _vector({term: 1.0})


def _vector(weights: dict[str, float]) -> SparseVector:
    by_hash: dict[int, float] = {}
    for term, weight in weights.items():
        key = zlib.crc32(term.encode())
        by_hash[key] = max(weight, by_hash.get(key, 0.0))
    indices = np.array(sorted(by_hash), dtype=np.uint32)
    return SparseVector(indices, np.array([by_hash[int(i)] for i in indices], dtype=np.float32))
