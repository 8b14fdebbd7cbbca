"""Finished answers, given again to the same question under the same conditions."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final, Protocol

from rag.answering.answer_codec import answer_bytes, answer_of
from rag.cache.base import Cache
from rag.telemetry import Counters
from rag.types.answers import Answer, Outcome
from rag.types.documents import Document, DocumentId, DocumentRecord, DocumentState
from rag.types.scope import Scope

_AROUND: Final = " ¿?？¡!！.。…"


class Ledger(Protocol):
    """What of the store is needed here."""

    async def document(self, document: DocumentId) -> DocumentRecord | None:
        """What is known of a document in the generation that serves; None where there is none. Raises StoreError."""
        ...


@dataclass(frozen=True, slots=True)
class CacheKey:
    """All that an answer depends on. Who may read what is part of it."""

    question: str
    scope: Scope
    generation: int
    built: str
    """When the generation was built: numbers begin again when an index is thrown away."""
    recipe: str
    """Names the model, the prompts, the retrieval mode and the thresholds."""

    def __str__(self) -> str:
        """The same for questions that differ only in case, white space and the signs around them."""
        question = " ".join(self.question.casefold().split()).strip(_AROUND)
        whole = "\n".join([question, self.scope.key, str(self.generation), self.built, self.recipe])
        return f"answer/{hashlib.sha256(whole.encode()).hexdigest()}"


class AnswerCache:
    """Counts cache.exact or cache.miss for each question; besides, cache.stale where what was cited has changed."""

    def __init__(self, cache: Cache, ttl: timedelta, *, ledger: Ledger, counters: Counters) -> None:
        self._cache = cache
        self._ttl = ttl
        self._ledger = ledger
        self._counters = counters

    async def recall(self, key: CacheKey) -> Answer | None:
        """The answer that was given before; None where there is none whose sources still stand. Raises StoreError."""
        raw = await self._cache.get(str(key))
        answer = None if raw is None else answer_of(raw)
        if answer is not None and not await self._is_fresh(answer, key.scope):
            self._counters.count("cache.stale")
            answer = None
        self._counters.count("cache.miss" if answer is None else "cache.exact")
        return None if answer is None else replace(answer, question=key.question)

    async def remember(self, key: CacheKey, answer: Answer) -> None:
        """Keep an answer, unless it failed, bears a notice, or came from another generation than the key names."""
        if answer.outcome is Outcome.FAILED or answer.notices or answer.generation != key.generation:
            return
        await self._cache.set(str(key), answer_bytes(answer), self._ttl)

    async def _is_fresh(self, answer: Answer, scope: Scope) -> bool:
        """Whether all that it cites, copies too, still stands in the index as it was cited."""
        cited = {
            document.id: document
            for citation in answer.citations
            for document in (citation.chunk.document, *citation.also)
        }
        return all(await asyncio.gather(*(self._stands(document, scope) for document in cited.values())))

    async def _stands(self, document: Document, scope: Scope) -> bool:
        """Whether what serves has the very same text of it, for a holder of this scope."""
        if not scope.admits(document):
            return False
        record = await self._ledger.document(document.id)
        return (
            record is not None
            and record.state is DocumentState.READY
            and record.document.fingerprint == document.fingerprint
            and scope.admits(record.document)
        )
