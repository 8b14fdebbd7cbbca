"""Finished answers, given again to the same question under the same conditions."""

from __future__ import annotations

import hashlib
import json
import logging
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

from rag.cache import Cache
from rag.store.payload import chunk_of, chunk_payload, document_of, document_payload
from rag.types import Answer, Citation, Notice, Outcome, Scope, Usage

log = logging.getLogger(__name__)


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
        """The same for the same question, but for case and white space, under equal conditions."""
        normal = " ".join(question.casefold().split())
        whole = "\n".join([normal, self.scope.key, str(self.generation), self.built, self.maker])
        return f"answer/{hashlib.sha256(whole.encode()).hexdigest()}"


class AnswerMemory:
    """Answers in the cache."""

    def __init__(self, cache: Cache, ttl: timedelta) -> None:
        self._cache = cache
        self._ttl = ttl

    async def recall(self, question: str, conditions: Conditions) -> Answer | None:
        """The answer that was given before; None where there is none."""
        raw = await self._cache.get(conditions.key(question))
        if raw is None:
            return None
        try:
            answer = _answer_of(json.loads(raw))
        except (ValueError, KeyError, TypeError):
            log.warning("a kept answer cannot be read; it is made anew")
            return None
        cited = [document for citation in answer.citations for document in (citation.chunk.document, *citation.also)]
        return answer if all(conditions.scope.admits(document) for document in cited) else None

    async def remember(self, question: str, conditions: Conditions, answer: Answer) -> None:
        """Keep an answer that came about undisturbed; one that bears a notice is made anew next time."""
        if answer.outcome is not Outcome.FAILED and not answer.notices:
            payload = json.dumps(_payload(answer), ensure_ascii=False)
            await self._cache.set(conditions.key(question), payload.encode(), self._ttl)


def _payload(answer: Answer) -> dict[str, Any]:
    return {
        "text": answer.text,
        "outcome": answer.outcome.value,
        "citations": [
            {
                "number": citation.number,
                "id": citation.chunk.id,
                "chunk": chunk_payload(citation.chunk),
                "score": citation.score,
                "excerpt": citation.excerpt,
                "page": citation.page,
                "label": citation.label,
                "also": [document_payload(document) for document in citation.also],
            }
            for citation in answer.citations
        ],
        "notices": [[notice.code, notice.text] for notice in answer.notices],
        "question": answer.question,
        "generation": answer.generation,
        "model": answer.model,
    }


def _answer_of(payload: dict[str, Any]) -> Answer:
    return Answer(
        text=payload["text"],
        outcome=Outcome(payload["outcome"]),
        citations=tuple(
            Citation(
                number=row["number"],
                chunk=chunk_of(row["id"], row["chunk"]),
                score=row["score"],
                excerpt=row["excerpt"],
                page=row["page"],
                label=row["label"],
                also=tuple(document_of(document) for document in row["also"]),
            )
            for row in payload["citations"]
        ),
        notices=tuple(Notice(code, text) for code, text in payload["notices"]),
        usage=Usage(0, 0, Decimal(0)),
        question=payload["question"],
        generation=payload["generation"],
        model=payload["model"],
        cached=True,
    )
