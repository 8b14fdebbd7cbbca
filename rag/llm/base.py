"""What an LLM is: one method that streams, and what it may stream."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, Protocol, TypeAlias

from rag.errors import ProviderError
from rag.types.answers import Delta, Usage


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Reasoning:
    """A piece of what a model thinks before it answers: never part of the answer."""

    text: str


class FinishReason(StrEnum):
    """Why a model stopped writing."""

    STOP = "stop"
    """It had said all."""
    LENGTH = "length"
    """It reached `max_tokens`: the answer is cut off."""
    CONTENT_FILTER = "content_filter"
    """Its provider withheld the rest."""
    UNKNOWN = "unknown"
    """It did not say; the answer may be cut off."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The end of a stream."""

    usage: Usage
    """Without tokens where the provider does not count them."""
    reason: FinishReason
    model: str
    """The model that wrote, as its provider names it; else as we asked for it."""
    priced: bool = False
    """Whether `usage.cost_usd` is known. Without a price it is 0, which does not mean that the answer was free."""


Event: TypeAlias = Delta | Reasoning | Finished


class LLM(Protocol):
    """A thin waist: all else (fall back, time out, price) wraps it and is an LLM again."""

    @property
    def name(self) -> str:
        """What the operator calls it: in logs, counters and errors."""
        ...

    def stream(self, messages: Sequence[Message], *, max_tokens: int) -> AsyncGenerator[Event, None]:
        """The text in pieces, reasoning apart from it, then exactly one Finished.

        A reader that leaves early closes the stream (`contextlib.aclosing`): the provider then stops writing.

        Raises:
            ProviderError: the provider failed, before the first piece or after it. Trying the same again is useless
                where it is a ProviderRefused.
        """
        ...


async def complete(llm: LLM, messages: Sequence[Message], *, max_tokens: int) -> tuple[str, Finished]:
    """The whole text at once, without the reasoning, and how it ended. Raises ProviderError."""
    pieces: list[str] = []
    async with aclosing(llm.stream(messages, max_tokens=max_tokens)) as events:
        async for event in events:
            match event:
                case Delta():
                    pieces.append(event.text)
                case Finished():
                    return "".join(pieces), event
                case Reasoning():
                    pass
    raise ProviderError(llm.name, "the stream ended without its end")
