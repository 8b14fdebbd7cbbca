"""What answers cost, to the last digit."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

import pytest

from rag.llm.base import Finished, Message, complete
from rag.llm.pricing import PRICES, Price, PricedLLM, price_of
from rag.types.answers import Usage
from tests.fakes import ScriptedLLM

PROMPT = [Message("user", "How many days?")]
OWN = Price(Decimal("0.3"), Decimal("0.9"))


async def end_of(wrote: str, asked: str, usage: Usage, overrides: Mapping[str, Price] | None = None) -> Finished:
    llm = PricedLLM(ScriptedLLM("Yes.", name=wrote, usage=usage), model=asked, overrides=overrides or {})
    _, end = await complete(llm, PROMPT, max_tokens=50)
    return end


async def test_tokens_are_priced_exactly():
    end = await end_of("gpt-4o-mini", "gpt-4o-mini", Usage(1000, 333))
    assert end.usage == Usage(1000, 333, Decimal("0.0003498"))
    assert end.priced


async def test_a_model_without_a_price_costs_nothing_and_says_that_it_is_not_priced():
    end = await end_of("llama", "llama", Usage(1000, 333))
    assert (end.usage.cost_usd, end.priced) == (Decimal(0), False)


async def test_tokens_that_nobody_counted_are_not_priced():
    assert not (await end_of("gpt-4o", "gpt-4o", Usage())).priced


async def test_the_operators_price_wins_over_the_table():
    end = await end_of("gpt-4o", "gpt-4o", Usage(1_000_000, 1_000_000), {"gpt-4o": OWN})
    assert end.usage.cost_usd == Decimal("1.2")


async def test_a_price_for_the_name_in_the_settings_wins_over_one_for_the_model_behind_it():
    end = await end_of("gpt-4o", "our-deployment", Usage(1_000_000, 0), {"our-deployment": OWN})
    assert end.usage.cost_usd == Decimal("0.3")


async def test_an_alias_without_a_price_costs_what_the_model_behind_it_costs():
    end = await end_of("gpt-4o", "our-deployment", Usage(1_000_000, 0))
    assert end.usage.cost_usd == Decimal("2.5")


async def test_a_price_of_zero_is_a_price():
    end = await end_of("llama", "llama", Usage(10, 10), {"llama": Price(Decimal(0), Decimal(0))})
    assert (end.usage.cost_usd, end.priced) == (Decimal(0), True)


@pytest.mark.parametrize(
    ("dated", "model"),
    [("gpt-4o-2024-11-20", "gpt-4o"), ("claude-haiku-4-5-20251001", "claude-haiku-4-5"), ("gpt-5-mini", "gpt-5-mini")],
)
def test_a_dated_state_of_a_model_costs_what_the_model_costs(dated: str, model: str):
    assert price_of(dated, PRICES) is PRICES[model]


def test_a_model_whose_name_only_begins_like_another_has_no_price():
    assert price_of("gpt-4o-audio-preview", PRICES) is None


def test_writing_costs_at_least_what_reading_costs():
    assert all(Decimal(0) < price.input <= price.output for price in PRICES.values())
