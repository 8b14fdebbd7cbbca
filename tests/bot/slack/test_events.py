from __future__ import annotations

from typing import Any

import pytest

from bot.conversation import Mention
from bot.slack.events import asked, commanded, plain_text, stopped

BOT = "U0BOT"


def _delivery(**event: Any) -> dict[str, Any]:
    told = {"type": "app_mention", "channel": "C1", "user": "U1", "text": "<@U0BOT> leave?", "ts": "10.1"} | event
    return {"team_id": "T1", "event_id": "Ev1", "event": told}


def test_a_mention_in_a_channel_is_a_question():
    question = asked(_delivery(), bot_user=BOT)
    assert question is not None
    assert question.mention == Mention(channel="C1", thread="T1/C1/10.1", user="U1", text="leave?")
    assert question.keys == ("Ev1", "T1/C1/10.1/10.1")
    assert not question.is_follow_up


def test_a_mention_in_a_thread_belongs_to_that_thread():
    question = asked(_delivery(thread_ts="9.9"), bot_user=BOT)
    assert question is not None
    assert question.mention.thread == "T1/C1/9.9"
    assert question.place.thread_ts == "9.9"
    assert question.is_follow_up


def test_a_guest_from_another_workspace_is_answered_as_one():
    question = asked(_delivery(user_team="T2", team="T2"), bot_user=BOT)
    assert question is not None
    assert question.place.team == "T2"
    assert question.mention.thread == "T1/C1/10.1"


def test_a_direct_message_is_a_question_without_a_mention():
    question = asked(_delivery(type="message", channel="D1", channel_type="im", text="leave?"), bot_user=BOT)
    assert question is not None and question.mention.direct


def test_a_direct_message_that_mentions_the_bot_is_the_same_question_twice():
    one = asked(_delivery(type="message", channel="D1", channel_type="im"), bot_user=BOT)
    other = asked(_delivery(type="app_mention", channel="D1"), bot_user=BOT)
    assert one == other


def test_a_guest_is_the_same_question_whether_or_not_the_event_names_their_workspace():
    one = asked(_delivery(user_team="T2"), bot_user=BOT)
    other = asked(_delivery(), bot_user=BOT)
    assert one is not None and other is not None
    assert one.keys == other.keys


def test_a_mention_without_words_is_an_empty_question():
    question = asked(_delivery(text="<@U0BOT>"), bot_user=BOT)
    assert question is not None and question.mention.text == ""


def test_a_question_with_a_file_is_still_a_question():
    assert asked(_delivery(subtype="file_share"), bot_user=BOT) is not None


@pytest.mark.parametrize(
    "event",
    [
        {"type": "message", "channel_type": "channel"},
        {"type": "message", "channel_type": "mpim", "channel": "G1"},
        {"bot_id": "B1"},
        {"user": BOT},
        {"user": None},
        {"subtype": "bot_message"},
        {"subtype": "channel_join"},
        {"edited": {"ts": "10.2"}},
        {"type": "message", "channel_type": "im", "channel": "D1", "subtype": "message_changed", "hidden": True},
        {"type": "message", "channel_type": "im", "channel": "D1", "subtype": "message_deleted", "hidden": True},
        {"type": "message", "channel_type": "im", "channel": "D1", "bot_profile": {"id": "B9"}},
    ],
)
def test_what_nobody_asked_is_no_question(event: dict[str, Any]):
    assert asked(_delivery(**event), bot_user=BOT) is None


def test_a_delivery_without_an_event_is_no_question():
    assert asked({"team_id": "T1"}, bot_user=BOT) is None


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("<@U0BOT> what is &lt;b&gt; &amp; why?", "what is <b> & why?"),
        ("hello <@U0BOT|footnote>, leave?", "hello , leave?"),
        ("ask <@U2|ann> or <@U3>", "ask @ann or"),
        ("in <#C9|general> and <#C8|>", "in #general and"),
        ("<!here> and <!subteam^S1|@hr> and <!date^1^{date}|1 May>", "@here and @hr and 1 May"),
        ("read <https://a.example/x|the page> at <https://a.example>", "read the page at https://a.example"),
        ("<mailto:ann@a.example|ann@a.example>", "ann@a.example"),
        ("  two\nlines   of text ", "two\nlines of text"),
        ("&amp;lt;", "&lt;"),
    ],
)
def test_a_question_is_read_as_its_writer_sees_it(written: str, read: str):
    assert plain_text(written, bot_user=BOT) == read


def test_each_slash_command_is_a_thread_of_its_own():
    body = {"team_id": "T1", "channel_id": "C1", "user_id": "U1", "text": "leave &amp; pay?"}
    one = commanded(body | {"trigger_id": "1"}, bot_user=BOT)
    other = commanded(body | {"trigger_id": "2"}, bot_user=BOT)
    assert one.text == "leave & pay?"
    assert one.thread != other.thread
    assert not one.direct
    assert commanded(body | {"channel_id": "D1"}, bot_user=BOT).direct


def test_stopping_names_the_thread_of_the_question():
    question = asked(_delivery(thread_ts="9.9"), bot_user=BOT)
    event = {"type": "agent_session_stopped", "channel": "C1", "thread_ts": "9.9"}
    assert question is not None
    assert stopped({"team_id": "T1", "event": event}) == question.mention.thread
