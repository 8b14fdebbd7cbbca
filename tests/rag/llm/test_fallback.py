"""Who is asked when a provider fails, and who is left alone."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

import pytest

from rag.errors import ConfigurationError, NoProviderLeft, ProviderError, ProviderRefused, RequestRefused
from rag.llm.base import Event, Message, Reasoning, complete
from rag.llm.breaker import REST_SECONDS
from rag.llm.fallback import FallbackLLM
from rag.types.answers import Delta
from tests.fakes import ScriptedLLM

PROMPT = [Message("user", "a secret question")]
FOR_EVER = 3600.0


class Clock:
    """A clock that moves when told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class BrokenLLM:
    """One with a bug of ours in it."""

    name = "broken"

    async def stream(self, messages: Sequence[Message], *, max_tokens: int) -> AsyncGenerator[Event, None]:
        raise ZeroDivisionError
        yield Delta("")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def first() -> ScriptedLLM:
    return ScriptedLLM(ProviderError("first", "overloaded"), name="first")


@pytest.fixture
def second() -> ScriptedLLM:
    return ScriptedLLM("Twenty.", name="second")


@pytest.fixture
def chain(first: ScriptedLLM, second: ScriptedLLM, clock: Clock) -> FallbackLLM:
    return FallbackLLM([first, second], clock=clock)


async def answer_of(llm: FallbackLLM) -> str:
    text, _ = await complete(llm, PROMPT, max_tokens=50)
    return text


async def test_the_next_is_asked_when_one_fails_before_its_first_word(chain: FallbackLLM):
    text, end = await complete(chain, PROMPT, max_tokens=50)
    assert (text, end.model) == ("Twenty.", "second")
    assert chain.failures == {"first": 1, "second": 0}


async def test_the_next_is_not_asked_when_the_first_answers(
    chain: FallbackLLM, first: ScriptedLLM, second: ScriptedLLM
):
    first.script = ("Ten.",)
    assert await answer_of(chain) == "Ten."
    assert second.heard == []


async def test_each_failure_is_logged_without_the_question(chain: FallbackLLM, caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.DEBUG):
        await answer_of(chain)
    [record] = caplog.records
    assert record.getMessage() == "provider failed"
    assert (vars(record)["provider"], vars(record)["reason"]) == ("first", "overloaded")
    assert "secret" not in str(vars(record))


async def test_reasoning_is_not_yet_speaking(chain: FallbackLLM, first: ScriptedLLM):
    first.script = (Reasoning("Hm."), ProviderError("first", "broke off"))
    assert await answer_of(chain) == "Twenty."


async def test_a_provider_that_has_spoken_is_never_replaced(
    chain: FallbackLLM, first: ScriptedLLM, second: ScriptedLLM
):
    first.script = ("Ten", ProviderError("first", "broke off"))
    stream = chain.stream(PROMPT, max_tokens=50)
    assert await anext(stream) == Delta("Ten")
    with pytest.raises(ProviderError, match="first: broke off"):
        await anext(stream)
    assert second.heard == []
    assert chain.failures["first"] == 1


async def test_when_all_fail_the_error_carries_why_each_did(chain: FallbackLLM, second: ScriptedLLM):
    second.script = (ProviderRefused("second", "no credit"),)
    with pytest.raises(NoProviderLeft) as caught:
        await answer_of(chain)
    assert [str(error) for error in caught.value.failures] == ["first: overloaded", "second: no credit"]
    assert caught.value.__context__ is None


async def test_a_bug_is_not_a_reason_to_ask_another(second: ScriptedLLM):
    chain = FallbackLLM([BrokenLLM(), second])
    with pytest.raises(ZeroDivisionError):
        await answer_of(chain)
    assert second.heard == []


async def test_a_cancelled_question_is_nobodys_failure(chain: FallbackLLM, first: ScriptedLLM, second: ScriptedLLM):
    first.script = (FOR_EVER,)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.02):
            await answer_of(chain)
    assert chain.failures == {"first": 0, "second": 0}
    assert second.heard == []
    assert first.closed == 1


async def test_a_provider_that_failed_twice_in_a_row_is_left_alone_for_a_while(
    chain: FallbackLLM, first: ScriptedLLM, clock: Clock
):
    for _ in range(3):
        assert await answer_of(chain) == "Twenty."
    assert len(first.heard) == 2
    assert chain.resting == ["first"]
    clock.now = REST_SECONDS
    await answer_of(chain)
    assert len(first.heard) == 3


async def test_a_provider_that_recovers_is_asked_first_again(chain: FallbackLLM, first: ScriptedLLM, clock: Clock):
    await answer_of(chain)
    await answer_of(chain)
    first.script = ("Ten.",)
    assert await answer_of(chain) == "Twenty."
    clock.now = REST_SECONDS
    assert [await answer_of(chain), await answer_of(chain)] == ["Ten.", "Ten."]
    assert chain.resting == []


async def test_failures_with_an_answer_in_between_do_not_add_up(chain: FallbackLLM, first: ScriptedLLM):
    failure = first.script
    for script in (failure, ("Ten.",), failure, ("Ten.",)):
        first.script = script
        await answer_of(chain)
    assert chain.resting == []
    assert chain.failures["first"] == 2


async def test_breaking_off_in_the_middle_counts_as_a_failure_in_a_row(chain: FallbackLLM, first: ScriptedLLM):
    first.script = ("Ten", ProviderError("first", "broke off"))
    for _ in range(2):
        with pytest.raises(ProviderError, match="broke off"):
            await answer_of(chain)
    assert await answer_of(chain) == "Twenty."


async def test_requests_that_are_not_accepted_do_not_shut_out_others(chain: FallbackLLM, first: ScriptedLLM):
    first.script = (RequestRefused("first", "the prompt is too long"),)
    for _ in range(3):
        assert await answer_of(chain) == "Twenty."
    assert len(first.heard) == 3
    assert chain.failures["first"] == 3 and chain.resting == []


async def test_when_all_are_left_alone_the_error_comes_at_once_and_says_why(clock: Clock, first: ScriptedLLM):
    chain = FallbackLLM([first], clock=clock)
    for _ in range(2):
        with pytest.raises(NoProviderLeft, match="first: overloaded"):
            await answer_of(chain)
    with pytest.raises(NoProviderLeft, match=r"first: not asked: it has just failed \(overloaded\)"):
        await answer_of(chain)
    assert len(first.heard) == 2


async def test_one_question_alone_finds_out_whether_a_provider_is_back(
    chain: FallbackLLM, first: ScriptedLLM, clock: Clock
):
    await answer_of(chain)
    await answer_of(chain)
    first.script = (0.01, "Ten.")
    clock.now = REST_SECONDS
    answers = await asyncio.gather(*(answer_of(chain) for _ in range(3)))
    assert sorted(answers) == ["Ten.", "Twenty.", "Twenty."]
    assert len(first.heard) == 3


async def test_a_trial_that_was_cancelled_is_repeated_after_another_rest(
    chain: FallbackLLM, first: ScriptedLLM, clock: Clock
):
    await answer_of(chain)
    await answer_of(chain)
    first.script = (FOR_EVER,)
    clock.now = REST_SECONDS
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.02):
            await answer_of(chain)
    first.script = ("Ten.",)
    assert await answer_of(chain) == "Twenty."
    clock.now = 2 * REST_SECONDS
    assert await answer_of(chain) == "Ten."


async def test_the_counts_are_a_snapshot(chain: FallbackLLM):
    before = chain.failures
    await answer_of(chain)
    assert before == {"first": 0, "second": 0}


async def test_a_reader_who_leaves_lets_the_one_who_speaks_go(chain: FallbackLLM, second: ScriptedLLM):
    second.script = ("Twenty", FOR_EVER)
    async with aclosing(chain.stream(PROMPT, max_tokens=50)) as events:
        assert await anext(events) == Delta("Twenty")
    assert second.closed == 1


def test_a_chain_of_none_and_one_with_two_of_a_name_are_refused_at_start():
    with pytest.raises(ConfigurationError, match="at least one"):
        FallbackLLM([])
    with pytest.raises(ConfigurationError, match="same name: a, a"):
        FallbackLLM([ScriptedLLM(name="a"), ScriptedLLM(name="a")])
