from __future__ import annotations

import asyncio

from bot.slack.blocks import markdown
from bot.slack.events import Place
from bot.slack.surface import post
from bot.slack.web import Web
from tests.bot.slack.conftest import ADA, GENERAL
from tests.bot.slack.parts import eventually
from tests.slack_emulator.server import SlackEmulator


def _place(slack: SlackEmulator, channel: str) -> Place:
    return Place(slack.identity.team_id, channel, "", ADA)


def _texts(slack: SlackEmulator) -> list[str]:
    """What was tried, in order: refused calls count as well."""
    return [str(call.arguments["text"]) for call in slack.calls_to("chat.postMessage")]


async def _posted_at_once(web: Web, posts: list[tuple[Place, str]]) -> None:
    await asyncio.gather(*(post(web, place, [markdown(text)], text=text) for place, text in posts))


async def test_a_message_waits_for_the_one_before_it_that_a_rate_limit_holds_up(slack: SlackEmulator, web: Web):
    slack.limit_next("chat.postMessage", retry_after=0)
    place = _place(slack, GENERAL)
    await _posted_at_once(web, [(place, "one"), (place, "two")])
    assert _texts(slack) == ["one", "one", "two"]


async def test_a_channel_that_is_held_up_holds_up_no_other(slack: SlackEmulator, web: Web):
    other = slack.add_channel("random", members=[ADA])
    slack.limit_next("chat.postMessage", retry_after=1)
    await _posted_at_once(web, [(_place(slack, GENERAL), "one"), (_place(slack, other), "two")])
    assert sorted(_texts(slack)[:2]) == ["one", "two"]


async def test_a_message_that_is_given_up_lets_the_next_one_through(slack: SlackEmulator, web: Web):
    slack.delay_next("chat.postMessage", 30)
    place = _place(slack, GENERAL)
    stuck = asyncio.create_task(post(web, place, [markdown("one")], text="one"))
    await eventually(lambda: bool(slack.calls_to("chat.postMessage")))
    following = asyncio.create_task(post(web, place, [markdown("two")], text="two"))
    stuck.cancel()
    await following
    assert [message.text for message in slack.messages] == ["two"]
