"""The stage `queries` on the way of a question: real store, real HTTP to a server that plays the language model."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

import pytest

from rag.errors import ConfigurationError
from rag.llm.base import Message
from rag.llm.openai import OpenAILLM
from rag.retrieval.multi_query import STAGE
from rag.retrieval.query_expansion import NOT_WRITTEN
from rag.settings.groups import RetrievalSettings
from rag.store.edge import EdgeStore
from rag.telemetry import Counters
from rag.types.answers import Outcome, Turn
from rag.types.scope import Scope
from tests.llm_emulator import LLMEmulator, Stall
from tests.rag.answering.parts import MemoryCache, a_filled_store, an_answerer, asked

WAY = "hybrid+queries"
LEAVE = "Annual leave entitlement amounts to thirty days. Holiday allowance is another word for leave."
SALARY = "Ada's annual leave entitlement is forty days."
QUESTION = "Holiday allowance"
HISTORY = [Turn("user", "What is the holiday allowance in Bremen?"), Turn("assistant", "It exists [1].")]


@pytest.fixture
async def store(tmp_path: Path) -> AsyncGenerator[EdgeStore]:
    async with a_filled_store(
        tmp_path,
        sales__handbook=[LEAVE],
        HR__secret=[SALARY],
        sales__whales=["Blue whales sing in the northern sea.", "Whales eat krill."],
    ) as store:
        yield store


@pytest.fixture
async def emulator() -> AsyncGenerator[LLMEmulator]:
    async with LLMEmulator(answer=reply) as emulator:
        yield emulator


@pytest.fixture
async def llm(emulator: LLMEmulator) -> AsyncGenerator[OpenAILLM]:
    llm = OpenAILLM(name="it", model="m", api_key=None, base_url=emulator.base_url)
    yield llm
    await llm.aclose()


def reply(messages: Sequence[Message]) -> str:
    """What a model says that does as it is told."""
    first, last = messages[0].content, messages[-1].content
    if "other wordings" in first:
        return "annual leave entitlement\nvacation days"
    if "Rewrite the last question" in last:
        return QUESTION
    return "Thirty days [S1]."


def prompts(emulator: LLMEmulator) -> list[str]:
    return [" / ".join(message.content for message in request.messages) for request in emulator.requests]


async def test_what_the_wordings_cost_and_took_is_part_of_the_answer(
    store: EdgeStore, emulator: LLMEmulator, llm: OpenAILLM
) -> None:
    plain = await asked(an_answerer(store, llm), QUESTION)
    answer = await asked(an_answerer(store, llm), QUESTION, mode=WAY)
    assert answer.outcome in {Outcome.ANSWERED, Outcome.CAUTIOUS} and answer.notices == ()
    assert answer.usage.input_tokens > plain.usage.input_tokens and answer.usage.output_tokens > 5
    assert STAGE in answer.timings and STAGE not in plain.timings
    assert len(emulator.requests) == 1 + 2


async def test_a_follow_up_is_made_to_stand_alone_before_it_is_put_in_other_words(
    store: EdgeStore, emulator: LLMEmulator, llm: OpenAILLM
) -> None:
    answer = await asked(an_answerer(store, llm), "And how much?", history=HISTORY, mode=WAY)
    condensed, worded, written = prompts(emulator)
    assert "Rewrite the last question" in condensed and "And how much?" in condensed
    assert worded.endswith(f" / {QUESTION}") and "And how much?" not in worded and "Bremen" not in worded
    assert LEAVE in written
    assert (answer.question, answer.notices) == (QUESTION, ())
    alone = await asked(an_answerer(store, llm), QUESTION, mode=WAY)
    assert answer.usage.input_tokens > alone.usage.input_tokens


async def test_no_wording_reaches_beyond_the_askers_scope(
    store: EdgeStore, emulator: LLMEmulator, llm: OpenAILLM
) -> None:
    answer = await asked(an_answerer(store, llm), QUESTION, Scope(frozenset({"drive/sales"})), mode=WAY)
    assert SALARY not in repr(answer) + "".join(prompts(emulator))


async def test_a_model_that_fails_for_the_wordings_alone_is_told_under_its_answer_which_is_not_kept(
    store: EdgeStore, emulator: LLMEmulator, llm: OpenAILLM
) -> None:
    counters = Counters()
    answerer = an_answerer(store, llm, MemoryCache(), counters=counters)
    emulator.refuse(503)
    answer = await asked(answerer, QUESTION, mode=WAY)
    assert (answer.text, answer.notices) == ("Thirty days [1].", (NOT_WRITTEN,))
    assert counters.counts[f"notices.{NOT_WRITTEN.code}"] == 1
    again = await asked(answerer, QUESTION, mode=WAY)
    assert (again.cached, again.notices) == (False, ())


async def test_a_model_that_is_gone_leaves_excerpts_and_says_both(
    store: EdgeStore, emulator: LLMEmulator, llm: OpenAILLM
) -> None:
    emulator.refuse(503)
    emulator.refuse(503)
    answer = await asked(an_answerer(store, llm), QUESTION, mode=WAY)
    assert answer.outcome is Outcome.EXCERPTS
    assert [notice.code for notice in answer.notices] == [NOT_WRITTEN.code, "llm_unavailable"]


async def test_a_model_that_stalls_over_the_wordings_is_not_waited_for(
    store: EdgeStore, emulator: LLMEmulator, llm: OpenAILLM
) -> None:
    answerer = an_answerer(store, llm, retrieval=RetrievalSettings(query_seconds=0.2))
    emulator.script(Stall())
    answer = await asked(answerer, QUESTION, mode=WAY)
    assert (answer.text, answer.notices) == ("Thirty days [1].", (NOT_WRITTEN,))


async def test_other_wordings_do_not_make_evidence_of_what_was_not_asked(
    store: EdgeStore, emulator: LLMEmulator, llm: OpenAILLM
) -> None:
    """A model that changes the subject brings its passages in, but the question is still not answered by them."""
    emulator.script("blue whales sing in the northern sea\nwhales eat krill")
    answer = await asked(an_answerer(store, llm), "Who wins the chess tournament?", mode=WAY)
    assert answer.outcome is Outcome.DECLINED
    assert len(emulator.requests) == 1


async def test_without_a_language_model_the_stage_is_an_error_that_names_the_remedy(store: EdgeStore) -> None:
    with pytest.raises(
        ConfigurationError, match=r"`queries` needs a language model.*LLM_MODEL.*leave `\+queries` away"
    ):
        await asked(an_answerer(store), QUESTION, mode=WAY)
