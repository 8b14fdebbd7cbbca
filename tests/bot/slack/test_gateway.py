from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from aiohttp import web as http

from bot.slack.gateway import EVENTS_PATH
from rag.types.answers import Turn
from tests.bot.slack.conftest import ADA, GENERAL, Connect
from tests.bot.slack.parts import (
    DAYS,
    DeadCache,
    ScriptedAnswers,
    ready,
    said,
)
from tests.slack_emulator.server import SlackEmulator


@pytest.fixture(params=["socket", "http"])
async def answers(
    request: pytest.FixtureRequest, slack: SlackEmulator, connect: Connect
) -> AsyncIterator[ScriptedAnswers]:
    """A connected bot that always knows its answer, by each way of delivery."""
    scripted = ready()
    if request.param == "socket":
        await connect(scripted)
        yield scripted
        return
    gateway = await connect(scripted, app_token=None)
    app = http.Application()
    app.add_routes(gateway.routes())
    runner = http.AppRunner(app)
    await runner.setup()
    await http.TCPSite(runner, "127.0.0.1", 0).start()
    await slack.deliver_to(f"http://127.0.0.1:{runner.addresses[0][1]}{EVENTS_PATH}")
    yield scripted
    await runner.cleanup()


async def test_a_mention_is_answered_in_its_thread_once(slack: SlackEmulator, answers: ScriptedAnswers):
    question = await slack.mention(GENERAL, ADA, "How many &amp; why?")
    thread = await slack.settled_thread(GENERAL, question.ts)
    await slack.delivered()

    assert said(*thread[1:]) == DAYS
    assert len(answers.asked) == 1
    assert len(slack.events("message")) >= len(slack.events("app_mention")) == 1


async def test_a_direct_message_that_names_the_bot_is_answered_once(slack: SlackEmulator, answers: ScriptedAnswers):
    question = await slack.direct_message(ADA, f"<@{slack.bot_user_id}> leave?")
    thread = await slack.settled_thread(question.channel, question.ts)
    await slack.delivered()

    assert said(*thread[1:]) == DAYS
    assert [asked for asked, _, _ in answers.asked] == ["leave?"]


async def test_what_is_delivered_again_is_not_answered_again(slack: SlackEmulator, answers: ScriptedAnswers):
    question = await slack.mention(GENERAL, ADA, "leave?")
    await slack.settled_thread(GENERAL, question.ts)
    slack.redeliver(slack.events("app_mention")[0])
    await slack.until(lambda: len(slack.events("app_mention")[0].attempts) == 2, what="the second delivery")
    await slack.delivered()
    other = await slack.mention(GENERAL, ADA, "pay?")
    await slack.settled_thread(GENERAL, other.ts)

    assert [question for question, _, _ in answers.asked] == ["leave?", "pay?"]
    assert len(slack.thread(GENERAL, question.ts)) == 2


async def test_talk_that_does_not_name_the_bot_is_left_alone(slack: SlackEmulator, answers: ScriptedAnswers):
    message = await slack.post(GENERAL, ADA, "How many days?")
    edited = await slack.edit(message, "How many days of leave?")
    await slack.delete(edited)
    await slack.delivered()
    assert answers.asked == []


async def test_everything_that_the_app_subscribes_to_is_acknowledged(slack: SlackEmulator, answers: ScriptedAnswers):
    await slack.open_app(ADA)
    for event in ("app_context_changed", "app_uninstalled", "tokens_revoked", "agent_session_stopped"):
        await slack.publish({"type": event, "user": ADA, "channel": GENERAL, "thread_ts": "1.1", "event_ts": "1.2"})
    await slack.delivered()

    assert len(slack.deliveries) == 5
    assert all(len(delivery.attempts) == 1 for delivery in slack.deliveries)
    assert answers.asked == []


async def test_a_slash_command_is_answered_in_private_and_shared_on_demand(
    slack: SlackEmulator, answers: ScriptedAnswers
):
    delivery = await slack.slash("/ask", GENERAL, ADA, "leave?")
    *_, private = await slack.settled_ephemeral(ADA, count=2)
    assert delivery.acknowledged
    assert said(private) == DAYS
    assert [message for message in slack.messages if message.ephemeral_to is None] == []

    await slack.click(private, "share_answer", ADA)
    *_, told = await slack.settled_ephemeral(ADA, count=3)
    (public,) = [message for message in slack.messages if message.ephemeral_to is None]
    assert told.text == ":white_check_mark: Shared in the channel."
    assert public.blocks[0]["elements"][0]["text"] == f"<@{ADA}> asked: leave?"
    assert said(public) == DAYS
    assert not public.unfurls


async def test_a_follow_up_remembers_and_a_late_call_reads_the_thread(slack: SlackEmulator, answers: ScriptedAnswers):
    first = await slack.post(GENERAL, ADA, "We talk about parental leave.")
    await slack.mention(GENERAL, ADA, "how long?", thread_ts=first.ts)
    await slack.settled_thread(GENERAL, first.ts)
    await slack.mention(GENERAL, ADA, "and in Spain?", thread_ts=first.ts)
    await slack.settled_thread(GENERAL, first.ts)

    histories = [history for _, history, _ in answers.asked]
    assert histories[0] == (Turn("user", "We talk about parental leave."),)
    assert histories[1] == (Turn("user", "how long?"), Turn("assistant", DAYS))


async def test_a_thread_that_may_not_be_read_is_answered_all_the_same(slack: SlackEmulator, answers: ScriptedAnswers):
    slack.fail_next("conversations.replies", error="missing_scope")
    first = await slack.post(GENERAL, ADA, "We talk about parental leave.")
    await slack.mention(GENERAL, ADA, "how long?", thread_ts=first.ts)
    await slack.settled_thread(GENERAL, first.ts)
    assert [history for _, history, _ in answers.asked] == [()]


async def test_without_a_cache_a_delivery_and_a_message_still_count_once(slack: SlackEmulator, connect: Connect):
    answers = ready()
    await connect(answers, store=DeadCache())
    question = await slack.mention(GENERAL, ADA, "leave?")
    await slack.settled_thread(GENERAL, question.ts)
    (delivery,) = slack.events("app_mention")
    slack.redeliver(delivery)
    await slack.publish(dict(delivery.event))  # the same message as another event
    await slack.until(lambda: len(slack.events("app_mention")[0].attempts) == 2, what="the second delivery")
    await slack.delivered()
    other = await slack.mention(GENERAL, ADA, "pay?")
    await slack.settled_thread(GENERAL, other.ts)

    assert [asked for asked, _, _ in answers.asked] == ["leave?", "pay?"]


async def test_two_bots_with_one_cache_answer_once(slack: SlackEmulator, connect: Connect):
    one, other = ready(), ready()
    await connect(one)
    await connect(other)
    await slack.wait_connected(2)
    for _ in range(4):
        question = await slack.direct_message(ADA, f"<@{slack.bot_user_id}> leave?")
        await slack.settled_thread(question.channel, question.ts)
    await slack.delivered()
    assert len(one.asked) + len(other.asked) == 4
