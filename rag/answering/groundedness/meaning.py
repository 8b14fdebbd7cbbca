"""How near a sentence is to lines of passages in meaning, by the embedding model, whichever it is."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from rag.embedding.base import Embedder

LINES: Final = 40
"""The most lines of passages that are compared with one answer."""
LINE_CHARS: Final = 400
_UNRELATED: Final = (
    "The invoice is due after thirty days.",
    "Blue whales sing in the northern sea.",
    "Press the reset button for five seconds.",
    "Her grandmother was born in Lisbon.",
    "The committee elects a new chair in May.",
    "Rinse the rice until the water is clear.",
)
"""Sentences that have nothing to do with each other: their likeness is zero by definition."""


class Meanings:
    """The cosine of two texts on a scale on which unrelated ones are 0, for models differ in what those have."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._zero: float | None = None

    async def best(self, sentences: Sequence[str], lines: Sequence[Sequence[str]]) -> list[float]:
        """For each sentence, how near the nearest of its own lines is, at most 1; 0 where it has none."""
        kept = [[line[:LINE_CHARS] for line in of_one[: LINES // max(1, len(sentences))]] for of_one in lines]
        texts = list(dict.fromkeys([*sentences, *(line for of_one in kept for line in of_one)]))
        zero, embedded = await asyncio.gather(self._unrelated(), self._embedder.embed_documents(texts))
        vectors = {text: embedding.dense for text, embedding in zip(texts, embedded, strict=True)}
        return [
            max(((float(vectors[sentence] @ vectors[line]) - zero) / (1 - zero) for line in of_one), default=0.0)
            for sentence, of_one in zip(sentences, kept, strict=True)
        ]

    async def _unrelated(self) -> float:
        """The cosine that unrelated texts have on average."""
        if self._zero is None:
            vectors = [embedding.dense for embedding in await self._embedder.embed_documents(_UNRELATED)]
            self._zero = min(
                0.95, float(np.mean([one @ two for one, two in pairwise(vectors)]))
            )  # a model for which all are alike tells nothing
        return self._zero
