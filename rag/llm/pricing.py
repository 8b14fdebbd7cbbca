"""What tokens cost."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from rag.llm.base import LLM, Event, Finished, Message
from rag.types.answers import Usage

_MILLION: Final = Decimal(1_000_000)
_SNAPSHOT: Final = re.compile(r"-(?:\d{8}|\d{4}-\d{2}-\d{2})\Z")
"""How OpenAI ("gpt-4o-2024-11-20") and Anthropic ("claude-haiku-4-5-20251001") mark one state of a model."""


@dataclass(frozen=True, slots=True)
class Price:
    """USD per million tokens."""

    input: Decimal
    output: Decimal

    def of(self, usage: Usage) -> Decimal:
        """The cost in USD, exactly. Discounts for cached input are not known here, so it may be less."""
        return (usage.input_tokens * self.input + usage.output_tokens * self.output) / _MILLION


def _usd(per_million_in: str, per_million_out: str) -> Price:
    return Price(Decimal(per_million_in), Decimal(per_million_out))


PRICES: Final[Mapping[str, Price]] = {
    # list prices of the standard tier on 1 June 2026, for short prompts where long ones cost more
    "gpt-4o": _usd("2.50", "10.00"),
    "gpt-4o-mini": _usd("0.15", "0.60"),
    "gpt-4.1": _usd("2.00", "8.00"),
    "gpt-4.1-mini": _usd("0.40", "1.60"),
    "gpt-4.1-nano": _usd("0.10", "0.40"),
    "gpt-5": _usd("1.25", "10.00"),
    "gpt-5-mini": _usd("0.25", "2.00"),
    "gpt-5-nano": _usd("0.05", "0.40"),
    "gpt-5.1": _usd("1.25", "10.00"),
    "gpt-5.4": _usd("2.50", "15.00"),
    "gpt-5.4-mini": _usd("0.75", "4.50"),
    "gpt-5.4-nano": _usd("0.20", "1.25"),
    "o3": _usd("2.00", "8.00"),
    "o4-mini": _usd("1.10", "4.40"),
    "claude-haiku-4-5": _usd("1.00", "5.00"),
    "claude-sonnet-4-5": _usd("3.00", "15.00"),
    "claude-sonnet-4-6": _usd("3.00", "15.00"),
    "gemini-2.5-flash-lite": _usd("0.10", "0.40"),
    "gemini-2.5-flash": _usd("0.30", "2.50"),
    "gemini-2.5-pro": _usd("1.25", "10.00"),
}


def price_of(model: str, prices: Mapping[str, Price]) -> Price | None:
    """The price of a model, else of the model that it is a dated state of; None where nobody has set one."""
    return prices.get(model) or prices.get(_SNAPSHOT.sub("", model))


class PricedLLM:
    """An LLM whose usage says what it cost.

    A model without a price, and a provider that does not count tokens, cost 0 and are marked as not priced.
    """

    def __init__(self, llm: LLM, *, model: str, overrides: Mapping[str, Price]) -> None:
        """Looks for a price of `model`, then of the model that the provider says wrote.

        Args:
            llm: Who writes.
            model: What it was asked for, as the settings name it: an alias or a deployment may differ from what wrote.
            overrides: The operator's own prices by model; they win over the table.
        """
        self._llm = llm
        self._model = model
        self._prices = {**PRICES, **overrides}
        self.name = llm.name

    async def stream(self, messages: Sequence[Message], *, max_tokens: int) -> AsyncGenerator[Event, None]:
        """What the LLM streams, the end with its cost."""
        async with aclosing(self._llm.stream(messages, max_tokens=max_tokens)) as events:
            async for event in events:
                yield self._priced(event) if isinstance(event, Finished) else event

    def _priced(self, end: Finished) -> Finished:
        price = price_of(self._model, self._prices) or price_of(end.model, self._prices)
        if price is None or end.usage.input_tokens == 0:
            return end
        return replace(end, usage=replace(end.usage, cost_usd=price.of(end.usage)), priced=True)
