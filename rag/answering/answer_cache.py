"""Finished answers, given again to the same question under the same conditions."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final, Protocol

from rag.answering.answer_codec import answer_bytes, answer_of
from rag.answering.paraphrases import Paraphrases
from rag.cache.redis import Cache
from rag.telemetry import Counters
from rag.types import Answer, Document, DocumentId, DocumentRecord, DocumentState, Notice, Outcome, Scope

ANSWERED_BEFORE: Final = Notice(
    "answered_before",
    "This answer was given before, to the same question in other words. If it does not fit, ask in more detail.",
)
"""The words of the other question are not shown: they may be those of another person, in another channel."""


_AROUND: Final = " ¿?？¡!！.。…"


class Ledger(Protocol):
    """What of the store is needed here."""

    async def document(self, document: DocumentId) -> DocumentRecord | None:
        """What is known of a document in the generation that serves; None where there is none. Raises StoreError."""
        ...


@dataclass(frozen=True, slots=True)
class Conditions:
    """All that an answer depends on but the question. Who may read what is one of them."""

    scope: Scope
    generation: int
    built: str
    """When the generation was built: numbers begin again when an index is thrown away."""
    maker: str
    """Names the model, the prompt and the way of searching."""

    def key(self, question: str) -> str:
        """The same for the same question, but for case, white space and the signs around it, under equal conditions."""
        normal = " ".join(question.casefold().split()).strip(_AROUND)
        return f"answer/{self._digest(normal)}"

    @property
    def place(self) -> str:
        """Where the questions are kept that were answered under equal conditions."""
        return f"asked/{self._digest('')}"

    def _digest(self, question: str) -> str:
        whole = "\n".join([question, self.scope.key, str(self.generation), self.built, self.maker])
        return hashlib.sha256(whole.encode()).hexdigest()


class AnswerMemory:
    """Answers in the cache. Counts what became of each question: cache.exact, cache.semantic, cache.miss, cache.stale.

    `cache.stale` counts answers that were kept and not given, besides; the question then counts as what it became.
    """

    def __init__(
        self,
        cache: Cache,
        ttl: timedelta,
        *,
        ledger: Ledger,
        counters: Counters,
        paraphrases: Paraphrases | None = None,
    ) -> None:
        """`paraphrases` None: only the very same question is given its answer again."""
        self._cache = cache
        self._ttl = ttl
        self._ledger = ledger
        self._counters = counters
        self._paraphrases = paraphrases

    async def recall(self, question: str, conditions: Conditions) -> Answer | None:
        """The answer that was given before; None where there is none. Raises StoreError.

        To the same question in other words it bears a notice that says so.
        """
        answer = await self._kept(question, conditions)
        if answer is not None:
            self._counters.count("cache.exact")
            return replace(answer, question=question)
        if self._paraphrases is not None:
            for other in await self._paraphrases.of(question, conditions.place):
                answer = await self._kept(other, conditions)
                if answer is not None and _is_written(answer):
                    self._counters.count("cache.semantic")
                    return replace(answer, question=question, notices=(ANSWERED_BEFORE,))
        self._counters.count("cache.miss")
        return None

    async def remember(self, question: str, conditions: Conditions, answer: Answer) -> None:
        """Keep an answer that came about undisturbed; one that bears a notice is made anew next time.

        In other words it is found only where a model wrote it: passages are quoted, and questions declined, by their
        words, and both cost little to do again.
        """
        if answer.outcome is Outcome.FAILED or answer.notices:
            return
        await self._cache.set(conditions.key(question), answer_bytes(answer), self._ttl)
        if self._paraphrases is not None and _is_written(answer):
            await self._paraphrases.keep(question, conditions.place)

    async def _kept(self, question: str, conditions: Conditions) -> Answer | None:
        """What is kept for this very question, if all that it cites still stands as it was cited."""
        raw = await self._cache.get(conditions.key(question))
        answer = None if raw is None else answer_of(raw)
        if answer is None:
            return None
        cited = {
            document.id: document
            for citation in answer.citations
            for document in (citation.chunk.document, *citation.also)
        }
        fresh = await asyncio.gather(*(self._stands(document, conditions.scope) for document in cited.values()))
        if all(fresh):
            return answer
        self._counters.count("cache.stale")
        return None

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


def _is_written(answer: Answer) -> bool:
    return answer.outcome in {Outcome.ANSWERED, Outcome.CAUTIOUS}
