"""From a question to a cited answer: condense, recall, retrieve, decide, write, check, remember."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Final

from rag.answering.answer_cache import AnswerCache, CacheKey
from rag.answering.answer_log import record
from rag.answering.condense import Standalone, condense
from rag.answering.gate import AnswerabilityGate, GateDecision, Verdict
from rag.answering.groundedness.checking import SupportCheck
from rag.answering.groundedness.telling import is_unsupported, notices_of
from rag.answering.smalltalk import clean, reply_without_search
from rag.answering.writing import Writer, WrittenAnswer, declined
from rag.errors import StoreError
from rag.llm.base import LLM
from rag.prompts import prompt_text
from rag.retrieval.base import RetrievalResult
from rag.retrieval.modes import RetrievalModes
from rag.store.base import VectorStore
from rag.store.manifests import embedder_difference
from rag.telemetry import Counters, Stopwatch
from rag.types.answers import Answer, Delta, Outcome, StageBegun, Turn
from rag.types.groundedness import SentenceSupport
from rag.types.scope import Scope

SEARCHING: Final = "Searching the documents …"
WRITING: Final = "Reading {passages} passages …"
PROMPTS: Final = ("answer", "condense", "queries")
"""Whatever a model is told on the way to an answer."""


@dataclass(frozen=True, slots=True)
class AnswererParts:
    """What an Answerer is made of."""

    store: VectorStore
    embedder_name: str
    modes: RetrievalModes
    gate: AnswerabilityGate
    writer: Writer
    check: SupportCheck
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
        self._recipe = "/".join([parts.writer.recipe, parts.check.recipe, prompts, str(passages), parts.gate.recipe])

    async def answer(
        self, question: str, history: Sequence[Turn], scope: Scope, *, mode: str | None = None
    ) -> AsyncGenerator[StageBegun | Delta | Answer, None]:
        """The answer in pieces as it is written, then exactly one Answer, whose text they are.

        `mode`: how passages are retrieved, where it is to be another than the settings say. Raises StoreError, and
        ConfigurationError for a mode that does not exist, or that lacks what it needs.
        """
        parts, watch = self._parts, Stopwatch()
        parts.modes.mode(mode)  # raises for one that does not exist, before anything is shown
        question = clean(question)
        if (reply := reply_without_search(question, scope)) is not None:
            yield Delta(reply.text)
            yield self._finished(reply, watch)
            return

        yield StageBegun(SEARCHING)
        with watch.stage("condense"):
            standalone = await condense(parts.llm, question, history)

        with watch.stage("recall"):
            key = await self._cache_key(standalone.question, scope, mode)
            recalled = await parts.cache.recall(key)
        if recalled is not None:
            yield Delta(recalled.text)
            yield self._finished(replace(recalled, notices=standalone.notices, usage=standalone.usage), watch)
            return

        with watch.stage("retrieve"):
            retriever = await parts.modes.ready(mode)
            found = await retriever.retrieve(standalone.question, scope, limit=self._passages)
        watch.add(found.timings)

        with watch.stage("weigh"):  # the name that logs and JSON have for it
            decision = parts.gate.decide(standalone.question, found)

        support: tuple[SentenceSupport, ...] = ()
        written = declined(decision.missing_codes)  # unless the gate lets it through, and the writer says otherwise
        if decision.verdict is Verdict.DECLINE:
            yield Delta(written.text)
        else:
            yield StageBegun(WRITING.format(passages=len(found.chunks)))
            with watch.stage("write"):
                async with aclosing(parts.writer.write(standalone.question, found.chunks, found.terms)) as events:
                    async for event in events:
                        match event:
                            case Delta():
                                yield event
                            case WrittenAnswer():
                                written = event

            with watch.stage("check"):
                support = await self._support(written, standalone)

        answer = _put_together(standalone, found, decision, written, support)
        with watch.stage("remember"):
            await parts.cache.remember(key, answer)
        yield self._finished(answer, watch)

    async def _cache_key(self, question: str, scope: Scope, mode: str | None) -> CacheKey:
        manifest = await self._parts.store.manifest()
        if difference := embedder_difference(manifest.embedder, self._parts.embedder_name):
            raise StoreError(
                f"the index was made anew since this program started: restart it; should it not start: {difference}"
            )
        recipe = f"{self._recipe}/{self._parts.modes.recipe(mode)}"
        return CacheKey(question, scope, manifest.generation, manifest.built_at.isoformat(), recipe)

    async def _support(self, written: WrittenAnswer, standalone: Standalone) -> tuple[SentenceSupport, ...]:
        """What the sources bear out of what a model wrote; nothing else is checked."""
        if written.outcome not in {Outcome.ANSWERED, Outcome.CAUTIOUS}:
            return ()
        return await self._parts.check.check(written.text, written.citations, standalone.question)

    def _finished(self, answer: Answer, watch: Stopwatch) -> Answer:
        finished = replace(answer, timings=watch.seconds)
        record(finished, self._parts.counters)
        return finished


def _put_together(
    standalone: Standalone,
    found: RetrievalResult,
    decision: GateDecision,
    written: WrittenAnswer,
    support: tuple[SentenceSupport, ...],
) -> Answer:
    """The answer with all that the reader must know of it; the text is left as it was shown."""
    answer = Answer(
        written.text,
        written.outcome,
        written.citations,
        (*standalone.notices, *found.notices, *written.notices),
        standalone.usage + found.usage + written.usage,
        question=standalone.question,
        generation=found.generation,
        model=written.model,
        support=support,
    )
    is_doubtful = decision.verdict is Verdict.CAUTION or is_unsupported(answer)
    outcome = Outcome.CAUTIOUS if answer.outcome is Outcome.ANSWERED and is_doubtful else answer.outcome
    return replace(answer, outcome=outcome, notices=(*answer.notices, *notices_of(answer)))
