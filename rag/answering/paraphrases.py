"""Questions that were answered lately, found again when they are asked in other words."""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from datetime import timedelta
from importlib.resources import files
from typing import Final

import numpy as np

from rag.answering.likeness.guard import Likeness, likeness, read_question
from rag.answering.likeness.words import BUSINESS
from rag.cache.redis import Lists
from rag.embedding.base import Embedder
from rag.types import Vector

log = logging.getLogger(__name__)

KEPT: Final = 500
"""Questions remembered under equal conditions: at 384 dimensions about 0.4 MB of the cache, read in a millisecond."""
NEAR: Final = 0.80
"""The least cosine of two questions that may be one. Fitted, with the words of `likeness`, on one half of the pairs of
lab/benchmarks/data/near_questions.jsonl: docs/adr/0016-answer-cache.md."""
COMPARED: Final = 8
"""Of the nearest so many are read word by word."""
FITTED_FOR: Final = "all-MiniLM-L6-v2/"
"""Where another model compares, only the same words will do: `NEAR` says little about it."""
_STORED: Final = np.dtype("<f2")


class Paraphrases:
    """Keeps questions with their vectors, in one bounded list for each place that equal conditions share."""

    def __init__(self, lists: Lists, embedder: Embedder, ttl: timedelta) -> None:
        self._lists = lists
        self._embedder = embedder
        self._ttl = ttl
        self._known = known_words()
        self._least = Likeness.SENSE if embedder.name.startswith(FITTED_FOR) else Likeness.WORDS

    async def of(self, question: str, place: str) -> list[str]:
        """Questions kept there that ask the same, the nearest first; not the question itself."""
        entries = await self._lists.pushed(place)
        if not entries:
            return []
        vector = (await self._embedder.embed_query(question)).dense
        near = _nearest(vector, entries)
        asked, known = read_question(question, known=self._known), self._known
        return [
            other
            for other in near
            if other != question and likeness(asked, read_question(other, known=known), known=known) >= self._least
        ]

    async def keep(self, question: str, place: str) -> None:
        """Remember a question that has been answered."""
        vector = (await self._embedder.embed_query(question)).dense
        entry = vector.astype(_STORED).tobytes() + question.encode()
        await self._lists.push(place, entry, keep=KEPT, ttl=self._ttl)


def _nearest(vector: Vector, entries: Sequence[bytes]) -> list[str]:
    """The questions of the entries whose cosine is near enough, best first, at most `COMPARED`."""
    size = vector.shape[0] * _STORED.itemsize
    whole = [entry for entry in entries if len(entry) > size]
    if len(whole) < len(entries):
        log.warning("kept questions cannot be read; they are passed over", extra={"count": len(entries) - len(whole)})
    if not whole:
        return []
    matrix = np.frombuffer(b"".join(entry[:size] for entry in whole), _STORED).reshape(len(whole), -1)
    cosines = np.nan_to_num(matrix.astype(np.float32) @ vector, nan=-1.0, posinf=-1.0, neginf=-1.0)
    best = [int(i) for i in np.argsort(-cosines, kind="stable")[:COMPARED] if cosines[i] >= NEAR]
    return [whole[i][size:].decode(errors="replace") for i in best]


def known_words() -> Collection[str]:
    """Words of English: those that the packaged model knows whole, and some of business: no slips of the pen."""
    path = files("rag.embedding") / "minilm" / "vocab.txt"
    return BUSINESS.union(word for word in path.read_text(encoding="utf-8").splitlines() if word.isalpha())
