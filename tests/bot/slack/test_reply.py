from __future__ import annotations

import asyncio

import pytest
from slack_sdk.errors import SlackApiError

from bot.slack.events import Place
from bot.slack.reply import SlackReply
from bot.slack.web import Web
from rag.types import Outcome
from tests.bot.slack.conftest import GENERAL
from tests.bot.slack.parts import DAYS, PageLinks, an_answer, eventually
from tests.slack_emulator.message import Message
from tests.slack_emulator.server import SlackEmulator

APOLOGY = "Something failed."


@pytest.fixture
def reply(web: Web, place: Place) -> SlackReply:
    return SlackReply(web, place, PageLinks(), pace=0.0)


async def _until_shown(slack: SlackEmulator, question: Message, text: str) -> Message:
    def shown() -> list[Message]:
        return [message for message in _answers(slack, question) if text in _said(message)]

    await slack.until(lambda: bool(shown()), what=repr(text))
    return shown()[0]


def _said(message: Message) -> str:
    """The answer's text, streamed or in blocks."""
    return message.markdown + "\n".join(block["text"] for block in message.blocks if block["type"] == "markdown")


def _answers(slack: SlackEmulator, question: Message) -> list[Message]:
    return [message for message in slack.thread(GENERAL, question.ts) if message.from_app]


def _kinds(message: Message) -> list[str]:
    return [block["type"] for block in message.blocks]


async def test_an_answer_is_streamed_and_ends_with_its_sources(
    slack: SlackEmulator, question: Message, reply: SlackReply
):
    await reply.append("Annual leave ")
    await _until_shown(slack, question, "Annual leave")
    await reply.append("is 25 days [1].")
    await reply.finish(an_answer())

    (message,) = _answers(slack, question)
    assert message.markdown == DAYS
    assert not message.streaming
    assert _kinds(message) == ["section"]
    assert [call.method for call in slack.calls if call.method.startswith("chat.")] == [
        "chat.startStream",
        "chat.stopStream",
    ]


async def test_a_status_is_shown_until_the_answer_comes(slack: SlackEmulator, question: Message, reply: SlackReply):
    await reply.progress("Searching …")
    await eventually(lambda: slack.status(GENERAL, question.ts) == "Searching …")
    await reply.finish(an_answer())
    assert slack.status(GENERAL, question.ts) == ""


async def test_a_refused_status_harms_nothing(slack: SlackEmulator, question: Message, reply: SlackReply):
    slack.fail_next("assistant.threads.setStatus", error="missing_scope")
    await reply.progress("Searching …")
    await eventually(lambda: bool(slack.calls_to("assistant.threads.setStatus")))
    await reply.finish(an_answer())
    assert DAYS in _said(_answers(slack, question)[0])


async def test_an_answer_that_is_ready_at_once_is_posted_in_one_piece(
    slack: SlackEmulator, question: Message, reply: SlackReply
):
    await reply.append(DAYS)
    await reply.finish(an_answer(outcome=Outcome.EXCERPTS))

    (message,) = _answers(slack, question)
    assert _kinds(message) == ["header", "markdown", "context", "section"]
    assert [call.method for call in slack.calls if call.method.startswith("chat.")] == ["chat.postMessage"]
    assert not message.unfurls


@pytest.mark.parametrize("error", ["unknown_method", "ratelimited", "feature_not_enabled"])
async def test_without_streams_the_message_is_posted_and_updated(
    slack: SlackEmulator, question: Message, reply: SlackReply, error: str
):
    slack.fail_next("chat.startStream", error=error, times=9)
    await reply.append("Annual leave ")
    await _until_shown(slack, question, "Annual leave")
    await reply.append("is 25 days [1].")
    await _until_shown(slack, question, "25 days")
    await reply.finish(an_answer())

    (message,) = _answers(slack, question)
    assert _said(message) == DAYS
    assert _kinds(message) == ["markdown", "section"]
    assert not message.unfurls
    assert len(slack.calls_to("chat.startStream")) == 1


async def test_a_stream_that_has_died_is_finished_by_an_update(
    slack: SlackEmulator, question: Message, reply: SlackReply
):
    await reply.append("Annual leave ")
    await _until_shown(slack, question, "Annual leave")
    slack.expire_streams()
    await reply.append("is 25 days [1].")
    await reply.finish(an_answer())

    (message,) = _answers(slack, question)
    assert "25 days [1]." in _said(message)
    assert _kinds(message) == ["markdown", "section"]


async def test_a_stream_that_refuses_more_text_is_ended_before_the_update(
    slack: SlackEmulator, question: Message, reply: SlackReply
):
    slack.fail_next("chat.appendStream", error="internal_error")
    await reply.append("Annual leave ")
    await _until_shown(slack, question, "Annual leave")
    await reply.append("is 25 days ")
    await eventually(lambda: bool(slack.calls_to("chat.update")))
    await reply.append("[1].")
    await reply.finish(an_answer())

    (message,) = _answers(slack, question)
    assert not message.streaming
    assert DAYS in _said(message)


async def test_text_whose_arrival_is_unknown_is_said_once(slack: SlackEmulator, question: Message, reply: SlackReply):
    slack.lose_next_reply("chat.appendStream")
    await reply.append("Annual leave ")
    await _until_shown(slack, question, "Annual leave")
    await reply.append("is 25 ")
    await eventually(lambda: bool(slack.calls_to("chat.update")))
    await reply.append("days [1].")
    await reply.finish(an_answer())

    (message,) = _answers(slack, question)
    assert not message.streaming
    assert "".join(block["text"] for block in message.blocks if block["type"] == "markdown") == DAYS


async def test_a_rate_limit_on_more_text_only_delays_it(slack: SlackEmulator, question: Message, reply: SlackReply):
    slack.limit_next("chat.appendStream", retry_after=30)
    await reply.append("Annual leave ")
    await _until_shown(slack, question, "Annual leave")
    await reply.append("is 25 ")
    await eventually(lambda: bool(slack.calls_to("chat.appendStream")))
    await reply.append("days [1].")
    await reply.finish(an_answer())

    (message,) = _answers(slack, question)
    assert message.markdown == DAYS
    assert slack.calls_to("chat.update") == []


async def test_a_reader_who_stops_the_stream_hears_no_more(slack: SlackEmulator, question: Message, reply: SlackReply):
    await reply.append("Annual leave ")
    await slack.stop_stream(await _until_shown(slack, question, "Annual leave"))
    await reply.append("is 25 days [1].")
    await reply.finish(an_answer())

    (message,) = _answers(slack, question)
    assert message.markdown == "Annual leave "
    assert slack.calls_to("chat.update") == slack.calls_to("chat.postMessage") == []


async def test_a_stopped_reply_takes_its_status_away(slack: SlackEmulator, question: Message, reply: SlackReply):
    await reply.progress("Searching …")
    await eventually(lambda: bool(slack.status(GENERAL, question.ts)))
    reply.stop()
    await reply.fail(APOLOGY)
    assert slack.status(GENERAL, question.ts) == ""
    assert _answers(slack, question) == []


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

    messages = _answers(slack, question)
    assert "".join("".join(map(_said, messages)).split()) == "".join(text.split())
    assert [_kinds(message).count("section") for message in messages] == [0, 0, 1]
    assert not any(message.streaming for message in messages)
    assert all(len(_said(message)) <= 11_500 for message in messages)


async def test_a_fence_that_is_cut_by_the_end_of_a_message_is_opened_again(
    slack: SlackEmulator, question: Message, reply: SlackReply
):
    text = "```py\n" + "x = 1\n" * 3_000 + "```\nDone."
    await reply.append(text)
    await _until_shown(slack, question, "x = 1")
    await reply.finish(an_answer(text))

    for message in _answers(slack, question):
        assert _said(message).startswith("```py\n")
        assert sum(line.startswith("```") for line in _said(message).split("\n")) == 2


async def test_an_apology_stands_below_what_was_said(slack: SlackEmulator, question: Message, reply: SlackReply):
    await reply.append("Annual leave ")
    await _until_shown(slack, question, "Annual leave")
    await reply.append("is")
    await reply.fail(APOLOGY)

    (message,) = _answers(slack, question)
    assert message.markdown == f"Annual leave is\n\n{APOLOGY}"
    assert not message.streaming


async def test_an_apology_comes_alone_when_nothing_was_said(slack: SlackEmulator, question: Message, reply: SlackReply):
    await reply.fail(APOLOGY)
    (message,) = _answers(slack, question)
    assert _said(message) == APOLOGY


async def test_an_apology_that_breaks_off_code_is_no_code(slack: SlackEmulator, question: Message, reply: SlackReply):
    await reply.append("```\nx = 1\n")
    await _until_shown(slack, question, "x = 1")
    await reply.fail(APOLOGY)
    (message,) = _answers(slack, question)
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
    await _until_shown(slack, question, "x")
    await reply.fail("<!here> [y](https://evil.example)")

    assert not slack.pinged()
    assert slack.unfurled() == ()


async def test_a_message_that_may_not_be_edited_any_more_is_followed_by_the_whole_answer(
    slack: SlackEmulator, question: Message, reply: SlackReply
):
    await reply.append("Annual leave ")
    await _until_shown(slack, question, "Annual leave")
    slack.expire_streams()
    slack.fail_next("chat.update", error="edit_window_closed", times=9)
    await reply.append("is 25 days [1].")
    await reply.finish(an_answer())

    *_, last = _answers(slack, question)
    assert _said(last) == DAYS
    assert _kinds(last) == ["markdown", "section"]


async def test_an_apology_that_slack_refused_is_made_once(slack: SlackEmulator, question: Message, reply: SlackReply):
    slack.fail_next("chat.postMessage", error="restricted_action")
    with pytest.raises(SlackApiError, match="restricted_action"):
        await reply.fail(APOLOGY)
    await reply.fail("Something else failed.")
    (message,) = _answers(slack, question)
    assert _said(message) == APOLOGY


async def test_an_answer_that_slack_refused_is_kept_above_the_apology(
    slack: SlackEmulator, question: Message, reply: SlackReply
):
    await reply.append(DAYS)
    slack.fail_next("chat.postMessage", error="invalid_blocks")
    with pytest.raises(SlackApiError, match="invalid_blocks"):
        await reply.finish(an_answer())
    await reply.fail(APOLOGY)
    (message,) = _answers(slack, question)
    assert _said(message) == f"{DAYS}\n\n{APOLOGY}"


async def test_an_answer_of_which_slack_took_only_the_beginning_is_not_said_twice(
    slack: SlackEmulator, question: Message, reply: SlackReply
):
    text = "word " * 4_000
    await reply.append(text)
    slack.fail_next("chat.postMessage", error="restricted_action", after=1)
    with pytest.raises(SlackApiError, match="restricted_action"):
        await reply.finish(an_answer(text))
    await reply.fail(APOLOGY)
    beginning, apology = _answers(slack, question)
    assert _said(beginning).startswith("word word")
    assert _said(apology) == APOLOGY


async def test_what_slack_refuses_in_the_end_is_raised(slack: SlackEmulator, question: Message, reply: SlackReply):
    slack.remove_bot(GENERAL)
    with pytest.raises(SlackApiError, match="not_in_channel"):
        await reply.finish(an_answer())


async def test_a_rate_limit_on_the_final_message_is_waited_out(
    slack: SlackEmulator, question: Message, reply: SlackReply
):
    slack.limit_next("chat.postMessage", retry_after=0)
    await reply.finish(an_answer())
    (message,) = _answers(slack, question)
    assert DAYS in _said(message)
