"""A follow-up as a question that stands alone."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from rag.answering.followup import stand_alone
from rag.errors import ProviderError
from rag.llm.base import LLM, FinishReason, Message, complete
from rag.prompts import render
from rag.types.answers import Notice, Turn, Usage

log = logging.getLogger(__name__)

MAX_TOKENS: Final = 200
LONGEST_CHARS: Final = 500  # what is longer is no question but an answer, or a model that rambles
NOT_REWRITTEN: Final = Notice(
    "follow_up_not_rewritten", "The language model could not be reached to read this with the thread above it."
)


@dataclass(frozen=True, slots=True)
class Standalone:
    """A question that needs no thread."""

    question: str
    usage: Usage = field(default_factory=Usage)
    notices: tuple[Notice, ...] = ()


async def condense(llm: LLM | None, question: str, history: Sequence[Turn]) -> Standalone:
    """`question` itself when the thread is new; where no model rewrites it whole, its subject is taken from before."""
    if not history:
        return Standalone(question)
    if llm is None:
        return Standalone(stand_alone(question, history))
    thread = [Message(turn.role, turn.text) for turn in history]
    try:
        text, end = await complete(
            llm, [*thread, Message("user", render("condense", question=question))], max_tokens=MAX_TOKENS
        )
    except ProviderError as error:
        log.warning("follow-up not rewritten", extra={"reason": str(error)})
        return Standalone(stand_alone(question, history), notices=(NOT_REWRITTEN,))
    rewritten = " ".join(text.split())
    is_whole = end.reason in {FinishReason.STOP, FinishReason.UNKNOWN} and 0 < len(rewritten) <= LONGEST_CHARS
    return Standalone(rewritten if is_whole else stand_alone(question, history), end.usage)
