from __future__ import annotations

import asyncio

import pytest

from bot.slack.reply import SlackReply
from rag.types.answers import Outcome
from tests.bot.slack.conftest import GENERAL
from tests.bot.slack.parts import DAYS, an_answer, answers_in, eventually, kinds, said, until_shown
from tests.slack_emulator.message import Message
from tests.slack_emulator.server import SlackEmulator

APOLOGY = "Something failed."


async def test_an_answer_is_streamed_and_ends_with_its_sources(
    slack: SlackEmulator, question: Message, reply: SlackReply
):
    await reply.append("Annual leave ")
    await until_shown(slack, question, "Annual leave")
    await reply.append("is 25 days [1].")
    await reply.finish(an_answer())

    (message,) = answers_in(slack, question)
    assert message.markdown == DAYS
    assert not message.streaming
    assert kinds(message) == ["section"]
    assert [call.method for call in slack.calls if call.method.startswith("chat.")] == [
        "chat.startStream",
        "chat.stopStream",
    ]


async def test_a_status_is_shown_until_the_answer_comes(slack: SlackEmulator, question: Message, reply: SlackReply):
    await reply.progress("Searching …")
    await eventually(lambda: slack.status(GENERAL, question.ts) == "Searching …")
    await reply.finish(an_answer())
    assert slack.status(GENERAL, question.ts) == ""


async def test_an_answer_that_is_ready_at_once_is_posted_in_one_piece(
    slack: SlackEmulator, question: Message, reply: SlackReply
):
    await reply.append(DAYS)
    await reply.finish(an_answer(outcome=Outcome.EXCERPTS))

    (message,) = answers_in(slack, question)
    assert kinds(message) == ["header", "markdown", "context", "section"]
    assert [call.method for call in slack.calls if call.method.startswith("chat.")] == ["chat.postMessage"]
    assert not message.unfurls


async def test_a_reader_who_stops_the_stream_hears_no_more(slack: SlackEmulator, question: Message, reply: SlackReply):
    await reply.append("Annual leave ")
    await slack.stop_stream(await until_shown(slack, question, "Annual leave"))
    await reply.append("is 25 days [1].")
    await reply.finish(an_answer())

    (message,) = answers_in(slack, question)
    assert message.markdown == "Annual leave "
    assert slack.calls_to("chat.update") == slack.calls_to("chat.postMessage") == []


async def test_a_stopped_reply_takes_its_status_away(slack: SlackEmulator, question: Message, reply: SlackReply):
    await reply.progress("Searching …")
    await eventually(lambda: bool(slack.status(GENERAL, question.ts)))
    reply.stop()
    await reply.fail(APOLOGY)
    assert slack.status(GENERAL, question.ts) == ""
    assert answers_in(slack, question) == []


async def test_a_status_that_went_when_the_bot_spoke_is_not_taken_away_once_more(
    slack: SlackEmulator, question: Message, reply: SlackReply
):
    await reply.progress("Searching …")
    await eventually(lambda: slack.status(GENERAL, question.ts) == "Searching …")
    await reply.append("Annual leave ")
    await until_shown(slack, question, "Annual leave")
    await reply.append("is 25 days ")
    await until_shown(slack, question, "25 days")  # by then the first call has come back
    reply.stop()
    await reply.fail(APOLOGY)
    assert slack.status(GENERAL, question.ts) == ""
    assert len(slack.calls_to("assistant.threads.setStatus")) == 1


@pytest.mark.parametrize("streams", [True, False])
async def test_a_long_answer_goes_on_in_further_messages_with_the_sources_on_the_last(
    slack: SlackEmulator, question: Message, reply: SlackReply, streams: bool
):
    if not streams:
        slack.fail_next("chat.startStream", error="unknown_method", times=9)
    text = "\n\n".join(f"{n} " + "word " * 190 for n in range(30))
    for start in range(0, len(text), 2_000):
        await reply.append(text[start : start + 2_000])
        await asyncio.sleep(0.02)
    await reply.finish(an_answer(text))

    messages = answers_in(slack, question)
    assert "".join("".join(map(said, messages)).split()) == "".join(text.split())
    assert [kinds(message).count("section") for message in messages] == [0, 0, 1]
    assert not any(message.streaming for message in messages)
    assert all(len(said(message)) <= 11_500 for message in messages)


async def test_a_fence_that_is_cut_by_the_end_of_a_message_is_opened_again(
    slack: SlackEmulator, question: Message, reply: SlackReply
):
    text = "```py\n" + "x = 1\n" * 3_000 + "```\nDone."
    await reply.append(text)
    await until_shown(slack, question, "x = 1")
    await reply.finish(an_answer(text))

    for message in answers_in(slack, question):
        assert said(message).startswith("```py\n")
        assert sum(line.startswith("```") for line in said(message).split("\n")) == 2


async def test_an_apology_stands_below_what_was_said(slack: SlackEmulator, question: Message, reply: SlackReply):
    await reply.append("Annual leave ")
    await until_shown(slack, question, "Annual leave")
    await reply.append("is")
    await reply.fail(APOLOGY)

    (message,) = answers_in(slack, question)
    assert message.markdown == f"Annual leave is\n\n{APOLOGY}"
    assert not message.streaming


async def test_an_apology_comes_alone_when_nothing_was_said(slack: SlackEmulator, question: Message, reply: SlackReply):
    await reply.fail(APOLOGY)
    (message,) = answers_in(slack, question)
    assert said(message) == APOLOGY


async def test_an_apology_that_breaks_off_code_is_no_code(slack: SlackEmulator, question: Message, reply: SlackReply):
    await reply.append("```\nx = 1\n")
    await until_shown(slack, question, "x = 1")
    await reply.fail(APOLOGY)
    (message,) = answers_in(slack, question)
    assert message.markdown == f"```\nx = 1\n```\n\n{APOLOGY}"


async def test_a_hostile_answer_pings_nobody_and_looks_nothing_up(
    slack: SlackEmulator, question: Message, reply: SlackReply
):
    for piece in (
        "<!chan",
        "nel> <@U0A",
        "DA> [x](https://evil",
        ".example/?q=1) @here ![](https://evil.example/p.png)",
    ):
        await reply.append(piece)
    await until_shown(slack, question, "x")
    await reply.fail("<!here> [y](https://evil.example)")

    assert not slack.pinged()
    assert slack.unfurled() == ()
