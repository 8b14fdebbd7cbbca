"""The client over real HTTP: what it sends, what it reads, and how it fails."""

from __future__ import annotations

import asyncio
import socket
import traceback
from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager

import pytest

from rag.errors import ConfigurationError, ProviderError, ProviderRefused
from rag.llm.base import (
    Event,
    Finished,
    FinishReason,
    Message,
    Reasoning,
    complete,
)
from rag.llm.openai import LimitParameter, OpenAILLM
from rag.types.answers import Delta, Usage
from tests.llm_emulator import LLMEmulator, Raw, Reset, Thought

KEY = "sk-very-secret-0123456789"
PROMPT = [Message("system", "Be brief."), Message("user", "How many days?")]
DONE = Raw('{"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}')


@pytest.fixture
async def emulator() -> AsyncGenerator[LLMEmulator, None]:
    async with LLMEmulator(api_key=KEY) as emulator:
        yield emulator


@pytest.fixture
async def llm(emulator: LLMEmulator) -> AsyncGenerator[OpenAILLM, None]:
    async with client(emulator.base_url) as llm:
        yield llm


@asynccontextmanager
async def client(
    base_url: str,
    *,
    api_key: str | None = KEY,
    temperature: float | None = 0.1,
    limit_parameter: LimitParameter = "max_tokens",
    connect_seconds: float = 5.0,
) -> AsyncGenerator[OpenAILLM, None]:
    llm = OpenAILLM(
        name="main",
        model="m",
        api_key=api_key,
        base_url=base_url,
        temperature=temperature,
        limit_parameter=limit_parameter,
        connect_seconds=connect_seconds,
    )
    yield llm
    await llm.aclose()


@asynccontextmanager
async def server_that_sends(answer: bytes) -> AsyncGenerator[str, None]:
    """A server that answers each request with these bytes and hangs up."""

    async def answer_once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(answer_once, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"


async def events_of(llm: OpenAILLM) -> list[Event]:
    async with aclosing(llm.stream(PROMPT, max_tokens=50)) as events:
        return [event async for event in events]


async def failure_of(llm: OpenAILLM) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        await events_of(llm)
    return caught.value


async def test_it_sends_the_messages_and_the_limits_and_asks_for_usage(emulator: LLMEmulator, llm: OpenAILLM):
    emulator.script("Twenty.")
    await events_of(llm)
    assert emulator.requests[0].messages == tuple(PROMPT)
    body = {name: value for name, value in emulator.requests[0].body.items() if name != "messages"}
    assert body == {
        "model": "m",
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": 0.1,
        "max_tokens": 50,
    }


async def test_a_model_that_takes_no_temperature_is_sent_none(emulator: LLMEmulator):
    emulator.script("Twenty.")
    async with client(emulator.base_url, temperature=None, limit_parameter="max_completion_tokens") as llm:
        await events_of(llm)
    body = emulator.requests[0].body
    assert "temperature" not in body and "max_tokens" not in body
    assert body["max_completion_tokens"] == 50


async def test_the_environment_has_no_effect(monkeypatch: pytest.MonkeyPatch):
    for variable in ("API_KEY", "ORG_ID", "PROJECT_ID", "BASE_URL"):
        monkeypatch.setenv(f"OPENAI_{variable}", "http://from-the-environment.invalid")
    async with LLMEmulator() as emulator, client(emulator.base_url, api_key=None) as llm:
        emulator.script("Twenty.")
        await events_of(llm)
        assert not emulator.requests[0].had_key
        assert "from-the-environment" not in str(emulator.requests[0].headers)


async def test_half_a_surrogate_pair_does_not_stop_a_prompt(emulator: LLMEmulator, llm: OpenAILLM):
    emulator.script("Twenty.")
    await complete(llm, [Message("user", "broken \ud83d text")], max_tokens=50)
    assert emulator.requests[0].messages == (Message("user", "broken ? text"),)


async def test_usage_is_counted(emulator: LLMEmulator, llm: OpenAILLM):
    emulator.script("Twenty", " days")
    _, end = await complete(llm, PROMPT, max_tokens=50)
    assert end == Finished(Usage(5, 2), FinishReason.STOP, "m")


async def test_a_provider_that_counts_no_tokens_is_believed_to_have_answered(emulator: LLMEmulator, llm: OpenAILLM):
    emulator.script("Twenty.", usage=False)
    assert await complete(llm, PROMPT, max_tokens=50) == ("Twenty.", Finished(Usage(), FinishReason.STOP, "m"))


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
async def test_reasoning_is_read_from_either_field(emulator: LLMEmulator, llm: OpenAILLM, field: str):
    emulator.script(Thought("Hm.", field), "Twenty.")
    assert (await events_of(llm))[:-1] == [Reasoning("Hm."), Delta("Twenty.")]


async def test_reasoning_inside_the_text_is_taken_out(emulator: LLMEmulator, llm: OpenAILLM):
    emulator.script("<th", "ink>Hm", ".</thi", "nk>\n\nTwenty", " <think>.")
    assert (await events_of(llm))[:-1] == [
        Reasoning("Hm"),
        Reasoning("."),
        Delta("Twenty"),
        Delta(" <think>."),
    ]


async def test_an_answer_cut_short_says_so(emulator: LLMEmulator, llm: OpenAILLM):
    emulator.script("Twen", finish="length")
    _, end = await complete(llm, PROMPT, max_tokens=50)
    assert end.reason is FinishReason.LENGTH


async def test_a_stream_that_just_ends_ends_for_a_reason_unknown(emulator: LLMEmulator, llm: OpenAILLM):
    emulator.script("Twenty", finish=None)
    _, end = await complete(llm, PROMPT, max_tokens=50)
    assert end.reason is FinishReason.UNKNOWN


async def test_a_stream_without_any_answer_is_an_error(emulator: LLMEmulator, llm: OpenAILLM):
    emulator.script(finish=None)
    assert "sent no answer" in (await failure_of(llm)).reason


async def test_a_refusal_is_passed_on_in_our_words_and_nothing_is_tried_again(emulator: LLMEmulator, llm: OpenAILLM):
    emulator.refuse(400, code="unsupported_parameter", param="max_tokens")
    error = await failure_of(llm)
    assert isinstance(error, ProviderRefused)
    assert str(error) == "main: the model does not take a parameter that we send: max_tokens (HTTP 400)"
    assert len(emulator.requests) == 1


async def test_a_key_that_is_refused_appears_nowhere_in_the_error(emulator: LLMEmulator):
    wrong = "sk-wrong-9876543210"
    async with client(emulator.base_url, api_key=wrong) as llm:
        error = await failure_of(llm)
    assert isinstance(error, ProviderRefused)
    assert error.reason == "the API key is not accepted (HTTP 401)"
    assert wrong not in "".join(traceback.format_exception(error)) + repr(error)
    assert error.__cause__ is None


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (Raw('{"error": {"message": "upstream died", "code": 502}}'), "the provider failed (HTTP 502)"),
        (Raw('{"error": {"message": "no", "code": "content_filter"}}'), "its content filter stopped the prompt"),
        (Raw('{"error": "out of memory"}'), "the provider failed"),
        (Raw('{"choices": [{"delta": {"con'), "it sent something that cannot be read"),
        (Raw('{"choices": [{"delta": {"content": [1]}}]}'), "it sent something that cannot be read"),
        (Raw("3"), "it sent something that cannot be read"),
    ],
)
async def test_what_goes_wrong_in_the_middle_is_an_error_after_the_text(
    emulator: LLMEmulator, llm: OpenAILLM, event: Raw, reason: str
):
    emulator.script("Twenty", event)
    stream = llm.stream(PROMPT, max_tokens=50)
    assert await anext(stream) == Delta("Twenty")
    with pytest.raises(ProviderError) as caught:
        await anext(stream)
    assert caught.value.reason == reason


async def test_a_connection_reset_in_the_middle_is_an_error_after_the_text(emulator: LLMEmulator, llm: OpenAILLM):
    emulator.script("Twenty", Reset())
    stream = llm.stream(PROMPT, max_tokens=50)
    assert await anext(stream) == Delta("Twenty")
    with pytest.raises(ProviderError, match="the connection failed or broke off"):
        await anext(stream)


async def test_a_complete_answer_is_not_lost_with_the_count_of_its_tokens(emulator: LLMEmulator, llm: OpenAILLM):
    emulator.script("Twenty.", DONE, Reset())
    assert await complete(llm, PROMPT, max_tokens=50) == ("Twenty.", Finished(Usage(), FinishReason.STOP, "m"))


async def test_an_error_whose_body_breaks_off_is_still_a_provider_error():
    async with (
        server_that_sends(b"HTTP/1.1 500 Oh\r\nContent-Length: 99\r\n\r\n{") as base_url,
        client(base_url) as llm,
    ):
        assert "broke off" in (await failure_of(llm)).reason


async def test_a_web_page_is_no_answer():
    page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 15\r\n\r\n<html>Hi</html>"
    async with server_that_sends(page) as base_url, client(base_url) as llm:
        assert "sent no answer" in (await failure_of(llm)).reason


async def test_a_closed_port_is_a_provider_error():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    async with client(f"http://127.0.0.1:{port}/v1") as llm:
        assert "the connection failed" in (await failure_of(llm)).reason


async def test_a_server_that_accepts_no_connection_is_given_up():
    with socket.socket() as full, socket.socket() as waiting:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        waiting.connect(full.getsockname())  # the one place in the queue is taken
        async with client(f"http://127.0.0.1:{full.getsockname()[1]}/v1", connect_seconds=0.1) as llm:
            assert (await failure_of(llm)).reason == "no connection within 0.1 s"


@pytest.mark.parametrize("base_url", ["", "localhost:11434/v1", "ftp://models/v1", "http://"])
def test_what_is_no_base_url_is_refused_at_start(base_url: str):
    with pytest.raises(ConfigurationError, match="base URL"):
        OpenAILLM(name="main", model="m", api_key=None, base_url=base_url)


@pytest.mark.parametrize("key", ["", f"{KEY}\n", f" {KEY}", "sk-schlüssel", "sk-\x00"])
def test_what_is_no_key_is_refused_at_start_without_being_shown(key: str):
    with pytest.raises(ConfigurationError, match="API key") as caught:
        OpenAILLM(name="main", model="m", api_key=key)
    assert not key or key.strip() not in str(caught.value)
