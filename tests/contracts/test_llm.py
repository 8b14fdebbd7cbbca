"""What every LLM promises: run against the fake, the client over real HTTP, and each wrapper."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass

import pytest

from rag.errors import ProviderError
from rag.llm.base import LLM, Event, Finished, FinishReason, Message, Reasoning, complete
from rag.llm.fallback import FallbackLLM
from rag.llm.openai import OpenAILLM
from rag.llm.pricing import PricedLLM
from rag.llm.stall import Patience, WatchedLLM
from rag.types.answers import Delta
from tests.fakes import Line, ScriptedLLM
from tests.llm_emulator import LLMEmulator, Pause, Raw, Thought

PROMPT = [Message("system", "Answer from the sources."), Message("user", "How many days?")]
FAILURE = ProviderError("it", "overloaded")
FOR_EVER = 3600.0


@dataclass(frozen=True, slots=True)
class Subject:
    """An LLM under test, and how to tell what stands behind it what to say."""

    llm: LLM
    tell: Callable[[tuple[Line, ...]], None]
    let_go: Callable[[], Awaitable[None]]
    """Returns once the last stream that the LLM read from has been let go."""


async def _on_openai() -> AsyncGenerator[Subject, None]:
    async with LLMEmulator() as emulator:
        llm = OpenAILLM(name="it", model="m", api_key=None, base_url=emulator.base_url)

        def tell(lines: tuple[Line, ...]) -> None:
            if lines and isinstance(lines[0], ProviderError):
                emulator.refuse(503)
            else:
                steps = [_step(line) for line in lines if not isinstance(line, FinishReason)]
                emulator.script(*steps, finish=next((line for line in lines if isinstance(line, FinishReason)), "stop"))

        async def let_go() -> None:
            await emulator.requests[-1].left.wait()

        yield Subject(llm, tell, let_go)
        await llm.aclose()


def _step(line: str | Reasoning | float | ProviderError) -> str | Thought | Pause | Raw:
    match line:
        case str():
            return line
        case Reasoning():
            return Thought(line.text)
        case ProviderError():
            return Raw('{"error": {"message": "overloaded", "code": 503}}')
        case _:
            return Pause(line)


def _on_fake(wrap: Callable[[LLM], LLM]) -> Callable[[], AsyncGenerator[Subject, None]]:
    async def subject() -> AsyncGenerator[Subject, None]:
        fake = ScriptedLLM(name="it")

        def tell(lines: tuple[Line, ...]) -> None:
            fake.script = lines

        async def let_go() -> None:
            assert fake.closed == len(fake.heard)

        yield Subject(wrap(fake), tell, let_go)

    return subject


SUBJECTS = {
    "scripted": _on_fake(lambda llm: llm),
    "openai": _on_openai,
    "fallback": _on_fake(lambda llm: FallbackLLM([llm])),
    "watched": _on_fake(lambda llm: WatchedLLM(llm, Patience())),
    "priced": _on_fake(lambda llm: PricedLLM(llm, model="gpt-4o", overrides={})),
    "all wrappers": _on_fake(
        lambda llm: FallbackLLM([WatchedLLM(PricedLLM(llm, model="gpt-4o", overrides={}), Patience())])
    ),
}


@pytest.fixture(params=SUBJECTS)
async def subject(request: pytest.FixtureRequest) -> AsyncGenerator[Subject, None]:
    async with asynccontextmanager(SUBJECTS[request.param])() as subject:
        yield subject


async def events_of(llm: LLM) -> list[Event]:
    async with aclosing(llm.stream(PROMPT, max_tokens=50)) as events:
        return [event async for event in events]


def texts(events: list[Event]) -> list[str]:
    return [event.text for event in events if isinstance(event, Delta)]


async def test_the_text_comes_in_order_and_one_end_comes_last(subject: Subject):
    subject.tell(("Twenty", " days", "."))
    events = await events_of(subject.llm)
    assert events[:-1] == [Delta("Twenty"), Delta(" days"), Delta(".")]
    end = events[-1]
    assert isinstance(end, Finished)
    assert end.reason is FinishReason.STOP
    assert end.model
    assert end.usage.input_tokens > 0 and end.usage.output_tokens > 0


async def test_reasoning_is_kept_apart_from_the_text(subject: Subject):
    subject.tell((Reasoning("The handbook"), Reasoning(" says 20."), "Twenty."))
    events = await events_of(subject.llm)
    assert events[:-1] == [Reasoning("The handbook"), Reasoning(" says 20."), Delta("Twenty.")]


@pytest.mark.parametrize("reason", FinishReason)
async def test_the_end_says_why_it_is_the_end(subject: Subject, reason: FinishReason):
    subject.tell(("Twenty", reason))
    end = (await events_of(subject.llm))[-1]
    assert isinstance(end, Finished)
    assert end.reason is reason


async def test_a_failure_before_the_first_word_is_a_provider_error(subject: Subject):
    subject.tell((FAILURE,))
    with pytest.raises(ProviderError, match="it: "):
        await events_of(subject.llm)


async def test_a_failure_in_the_middle_leaves_what_was_said_and_no_end(subject: Subject):
    subject.tell(("Twenty", " days", FAILURE))
    said: list[Event] = []

    async def listen() -> None:
        async with aclosing(subject.llm.stream(PROMPT, max_tokens=50)) as events:
            async for event in events:
                said.append(event)  # noqa: PERF401  # what came before the error is the point

    with pytest.raises(ProviderError, match="it: "):
        await listen()
    assert said == [Delta("Twenty"), Delta(" days")]


async def test_it_answers_again_after_a_failure(subject: Subject):
    subject.tell((FAILURE,))
    with pytest.raises(ProviderError):
        await events_of(subject.llm)
    subject.tell(("Twenty.",))
    assert texts(await events_of(subject.llm)) == ["Twenty."]


async def test_a_reader_who_leaves_early_lets_the_provider_go(subject: Subject):
    subject.tell(("Twenty", FOR_EVER, "days"))
    async with aclosing(subject.llm.stream(PROMPT, max_tokens=50)) as events:
        assert await anext(events) == Delta("Twenty")
    async with asyncio.timeout(10):
        await subject.let_go()


async def test_a_cancelled_reader_stays_cancelled_and_lets_the_provider_go(subject: Subject):
    subject.tell(("Twenty", FOR_EVER, "days"))
    spoken = asyncio.Event()

    async def listen() -> None:
        async with aclosing(subject.llm.stream(PROMPT, max_tokens=50)) as events:
            async for _ in events:
                spoken.set()

    task = asyncio.create_task(listen())
    await spoken.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert task.cancelled()
    async with asyncio.timeout(10):
        await subject.let_go()


async def test_streams_at_the_same_time_do_not_mix(subject: Subject):
    for _ in range(5):
        subject.tell(("Twenty", 0.01, " days", 0.01, "."))
    answers = await asyncio.gather(*(complete(subject.llm, PROMPT, max_tokens=50) for _ in range(5)))
    assert [text for text, _ in answers] == ["Twenty days."] * 5


async def test_the_whole_text_at_once_is_without_the_reasoning(subject: Subject):
    subject.tell((Reasoning("Let me see."), "Twenty", " days.", FinishReason.LENGTH))
    text, end = await complete(subject.llm, PROMPT, max_tokens=50)
    assert text == "Twenty days."
    assert end.reason is FinishReason.LENGTH


async def test_it_has_a_name(subject: Subject):
    assert subject.llm.name == "it"
