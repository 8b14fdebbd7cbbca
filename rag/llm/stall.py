"""A watch on streams: a provider that is silent, or talks, for longer than allowed has failed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import TypeVar

from rag.errors import ProviderStalled
from rag.llm.base import LLM, Event, Message

T = TypeVar("T")


async def unless_stalled(
    stream: AsyncGenerator[T, None], *, provider: str, first: float, between: float, total: float
) -> AsyncGenerator[T, None]:
    """Pass `stream` on, and close it on every way out.

    The limits are seconds of waiting for the provider: what the reader takes between two pieces is not held against it.

    Raises:
        ProviderStalled: no beginning came within `first`, no next piece within `between`, or no end within `total`.
    """
    clock = asyncio.get_running_loop().time
    allowed, left = first, total
    async with aclosing(stream):
        while True:
            asked = clock()
            limit = asyncio.timeout(min(allowed, left))
            try:
                async with limit:
                    item = await anext(stream)
            except StopAsyncIteration:
                return
            except TimeoutError:
                if not limit.expired():  # the stream's own, for the stream to explain
                    raise
                why = f"silent for {allowed:g} s" if allowed < left else f"not done after {total:g} s"
                raise ProviderStalled(provider, why) from None
            left = max(0.0, left - (clock() - asked))
            allowed = between
            yield item


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a provider may keep a reader waiting, in seconds."""

    first: float = 20.0
    """Until the first piece."""
    between: float = 15.0
    """From one piece to the next."""
    total: float = 60.0
    """In all."""


class WatchedLLM:
    """An LLM that is never waited for longer than `patience` allows."""

    def __init__(self, llm: LLM, patience: Patience) -> None:
        self._llm = llm
        self._patience = patience
        self.name = llm.name

    def stream(self, messages: Sequence[Message], *, max_tokens: int) -> AsyncGenerator[Event, None]:
        """What the LLM streams. Raises ProviderStalled where it would keep the reader waiting."""
        return unless_stalled(
            self._llm.stream(messages, max_tokens=max_tokens),
            provider=self.name,
            first=self._patience.first,
            between=self._patience.between,
            total=self._patience.total,
        )
