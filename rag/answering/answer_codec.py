"""A finished answer as the bytes that are cached of it, and back."""

from __future__ import annotations

import json
import logging
from decimal import Decimal
from typing import Any

from rag.answering.groundedness.codec import support_of, support_payload
from rag.store.payload import chunk_of, chunk_payload, document_of, document_payload
from rag.types.answers import Answer, Citation, Notice, Outcome, Usage

log = logging.getLogger(__name__)


def answer_bytes(answer: Answer) -> bytes:
    """All of the answer but what it cost and how long it took."""
    return json.dumps(_payload(answer), ensure_ascii=False).encode()


def answer_of(raw: bytes) -> Answer | None:
    """The inverse of `answer_bytes`; None, and a line in the log, where it is none that this version can read."""
    try:
        return _answer_of(json.loads(raw))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        log.warning("a cached answer cannot be read; it is made anew")
        return None


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
        "support": support_payload(answer.support),
    }


def _answer_of(payload: dict[str, Any]) -> Answer:
    return Answer(
        text=_text(payload["text"]),
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
        support=support_of(payload["support"]),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("the text of an answer is no text")
    return value
