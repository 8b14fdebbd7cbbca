"""What became of a question: counted and logged, without a word of it."""

from __future__ import annotations

import logging
from collections import Counter

from rag.telemetry import Counters
from rag.types.answers import Answer

log = logging.getLogger(__name__)


def record(answer: Answer, counters: Counters) -> None:
    """Count outcome, notices and, of an answer that was not cached, the verdicts on its sentences; log all of it."""
    counters.count(f"answers.{answer.outcome.value}")
    for notice in answer.notices:
        counters.count(f"notices.{notice.code}")
    support = Counter(sentence.verdict.value for sentence in answer.support)
    for verdict in () if answer.cached else support.elements():
        counters.count(f"support.{verdict}")
    log.info(
        "answered",
        extra={
            "outcome": answer.outcome.value,
            "cached": answer.cached,
            "citations": len(answer.citations),
            "notices": [notice.code for notice in answer.notices],
            "generation": answer.generation,
            "support": dict(support),
            "seconds": {stage: round(seconds, 4) for stage, seconds in answer.timings.items()},
        },
    )
