from __future__ import annotations

import pytest
from slack_sdk.errors import SlackApiError

from bot.slack.reply import SlackReply
from tests.bot.slack.conftest import GENERAL
from tests.bot.slack.parts import DAYS, an_answer, answers_in, eventually, kinds, said, until_shown
from tests.slack_emulator.message import Message
from tests.slack_emulator.server import SlackEmulator

APOLOGY = "Something failed."


async def test_a_refused_status_harms_nothing(slack: SlackEmulator, question: Message, reply: SlackReply):
    slack.fail_next("assistant.threads.setStatus", error="missing_scope")
    await reply.progress("Searching …")
    await eventually(lambda: bool(slack.calls_to("assistant.threads.setStatus")))
    await reply.finish(an_answer())
    assert DAYS in said(answers_in(slack, question)[0])


@pytest.mark.parametrize("error", ["unknown_method", "ratelimited", "feature_not_enabled"])
async def test_without_streams_the_message_is_posted_and_updated(
    slack: SlackEmulator, question: Message, reply: SlackReply, error: str
):
    slack.fail_next("chat.startStream", error=error, times=9)
    await reply.append("Annual leave ")
    await until_shown(slack, question, "Annual leave")
    await reply.append("is 25 days [1].")
    await until_shown(slack, question, "25 days")
    await reply.finish(an_answer())

    (message,) = answers_in(slack, question)
    assert said(message) == DAYS
    assert kinds(message) == ["markdown", "section"]
    assert not message.unfurls
    assert len(slack.calls_to("chat.startStream")) == 1


async def test_a_stream_that_has_died_is_finished_by_an_update(
    slack: SlackEmulator, question: Message, reply: SlackReply
):
    await reply.append("Annual leave ")
    await until_shown(slack, question, "Annual leave")
    slack.expire_streams()
    await reply.append("is 25 days [1].")
    await reply.finish(an_answer())

    (message,) = answers_in(slack, question)
    assert "25 days [1]." in said(message)
    assert kinds(message) == ["markdown", "section"]


async def test_a_stream_that_refuses_more_text_is_ended_before_the_update(
    slack: SlackEmulator, question: Message, reply: SlackReply
):
    slack.fail_next("chat.appendStream", error="internal_error")
    await reply.append("Annual leave ")
    await until_shown(slack, question, "Annual leave")
    await reply.append("is 25 days ")
    await eventually(lambda: bool(slack.calls_to("chat.update")))
    await reply.append("[1].")
    await reply.finish(an_answer())

    (message,) = answers_in(slack, question)
    assert not message.streaming
    assert DAYS in said(message)


async def test_text_whose_arrival_is_unknown_is_said_once(slack: SlackEmulator, question: Message, reply: SlackReply):
    slack.lose_next_reply("chat.appendStream")
    await reply.append("Annual leave ")
    await until_shown(slack, question, "Annual leave")
    await reply.append("is 25 ")
    await eventually(lambda: bool(slack.calls_to("chat.update")))
    await reply.append("days [1].")
    await reply.finish(an_answer())

    (message,) = answers_in(slack, question)
    assert not message.streaming
    assert "".join(block["text"] for block in message.blocks if block["type"] == "markdown") == DAYS


async def test_a_rate_limit_on_more_text_only_delays_it(slack: SlackEmulator, question: Message, reply: SlackReply):
    slack.limit_next("chat.appendStream", retry_after=30)
    await reply.append("Annual leave ")
    await until_shown(slack, question, "Annual leave")
    await reply.append("is 25 ")
    await eventually(lambda: bool(slack.calls_to("chat.appendStream")))
    await reply.append("days [1].")
    await reply.finish(an_answer())

    (message,) = answers_in(slack, question)
    assert message.markdown == DAYS
    assert slack.calls_to("chat.update") == []


async def test_a_message_that_may_not_be_edited_any_more_is_followed_by_the_whole_answer(
    slack: SlackEmulator, question: Message, reply: SlackReply
):
    await reply.append("Annual leave ")
    await until_shown(slack, question, "Annual leave")
    slack.expire_streams()
    slack.fail_next("chat.update", error="edit_window_closed", times=9)
    await reply.append("is 25 days [1].")
    await reply.finish(an_answer())

    *_, last = answers_in(slack, question)
    assert said(last) == DAYS
    assert kinds(last) == ["markdown", "section"]


async def test_an_apology_that_slack_refused_is_made_once(slack: SlackEmulator, question: Message, reply: SlackReply):
    slack.fail_next("chat.postMessage", error="restricted_action")
    with pytest.raises(SlackApiError, match="restricted_action"):
        await reply.fail(APOLOGY)
    await reply.fail("Something else failed.")
    (message,) = answers_in(slack, question)
    assert said(message) == APOLOGY


async def test_an_answer_that_slack_refused_is_kept_above_the_apology(
    slack: SlackEmulator, question: Message, reply: SlackReply
):
    await reply.append(DAYS)
    slack.fail_next("chat.postMessage", error="invalid_blocks")
    with pytest.raises(SlackApiError, match="invalid_blocks"):
        await reply.finish(an_answer())
    await reply.fail(APOLOGY)
    (message,) = answers_in(slack, question)
    assert said(message) == f"{DAYS}\n\n{APOLOGY}"


async def test_an_answer_of_which_slack_took_only_the_beginning_is_not_said_twice(
    slack: SlackEmulator, question: Message, reply: SlackReply
):
    text = "word " * 4_000
    await reply.append(text)
    slack.fail_next("chat.postMessage", error="restricted_action", after=1)
    with pytest.raises(SlackApiError, match="restricted_action"):
        await reply.finish(an_answer(text))
    await reply.fail(APOLOGY)
    beginning, apology = answers_in(slack, question)
    assert said(beginning).startswith("word word")
    assert said(apology) == APOLOGY


async def test_what_slack_refuses_in_the_end_is_raised(slack: SlackEmulator, question: Message, reply: SlackReply):
    slack.remove_bot(GENERAL)
    with pytest.raises(SlackApiError, match="not_in_channel"):
        await reply.finish(an_answer())


async def test_a_rate_limit_on_the_final_message_is_waited_out(
    slack: SlackEmulator, question: Message, reply: SlackReply
):
    slack.limit_next("chat.postMessage", retry_after=0)
    await reply.finish(an_answer())
    (message,) = answers_in(slack, question)
    assert DAYS in said(message)
