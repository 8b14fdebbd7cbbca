"""Limits on silence and on talking, and what is left behind when they are reached."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

import pytest

from rag.errors import ProviderStalled
from rag.llm.base import Event, Message
from rag.llm.openai import OpenAILLM
from rag.llm.stall import Patience, WatchedLLM, unless_stalled
from rag.types.answers import Delta
from tests.fakes import ScriptedLLM
from tests.llm_emulator import LLMEmulator, Stall

FOR_EVER = 3600.0


async def heard_from(stream: AsyncGenerator[Event, None], heard: list[Event]) -> None:
    async with aclosing(stream) as events:
        async for event in events:
            heard.append(event)  # noqa: PERF401  # what came before an error is the point


def watched(
    llm: ScriptedLLM, *, first: float = 60, between: float = 60, total: float = 60
) -> AsyncGenerator[Event, None]:
    stream = llm.stream([], max_tokens=1)
    return unless_stalled(stream, provider="slow", first=first, between=between, total=total)


async def test_silence_before_the_first_piece_is_cut():
    llm = ScriptedLLM(FOR_EVER, "late")
    with pytest.raises(ProviderStalled, match=r"slow: silent for 0\.02 s"):
        await heard_from(watched(llm, first=0.02), [])
    assert llm.closed == 1


async def test_silence_between_two_pieces_is_cut():
    llm = ScriptedLLM("Twenty", FOR_EVER, "late")
    heard: list[Event] = []
    with pytest.raises(ProviderStalled, match=r"slow: silent for 0\.02 s"):
        await heard_from(watched(llm, between=0.02), heard)
    assert heard == [Delta("Twenty")]
    assert llm.closed == 1


async def test_the_limits_on_the_first_and_on_later_silences_are_apart():
    heard: list[Event] = []
    await heard_from(watched(ScriptedLLM(0.05, "Twenty"), between=0.02), heard)
    assert heard[0] == Delta("Twenty")


async def test_talking_without_an_end_is_cut():
    llm = ScriptedLLM(*["on and ", 0.01] * 1000)
    with pytest.raises(ProviderStalled, match=r"slow: not done after 0\.1 s"):
        await heard_from(watched(llm, total=0.1), [])
    assert llm.closed == 1


async def test_a_slow_reader_is_not_held_against_the_provider():
    heard: list[Event] = []
    async with aclosing(watched(ScriptedLLM("a", "b", "c"), first=0.25, between=0.25, total=0.25)) as events:
        async for event in events:
            await asyncio.sleep(0.1)
            heard.append(event)
    assert heard[:-1] == [Delta("a"), Delta("b"), Delta("c")]


async def test_a_timeout_of_the_streams_own_is_not_taken_for_a_stall():
    async def stream() -> AsyncGenerator[Delta, None]:
        yield Delta("Twenty")
        raise TimeoutError("its own")

    with pytest.raises(TimeoutError, match="its own"):
        async for _ in unless_stalled(stream(), provider="slow", first=60, between=60, total=60):
            pass


async def test_a_task_cancelled_while_it_waits_is_cancelled_and_not_stalled():
    llm = ScriptedLLM(FOR_EVER)
    task = asyncio.create_task(heard_from(watched(llm), []))
    await asyncio.sleep(0.01)
    assert llm.heard
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert llm.closed == 1


async def test_the_limit_of_an_outer_timeout_stays_with_it():
    llm = ScriptedLLM(FOR_EVER)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.02):
            await heard_from(watched(llm), [])
    assert llm.closed == 1


async def test_a_provider_that_stalls_on_the_wire_is_cut_and_hung_up_on():
    async with LLMEmulator() as emulator:
        emulator.script("Twenty", Stall())
        client = OpenAILLM(name="slow", model="m", api_key=None, base_url=emulator.base_url)
        llm = WatchedLLM(client, Patience(between=0.05))
        heard: list[Event] = []
        with pytest.raises(ProviderStalled, match=r"slow: silent for 0\.05 s"):
            await heard_from(llm.stream([Message("user", "How many days?")], max_tokens=50), heard)
        assert heard == [Delta("Twenty")]
        async with asyncio.timeout(10):
            await emulator.requests[0].left.wait()
        await client.aclose()
