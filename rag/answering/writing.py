"""From passages to text with citations: by a model where there is one that answers, else by quoting."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Final

from rag.answering.context import pack
from rag.answering.decline import DECLINE_MARK
from rag.answering.draft import Draft
from rag.answering.quoting import Quoter, pieces_of
from rag.errors import NoProviderLeft, ProviderError
from rag.llm.base import LLM, FinishReason, Message
from rag.prompts import render
from rag.retrieval.base import QueryTerm
from rag.text.analyzer import Terms
from rag.types.answers import Citation, Delta, Notice, Outcome, Usage
from rag.types.chunks import RetrievedChunk

log = logging.getLogger(__name__)

NOT_FOUND: Final = "I found nothing in the documents that may be read here that answers this."
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
class WrittenAnswer:
    """What was written, and what the reader must know of it."""

    text: str
    outcome: Outcome
    citations: tuple[Citation, ...] = ()
    notices: tuple[Notice, ...] = ()
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    """The LLM that wrote it; empty when none did."""


class Writer:
    """Writes one answer at a time into events; holds no state of one."""

    def __init__(
        self, llm: LLM | None, terms: Terms, *, models: str, context_chars: int, max_tokens: int, excerpts: int
    ) -> None:
        """`models` names what stands behind `llm`: an answer that is cached is one of theirs."""
        self._llm = llm
        self._terms = terms
        self._context_chars = context_chars
        self._max_tokens = max_tokens
        self._excerpts = excerpts
        self.recipe = f"{models}/{context_chars}/{max_tokens}/{excerpts}"

    async def write(
        self, question: str, hits: Sequence[RetrievedChunk], terms: Sequence[QueryTerm]
    ) -> AsyncGenerator[Delta | WrittenAnswer, None]:
        """Text as it comes, then exactly one WrittenAnswer, whose text it was.

        Of `hits` there is at least one, the best first. Where no model writes, or it fails before its first word, the
        best are quoted. `terms` are those of the question: they say which sentences of a passage are quoted.
        """
        quoter = Quoter(self._terms, terms)
        notices: tuple[Notice, ...] = ()
        if self._llm is not None:
            context = pack(hits, budget=self._context_chars)
            system = render("answer", sources=context.text, decline=DECLINE_MARK)
            prompt = [Message("system", system), Message("user", question)]
            draft, failure = Draft(len(context.sources)), None
            try:
                async with aclosing(self._llm.stream(prompt, max_tokens=self._max_tokens)) as events:
                    async for event in events:
                        if shown := draft.take(event):
                            yield Delta(shown)
            except ProviderError as error:
                failure = error
            if (failure is None or draft.text) and (last := draft.close()):
                yield Delta(last)
            if draft.text:
                cited = (context.sources[source] for source in draft.cited)
                yield _written(draft, tuple(quoter.cite(n, hit) for n, hit in enumerate(cited, start=1)), failure)
                return
            notices = (_unavailable(failure or ProviderError(self._llm.name, "it wrote nothing")),)
        citations = quoter.quotes(hits, limit=self._excerpts)
        pieces = pieces_of(citations)
        for piece in pieces:
            yield Delta(piece)
        yield WrittenAnswer("".join(pieces), Outcome.EXCERPTS, citations, notices)


def declined(missing_codes: Sequence[str]) -> WrittenAnswer:
    """That nothing answers; names the identifiers of the question that no document holds."""
    named = f" None of them mentions {', '.join(missing_codes)}." if missing_codes else ""
    return WrittenAnswer(f"{NOT_FOUND}{named}", Outcome.DECLINED)


def _written(draft: Draft, citations: tuple[Citation, ...], failure: ProviderError | None) -> WrittenAnswer:
    """What a model wrote; `failure`: what it broke off with."""
    usage, model = (Usage(), "") if draft.end is None else (draft.end.usage, draft.end.model)
    if draft.declined:
        return WrittenAnswer(draft.text, Outcome.DECLINED, usage=usage, model=model)
    notices: list[Notice] = []
    if failure is not None:
        log.warning("a model broke off", extra={"reason": str(failure)})
        notices.append(CUT_OFF)
    elif draft.end is not None and draft.end.reason in SHORTENED:
        notices.append(SHORTENED[draft.end.reason])
    if not citations:
        notices.append(UNCITED)
    outcome = Outcome.CAUTIOUS if failure is not None or not citations else Outcome.ANSWERED
    return WrittenAnswer(draft.text, outcome, citations, tuple(notices), usage, model)


def _unavailable(failure: ProviderError) -> Notice:
    """Says why no model wrote: short, and nothing that is not ours to show."""
    log.warning("no model wrote; quoting", extra={"reason": str(failure)})
    causes = [one.reason for one in failure.failures] if isinstance(failure, NoProviderLeft) else [failure.reason]
    cause = "; ".join(dict.fromkeys(causes))[:200]
    return Notice("llm_unavailable", f"No language model could write an answer: {cause}.")
