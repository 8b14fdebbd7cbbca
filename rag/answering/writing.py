"""From evidence to text with citations: by a model where there is one that answers, else by quoting."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Final

from rag.answering.citations import Numberer
from rag.answering.context import pack
from rag.answering.decline import DECLINE_MARK, DeclineWatch
from rag.answering.excerpts import Terms, excerpt, page_at, spread, telling
from rag.answering.gate import Evidence, Verdict
from rag.answering.groundedness.checking import SupportCheck
from rag.answering.groundedness.telling import is_unsupported, notices_of
from rag.errors import NoProviderLeft, ProviderError
from rag.llm.base import LLM, Finished, FinishReason, Message
from rag.prompts import render
from rag.telemetry import Stopwatch
from rag.types.answers import Answer, Citation, Delta, Notice, Outcome
from rag.types.chunks import ScoredChunk

log = logging.getLogger(__name__)

MODEL_DECLINED: Final = "The passages that I found in the documents that may be read here do not answer this."
CUT_OFF: Final = Notice("answer_cut_off", "The language model broke off here; the answer may be incomplete.")
TOO_LONG: Final = Notice("answer_truncated", "The answer reached its length limit and ends early.")
WITHHELD: Final = Notice("answer_withheld", "The language model's provider withheld the rest of this answer.")
UNSAID: Final = Notice("answer_end_unknown", "The language model did not say whether this answer is complete.")
SHORTENED: Final[Mapping[FinishReason, Notice]] = {
    FinishReason.LENGTH: TOO_LONG,
    FinishReason.CONTENT_FILTER: WITHHELD,
    FinishReason.UNKNOWN: UNSAID,
}
UNCITED: Final = Notice(
    "answer_uncited", "The language model named no source for this. Check it before you rely on it."
)


@dataclass(frozen=True, slots=True)
class Findings:
    """What there is to write from."""

    question: str
    hits: Sequence[ScoredChunk]
    """Best first, not empty."""
    evidence: Evidence


class Writer:
    """Writes one answer at a time into events; holds no state of one."""

    def __init__(
        self,
        llm: LLM | None,
        terms: Terms,
        *,
        check: SupportCheck,
        models: str,
        context_chars: int,
        max_tokens: int,
        excerpts: int,
    ) -> None:
        """`models` names what stands behind `llm`: an answer that is kept is one of theirs."""
        self._llm = llm
        self._terms = terms
        self._check = check
        self._context_chars = context_chars
        self._max_tokens = max_tokens
        self._excerpts = excerpts
        self.recipe = f"{models}/{context_chars}/{max_tokens}/{excerpts}/{check.recipe}"

    async def write(self, findings: Findings, draft: Answer, watch: Stopwatch) -> AsyncIterator[Delta | Answer]:
        """Text as it comes, then the draft made whole. A model that fails before its first word is made up for."""
        began = time.perf_counter()
        async for event in self._written(findings, draft):
            if isinstance(event, Answer):  # now: whoever takes it reads the watch before we are resumed
                watch.add("write", time.perf_counter() - began)
                with watch.stage("check"):
                    answer = await self._checked(event)
                yield answer
            else:
                yield event

    async def _written(self, findings: Findings, draft: Answer) -> AsyncIterator[Delta | Answer]:
        if self._llm is None:
            async for event in self._quote(findings, draft):
                yield event
            return
        try:
            async for event in self._generate(self._llm, findings, draft):
                yield event
        except ProviderError as error:
            log.warning("no model wrote; quoting", extra={"reason": str(error)})
            notice = Notice("llm_unavailable", f"No language model could write an answer: {_cause(error)}.")
            async for event in self._quote(findings, replace(draft, notices=(*draft.notices, notice))):
                yield event

    async def _checked(self, answer: Answer) -> Answer:
        """With what its sources bear out of what a model wrote; the text is left as it was shown."""
        if answer.outcome not in {Outcome.ANSWERED, Outcome.CAUTIOUS}:
            return answer
        support = await self._check.check(answer.text, answer.citations, answer.question)
        checked = replace(answer, support=support)
        outcome = Outcome.CAUTIOUS if is_unsupported(checked) else answer.outcome
        return replace(checked, outcome=outcome, notices=(*answer.notices, *notices_of(checked)))

    async def _quote(self, findings: Findings, draft: Answer) -> AsyncIterator[Delta | Answer]:
        picked = spread(findings.hits, limit=self._excerpts)
        citations = [self._cite(number, hit, findings) for number, hit in enumerate(picked, start=1)]
        lines = [f"- “{citation.excerpt}” [{citation.number}]" for citation in citations]
        for number, line in enumerate(lines):
            yield Delta(line if number == 0 else f"\n{line}")
        yield replace(draft, text="\n".join(lines), outcome=Outcome.EXCERPTS, citations=tuple(citations))

    async def _generate(self, llm: LLM, findings: Findings, draft: Answer) -> AsyncIterator[Delta | Answer]:
        """Raises ProviderError only while nothing has been shown."""
        context = pack(findings.hits, budget=self._context_chars)
        prompt = [
            Message("system", render("answer", sources=context.text, decline=DECLINE_MARK)),
            Message("user", findings.question),
        ]
        numberer, declining = Numberer(len(context.sources)), DeclineWatch()
        pieces: list[str] = []
        end: Finished | None = None
        broken: ProviderError | None = None
        try:
            async with aclosing(llm.stream(prompt, max_tokens=self._max_tokens)) as events:
                async for event in events:
                    if isinstance(event, Finished):
                        end = event
                    elif isinstance(event, Delta) and (shown := numberer.feed(declining.feed(event.text))):
                        pieces.append(shown)
                        yield Delta(shown)
        except ProviderError as error:
            if not pieces:
                raise
            broken = error
            log.warning("a model broke off", extra={"reason": str(error)})
        last = numberer.feed(declining.close()) + numberer.close()
        if not (pieces or last.strip() or declining.declined):
            raise ProviderError(llm.name, "it wrote nothing")  # as one does whose thinking took all tokens
        if last:
            pieces.append(last)
            yield Delta(last)
        if declining.declined:
            yield Delta(MODEL_DECLINED)
            pieces = [MODEL_DECLINED]
        citations = [
            self._cite(number, context.sources[source], findings)
            for number, source in enumerate(numberer.order, start=1)
        ]
        yield _complete(draft, "".join(pieces), citations, findings, end, declined=declining.declined, broken=broken)

    def _cite(self, number: int, hit: ScoredChunk, findings: Findings) -> Citation:
        weights = telling(findings.evidence.weights, hit.chunk, self._terms)
        text, offset = excerpt(hit.chunk.text, weights, self._terms)
        page, label = page_at(hit.chunk, offset)
        return Citation(number, hit.chunk, hit.score, text, page, label, hit.also)


def _complete(
    draft: Answer,
    text: str,
    citations: Sequence[Citation],
    findings: Findings,
    end: Finished | None,
    *,
    declined: bool,
    broken: ProviderError | None,
) -> Answer:
    """The outcome and what the reader must know of it."""
    made = replace(
        draft,
        text=text,
        usage=draft.usage if end is None else draft.usage + end.usage,
        model="" if end is None else end.model,
    )
    if declined:
        return replace(made, outcome=Outcome.DECLINED)
    notices = list(draft.notices)
    if broken is not None:
        notices.append(CUT_OFF)
    elif end is not None and end.reason in SHORTENED:
        notices.append(SHORTENED[end.reason])
    if not citations:
        notices.append(UNCITED)
    careful = findings.evidence.verdict is Verdict.CAUTION or broken is not None or not citations
    outcome = Outcome.CAUTIOUS if careful else Outcome.ANSWERED
    return replace(made, outcome=outcome, citations=tuple(citations), notices=tuple(notices))


def _cause(error: ProviderError) -> str:
    """Short, and nothing that is not ours to show."""
    reasons = [failure.reason for failure in error.failures] if isinstance(error, NoProviderLeft) else [error.reason]
    return "; ".join(dict.fromkeys(reasons))[:200]
