"""A follow-up is rewritten by a model where there is one that does it well."""

from __future__ import annotations

import pytest

from rag.answering.condense import LONGEST_CHARS, NOT_REWRITTEN, Standalone, condense
from rag.answering.followup import stand_alone
from rag.errors import ProviderError
from rag.llm.base import FinishReason
from rag.types.answers import Turn
from tests.fakes import Line, ScriptedLLM

HISTORY = [Turn("user", "What is the parental leave in Bremen?"), Turn("assistant", "Thirty days [1].")]
FOLLOW_UP = "And in Hamburg?"


async def test_the_first_question_of_a_thread_is_not_rewritten() -> None:
    llm = ScriptedLLM("Something else?")
    assert await condense(llm, FOLLOW_UP, []) == Standalone(FOLLOW_UP)
    assert llm.heard == []


async def test_a_model_rewrites_with_the_thread_before_it_and_is_paid_for() -> None:
    llm = ScriptedLLM("What is the parental\n", " leave in Hamburg? ")
    asked = await condense(llm, FOLLOW_UP, HISTORY)
    assert asked == Standalone("What is the parental leave in Hamburg?", llm.usage)
    *thread, last = llm.heard[0]
    assert [(message.role, message.content) for message in thread] == [(turn.role, turn.text) for turn in HISTORY]
    assert last.role == "user" and FOLLOW_UP in last.content


@pytest.mark.parametrize(
    "script",
    [
        ("",),
        ("  \n",),
        ("word " * (LONGEST_CHARS // 5 + 1),),
        ("What is the", FinishReason.LENGTH),
        ("What is the", FinishReason.CONTENT_FILTER),
    ],
)
async def test_a_model_that_says_nothing_rambles_or_breaks_off_is_not_followed(script: tuple[Line, ...]) -> None:
    llm = ScriptedLLM(*script)
    assert await condense(llm, FOLLOW_UP, HISTORY) == Standalone(stand_alone(FOLLOW_UP, HISTORY), llm.usage)


@pytest.mark.parametrize("script", [(ProviderError("x", "HTTP 503"),), ("What is", ProviderError("x", "reset"))])
async def test_without_a_model_that_answers_the_subject_is_borrowed_and_the_reader_is_told(
    script: tuple[Line, ...],
) -> None:
    borrowed = stand_alone(FOLLOW_UP, HISTORY)
    assert await condense(ScriptedLLM(*script), FOLLOW_UP, HISTORY) == Standalone(borrowed, notices=(NOT_REWRITTEN,))
    assert await condense(None, FOLLOW_UP, HISTORY) == Standalone(borrowed)
