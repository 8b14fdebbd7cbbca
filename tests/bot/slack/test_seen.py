from __future__ import annotations

import asyncio

from bot.slack.seen import Seen
from tests.bot.slack.parts import DeadCache, DictCache


async def test_the_first_delivery_counts_and_its_retry_does_not():
    seen = Seen(DictCache())
    assert await seen.first("Ev1", "T/C/1")
    assert not await seen.first("Ev1", "T/C/1")


async def test_two_events_for_one_message_are_one_question():
    seen = Seen(DictCache())
    assert await seen.first("Ev1", "T/C/1")
    assert not await seen.first("Ev2", "T/C/1")
    assert await seen.first("Ev3", "T/C/2")


async def test_two_deliveries_at_once_have_one_first():
    seen = Seen(DictCache())
    assert sorted(await asyncio.gather(seen.first("Ev1", "T/C/1"), seen.first("Ev2", "T/C/1"))) == [False, True]


async def test_two_processes_share_their_claims():
    cache = DictCache()
    one, other = Seen(cache), Seen(cache)
    answers = await asyncio.gather(one.first("Ev1", "T/C/1"), other.first("Ev2", "T/C/1"))
    assert sorted(answers) == [False, True]


async def test_without_its_cache_a_process_still_remembers():
    seen = Seen(DeadCache())
    assert await seen.first("Ev1", "T/C/1")
    assert not await seen.first("Ev1", "T/C/1")


async def test_the_memory_of_a_process_is_bounded():
    seen = Seen(DeadCache(), capacity=3)
    for number in range(10):
        await seen.first(f"Ev{number}")
    assert not await seen.first("Ev9")
    assert await seen.first("Ev0")


async def test_a_delivery_without_an_event_id_is_known_by_its_message():
    seen = Seen(DictCache())
    assert await seen.first("", "T/C/1")
    assert await seen.first("", "T/C/2")
    assert not await seen.first("", "T/C/1")
