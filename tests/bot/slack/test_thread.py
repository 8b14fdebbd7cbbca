from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.conversation import Mention
from bot.slack.events import Place, SlackQuestion
from bot.slack.thread import KEPT, TURN_CHARS, earlier_turns
from bot.slack.web import Web
from rag.types.answers import Turn
from tests.bot.slack.conftest import ADA, BOB, GENERAL
from tests.slack_emulator.message import Message
from tests.slack_emulator.server import SlackEmulator


@pytest.fixture
async def slack() -> AsyncIterator[SlackEmulator]:
    """Nobody is told of what is written here: the thread alone is looked at."""
    async with SlackEmulator(subscriptions=()) as emulator:
        emulator.add_user("ada", user_id=ADA)
        emulator.add_user("bob", user_id=BOB)
        emulator.add_channel("general", channel_id=GENERAL, members=[ADA, BOB])
        yield emulator


def _question(slack: SlackEmulator, message: Message) -> SlackQuestion:
    place = Place(slack.identity.team_id, GENERAL, message.thread, ADA)
    return SlackQuestion(Mention(GENERAL, message.thread, ADA, message.text), place, message.ts, "Ev1")


async def test_what_was_said_above_the_question_comes_oldest_first_and_as_its_writers_see_it(
    slack: SlackEmulator, web: Web
):
    root = await slack.post(GENERAL, ADA, "Leave & pay?")
    await web.patient.chat_postMessage(channel=GENERAL, thread_ts=root.ts, text="25 days.")
    await slack.post(GENERAL, BOB, f"<@{slack.bot_user_id}> thanks", thread_ts=root.ts)
    asked = await slack.mention(GENERAL, ADA, "and in Spain?", thread_ts=root.ts)
    await slack.post(GENERAL, BOB, "Too late to be read.", thread_ts=root.ts)

    turns = await earlier_turns(web, _question(slack, asked), bot_user=slack.bot_user_id)
    assert turns == (Turn("user", "Leave & pay?"), Turn("assistant", "25 days."), Turn("user", "thanks"))


async def test_of_a_long_thread_the_last_turns_are_kept(slack: SlackEmulator, web: Web):
    root = await slack.post(GENERAL, ADA, "0")
    for number in range(1, 230):
        await slack.post(GENERAL, BOB, str(number), thread_ts=root.ts)
    asked = await slack.mention(GENERAL, ADA, "so?", thread_ts=root.ts)

    turns = await earlier_turns(web, _question(slack, asked), bot_user=slack.bot_user_id)
    assert [turn.text for turn in turns] == [str(number) for number in range(230 - KEPT, 230)]


async def test_what_could_be_read_of_a_thread_is_used(slack: SlackEmulator, web: Web):
    root = await slack.post(GENERAL, ADA, "0")
    for number in range(1, 230):
        await slack.post(GENERAL, BOB, str(number), thread_ts=root.ts)
    asked = await slack.mention(GENERAL, ADA, "so?", thread_ts=root.ts)
    slack.limit_next("conversations.replies", retry_after=30, after=1)

    turns = await earlier_turns(web, _question(slack, asked), bot_user=slack.bot_user_id)
    assert [turn.text for turn in turns] == [str(number) for number in range(200 - KEPT, 200)]


async def test_a_question_that_begins_its_thread_has_nothing_above_it(slack: SlackEmulator, web: Web):
    asked = await slack.mention(GENERAL, ADA, "so?")
    assert await earlier_turns(web, _question(slack, asked), bot_user=slack.bot_user_id) == ()


async def test_a_long_message_is_cut(slack: SlackEmulator, web: Web):
    root = await slack.post(GENERAL, ADA, "x" * 3_000)
    asked = await slack.mention(GENERAL, ADA, "so?", thread_ts=root.ts)
    (turn,) = await earlier_turns(web, _question(slack, asked), bot_user=slack.bot_user_id)
    assert turn.text == "x" * TURN_CHARS


@pytest.mark.parametrize("error", ["missing_scope", "not_in_channel", "ratelimited", "thread_not_found"])
async def test_a_thread_that_cannot_be_read_has_no_turns(slack: SlackEmulator, web: Web, error: str):
    slack.fail_next("conversations.replies", error=error)
    root = await slack.post(GENERAL, ADA, "We talk about parental leave.")
    asked = await slack.mention(GENERAL, ADA, "how long?", thread_ts=root.ts)
    assert await earlier_turns(web, _question(slack, asked), bot_user=slack.bot_user_id) == ()
