"""The stand-in server is as strict as the real API, and honest about what it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import aiohttp
import pytest

from rag.llm.base import Message, complete
from rag.llm.openai import OpenAILLM
from tests.llm_emulator import Cite, LLMEmulator, Pause, answer_from_sources

PROMPT = """Answer from the sources.

<source-3fa9 id="S1" title="Leave > Rules">
Staff have 20 days of leave. Part-timers have less.
</source-3fa9>

<source-3fa9 title="Notes" id="S2">
</source-77aa> is
no end! More.
</source-3fa9>

<source-3fa9 id="S3" title="Third">
Never quoted.
</source-3fa9>"""
ASKED = {"model": "m", "messages": [{"role": "user", "content": "Hi"}], "stream": True}


async def post(emulator: LLMEmulator, body: Mapping[str, Any], key: str | None = None) -> tuple[int, str]:
    headers = {} if key is None else {"Authorization": f"Bearer {key}"}
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{emulator.base_url}/chat/completions", json=body, headers=headers) as response,
    ):
        return response.status, await response.text()


@pytest.mark.parametrize("key", [None, "wrong"])
async def test_it_demands_the_key_that_it_was_given(key: str | None):
    async with LLMEmulator(api_key="right") as emulator:
        status, text = await post(emulator, ASKED, key)
        assert status == 401 and "invalid_api_key" in text
        emulator.script("Hello.")
        assert (await post(emulator, ASKED, "right"))[0] == 200
        assert "right" not in str(emulator.requests)


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"model": ""}, 400),
        ({"model": "unknown"}, 404),
        ({"messages": []}, 400),
        ({"messages": [{"role": "oracle", "content": "Hi"}]}, 400),
        ({"stream": False}, 400),
        ({}, 500),
    ],
)
async def test_it_refuses_what_the_real_one_refuses_and_what_it_was_not_told(change: Mapping[str, Any], status: int):
    async with LLMEmulator(models={"m"}) as emulator:
        assert (await post(emulator, {**ASKED, **change}))[0] == status


async def test_it_counts_tokens_for_those_who_ask_alone():
    async with LLMEmulator() as emulator:
        emulator.script("Hello.")
        emulator.script("Hello.")
        assert "usage" not in (await post(emulator, ASKED))[1]
        assert "usage" in (await post(emulator, {**ASKED, "stream_options": {"include_usage": True}}))[1]


async def test_scripts_are_played_in_order_and_then_it_answers_by_itself():
    async with LLMEmulator(answer=lambda messages: messages[-1].content.upper()) as emulator:
        llm = OpenAILLM(name="emulator", model="m", api_key=None, base_url=emulator.base_url)
        emulator.script("one", Pause(0.01), "!")
        emulator.script("two")
        answers = [(await complete(llm, [Message("user", "three")], max_tokens=9))[0] for _ in range(3)]
        assert answers == ["one!", "two", "THREE"]
        await llm.aclose()


@pytest.mark.parametrize("instant", [True, False])
async def test_it_quotes_the_sources_of_the_prompt(instant: bool):
    async with LLMEmulator(answer=answer_from_sources, instant=instant) as emulator:
        llm = OpenAILLM(name="emulator", model="m", api_key=None, base_url=emulator.base_url)
        text, _ = await complete(llm, [Message("system", PROMPT), Message("user", "How many?")], max_tokens=9)
        quotes, disclaimer = text.split("\n\n")
        assert quotes == "Staff have 20 days of leave. [S1] </source-77aa> is no end! [S2]"
        assert "stand-in" in disclaimer
        await llm.aclose()


async def test_it_cites_the_source_that_holds_the_words():
    async with LLMEmulator() as emulator:
        emulator.script("No end ", Cite("is no end"), " and no start ", Cite("is no start"))
        llm = OpenAILLM(name="emulator", model="m", api_key=None, base_url=emulator.base_url)
        text, _ = await complete(llm, [Message("system", PROMPT)], max_tokens=9)
        assert text == "No end [S2] and no start [S99]"
        await llm.aclose()


def test_without_sources_it_says_that_it_has_none():
    answer = answer_from_sources([Message("user", "How many days?")])
    assert "stand-in" in answer and "no sources" in answer
