"""The way of a question: condense, retrieve, weigh, write, cite."""

from __future__ import annotations

import hashlib
import logging
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rag.answering.answer_cache import AnswerCache, CacheKey
from rag.answering.condense import Standalone, condense
from rag.answering.gate import AnswerabilityGate, Evidence, Verdict
from rag.answering.smalltalk import HINT, clean, small_talk
from rag.answering.writing import Findings, Writer
from rag.errors import StoreError
from rag.llm.base import LLM
from rag.prompts import prompt_text
from rag.retrieval.modes import RetrievalModes
from rag.store.base import VectorStore
from rag.store.manifests import embedder_difference
from rag.telemetry import Counters, Stopwatch
from rag.types.answers import Answer, Delta, Outcome, StageBegun, Turn
from rag.types.scope import Scope

log = logging.getLogger(__name__)

NOT_FOUND: Final = "I found nothing in the documents that may be read here that answers this."
NO_SCOPE: Final = (
    "There are no documents that may be read here, so I cannot answer. An operator can allow some in the scopes file."
)
SEARCHING: Final = "Searching the documents …"
WRITING: Final = "Reading {passages} passages …"
PROMPTS: Final = ("answer", "condense", "queries")
"""Whatever a model is told on the way to an answer."""


@dataclass(frozen=True, slots=True)
class AnswererParts:
    """What an Answerer is made of."""

    store: VectorStore
    embedder_name: str
    ways: RetrievalModes
    judge: AnswerabilityGate
    writer: Writer
    llm: LLM | None
    """Rewrites follow-ups; the writer has it too."""
    cache: AnswerCache
    counters: Counters


class Answerer:
    """Answers questions. Keeps nothing of them but in its cache."""

    def __init__(self, parts: AnswererParts, *, passages: int) -> None:
        """`passages`: how many an answer is written from."""
        self._parts = parts
        self._passages = passages
        prompts = hashlib.sha256("".join(map(prompt_text, PROMPTS)).encode()).hexdigest()[:8]
        self._maker = f"{parts.writer.recipe}/{prompts}/{passages}/{parts.judge.recipe}"

    async def answer(
        self, question: str, history: Sequence[Turn], scope: Scope, *, way: str | None = None
    ) -> AsyncIterator[StageBegun | Delta | Answer]:
        """The answer in pieces as it is written, then exactly one Answer.

        `way`: how passages are retrieved, where it is to be another way than the settings say. Raises StoreError, and
        ConfigurationError for a way that does not exist, or that lacks what it needs.
        """
        self._parts.ways.way(way)
        question = clean(question)
        watch = Stopwatch()
        reply = small_talk(question)
        if reply is not None:
            yield Delta(reply)
            outcome = Outcome.DECLINED if reply == HINT else Outcome.ANSWERED
            yield self._finished(Answer(reply, outcome, question=question), watch)
            return
        if scope.is_empty:
            yield Delta(NO_SCOPE)
            yield self._finished(Answer(NO_SCOPE, Outcome.DECLINED, question=question), watch)
            return
        yield StageBegun(SEARCHING)
        with watch.stage("condense"):
            asked = await condense(self._parts.llm, question, history)
        async for event in self._recalled_or_made(asked, scope, way, watch):
            yield self._finished(event, watch) if isinstance(event, Answer) else event

    async def _recalled_or_made(
        self, asked: Standalone, scope: Scope, way: str | None, watch: Stopwatch
    ) -> AsyncIterator[StageBegun | Delta | Answer]:
        with watch.stage("recall"):
            manifest = await self._parts.store.manifest()
            if difference := embedder_difference(manifest.embedder, self._parts.embedder_name):
                raise StoreError(
                    f"the index was made anew since this program started: restart it; should it not start: {difference}"
                )
            maker = f"{self._maker}/{self._parts.ways.recipe(way)}"
            key = CacheKey(asked.question, scope, manifest.generation, manifest.built_at.isoformat(), maker)
            answer = await self._parts.cache.recall(key)
        if answer is not None:
            yield Delta(answer.text)
            yield replace(answer, notices=(*asked.notices, *answer.notices), usage=asked.usage)
            return
        async for event in self._made(asked, scope, way, watch):
            if isinstance(event, Answer):
                with watch.stage("remember"):
                    await self._parts.cache.remember(key, event)
            yield event

    async def _made(
        self, asked: Standalone, scope: Scope, way: str | None, watch: Stopwatch
    ) -> AsyncIterator[StageBegun | Delta | Answer]:
        with watch.stage("retrieve"):
            retriever = await self._parts.ways.ready(way)
            hits = await retriever.retrieve(asked.question, scope, limit=self._passages)
        for stage, seconds in hits.timings.items():
            watch.add(stage, seconds)
        with watch.stage("weigh"):
            evidence = self._parts.judge.weigh(asked.question, hits)
        draft = Answer(
            "",
            Outcome.ANSWERED,
            notices=(*asked.notices, *hits.notices),
            usage=asked.usage + hits.usage,
            question=asked.question,
            generation=hits.generation,
        )
        if evidence.verdict is Verdict.DECLINE:
            text = _declined(evidence)
            yield Delta(text)
            yield replace(draft, text=text, outcome=Outcome.DECLINED)
            return
        yield StageBegun(WRITING.format(passages=len(hits.chunks)))
        findings = Findings(asked.question, hits.chunks, evidence)
        async for event in self._parts.writer.write(findings, draft, watch):
            yield event

    def _finished(self, answer: Answer, watch: Stopwatch) -> Answer:
        self._parts.counters.count(f"answers.{answer.outcome.value}")
        for notice in answer.notices:
            self._parts.counters.count(f"notices.{notice.code}")
        support = Counter(sentence.verdict.value for sentence in answer.support)
        for verdict in () if answer.cached else support.elements():
            self._parts.counters.count(f"support.{verdict}")
        log.info(
            "answered",
            extra={
                "outcome": answer.outcome.value,
                "cached": answer.cached,
                "citations": len(answer.citations),
                "notices": [notice.code for notice in answer.notices],
                "generation": answer.generation,
                "support": dict(support),
                "seconds": {stage: round(seconds, 4) for stage, seconds in watch.seconds.items()},
            },
        )
        return replace(answer, timings=watch.seconds)


def _declined(evidence: Evidence) -> str:
    if not evidence.missing_codes:
        return NOT_FOUND
    return f"{NOT_FOUND} None of them mentions {', '.join(evidence.missing_codes)}."
