"""Any server that speaks OpenAI's chat completions: OpenAI itself, vLLM, Ollama, llama.cpp, OpenRouter and others.

Importing this module costs 0.7 to 1 s of CPU, nearly all of it the client library.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import Final, Literal, TypeAlias
from urllib.parse import urlsplit

import httpx2
import openai
from openai.types.chat import ChatCompletionChunk, ChatCompletionMessageParam

from rag.errors import ConfigurationError, ProviderError
from rag.llm.base import Event, Message
from rag.llm.refusals import refusal
from rag.llm.wire import Transcript

OPENAI_URL: Final = "https://api.openai.com/v1"
CONNECT_SECONDS: Final = 5.0
"""How long a connection may take to open. How long an answer may take is for a WatchedLLM to say."""

LimitParameter: TypeAlias = Literal["max_tokens", "max_completion_tokens"]


TEMPERATURE: Final = 0.1
"""Low: an answer is to say what its sources say."""


class OpenAILLM:
    """One model of one server.

    It never retries: a second try belongs to whoever knows the alternatives. What the settings do not say is not sent:
    variables in the environment such as OPENAI_API_KEY and OPENAI_ORG_ID have no effect.
    """

    def __init__(
        self,
        *,
        name: str,
        model: str,
        api_key: str | None,
        base_url: str = OPENAI_URL,
        temperature: float | None = TEMPERATURE,
        limit_parameter: LimitParameter = "max_tokens",
        connect_seconds: float = CONNECT_SECONDS,
    ) -> None:
        """Connects to nothing yet.

        Args:
            name: What the operator calls this provider.
            model: As the server calls it.
            api_key: None for a local server that wants none: no Authorization header is sent.
            base_url: Up to and including the version, as in "http://localhost:11434/v1".
            temperature: None where the model takes none: OpenAI's reasoning models accept only their own.
            limit_parameter: The name under which the model takes the limit; OpenAI's reasoning models want
                "max_completion_tokens", many other servers know "max_tokens" alone.
            connect_seconds: How long a connection may take to open.

        Raises:
            ConfigurationError: The address or the key cannot be one.
        """
        _check(name, base_url, api_key)
        self.name = name
        self._model = model
        self._temperature = openai.omit if temperature is None else temperature
        self._limit_parameter = limit_parameter
        self._connect_seconds = connect_seconds
        self._withheld = {"OpenAI-Organization": openai.omit, "OpenAI-Project": openai.omit}
        if api_key is None:
            self._withheld["Authorization"] = openai.omit
        self._client = openai.AsyncOpenAI(
            api_key=api_key or "none",  # without one the library looks into the environment
            base_url=base_url,
            timeout=openai.Timeout(None, connect=connect_seconds),
            max_retries=0,
        )

    async def stream(self, messages: Sequence[Message], *, max_tokens: int) -> AsyncGenerator[Event, None]:
        """The answer as an LLM gives it; it may stay silent for ever."""
        transcript = Transcript(self._model)
        try:
            async with await self._open(messages, max_tokens) as chunks:
                async for chunk in chunks:
                    for event in transcript.feed(chunk):
                        yield event
        except (openai.OpenAIError, httpx2.RequestError, ValueError) as error:
            # The cause is cut off: it carries the request, and the request the key. A complete answer is not lost
            # because the count of its tokens is.
            if not transcript.is_complete:
                raise self._failure(error) from None
        if transcript.is_empty:
            raise ProviderError(self.name, "it sent no answer; the base URL may lead to something else than an API")
        for event in transcript.close():
            yield event

    async def aclose(self) -> None:
        """Close the connections. Streams that are still open break off."""
        await self._client.close()

    async def _open(self, messages: Sequence[Message], max_tokens: int) -> openai.AsyncStream[ChatCompletionChunk]:
        return await self._client.chat.completions.create(
            model=self._model,
            messages=[_param(message) for message in messages],
            temperature=self._temperature,
            max_tokens=max_tokens if self._limit_parameter == "max_tokens" else openai.omit,
            max_completion_tokens=max_tokens if self._limit_parameter == "max_completion_tokens" else openai.omit,
            stream=True,
            stream_options={"include_usage": True},
            extra_headers=self._withheld,
        )

    def _failure(self, error: Exception) -> ProviderError:
        match error:
            case openai.APITimeoutError():
                return ProviderError(self.name, f"no connection within {self._connect_seconds:g} s")
            case openai.APIStatusError():
                return refusal(self.name, status=error.status_code, code=error.code, param=error.param)
            case openai.APIConnectionError() | httpx2.RequestError():
                kind = type(error.__cause__ or error).__name__
                return ProviderError(self.name, f"the connection failed or broke off ({kind})")
            case openai.APIError():
                return refusal(self.name, status=None, code=error.code, param=error.param)
            case _:
                return ProviderError(self.name, "it sent something that cannot be read")


def _param(message: Message) -> ChatCompletionMessageParam:
    content = message.content.encode(errors="replace").decode()  # broken PDFs yield halves of surrogate pairs
    match message.role:
        case "system":
            return {"role": "system", "content": content}
        case "user":
            return {"role": "user", "content": content}
        case "assistant":
            return {"role": "assistant", "content": content}


def _check(name: str, base_url: str, api_key: str | None) -> None:
    url = urlsplit(base_url)
    if url.scheme not in {"http", "https"} or not url.hostname:
        raise ConfigurationError(f"{name}: {base_url!r} is no base URL; it looks like http://localhost:11434/v1")
    if api_key is not None and not (api_key.isascii() and api_key.isprintable() and api_key.strip() == api_key != ""):
        raise ConfigurationError(
            f"{name}: the API key is empty or holds spaces, line breaks or characters outside ASCII"
        )
