"""Watching: a thread that settles, one that does not, and how it reads."""

from __future__ import annotations

import asyncio

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from tests.slack_emulator.answers import answer
from tests.slack_emulator.conftest import ADA, GENERAL
from tests.slack_emulator.payload import Json
from tests.slack_emulator.server import SlackEmulator


async def test_a_thread_settles_when_its_stream_has_stopped(slack: SlackEmulator, client: AsyncWebClient):
    question = await slack.direct_message(ADA, "when?")
    stream = await client.chat_stream(channel=question.channel, thread_ts=question.ts, buffer_size=1)
    await stream.append(markdown_text="It is ")

    waiting = asyncio.create_task(slack.settled_thread(question.channel, question.ts, quiet=0.05))
    await asyncio.sleep(0.15)
    early = waiting.done()
    await stream.stop(markdown_text="tomorrow.")
    thread = await waiting

    assert not early
    assert [message.body for message in thread] == ["when?", "It is tomorrow."]


async def test_a_thread_with_a_status_is_not_settled(slack: SlackEmulator, client: AsyncWebClient):
    question = await slack.mention(GENERAL, ADA, "when?")
    await client.chat_postMessage(channel=GENERAL, thread_ts=question.ts, text="one moment")
    await client.assistant_threads_setStatus(channel_id=GENERAL, thread_ts=question.ts, status="is searching…")

    with pytest.raises(TimeoutError, match="one moment"):
        await slack.settled_thread(GENERAL, question.ts, timeout=0.2, quiet=0.05)


async def test_a_thread_without_an_answer_is_shown_in_the_error(slack: SlackEmulator):
    question = await slack.mention(GENERAL, ADA, "anybody?")

    with pytest.raises(TimeoutError, match=r"Ada Lovelace .*\n@footnote anybody\?"):
        await slack.settled_thread(GENERAL, question.ts, timeout=0.1)


async def test_a_thread_reads_as_a_member_sees_it(slack: SlackEmulator, client: AsyncWebClient):
    question = await slack.mention(GENERAL, ADA, "is a < b in <#C0GENERAL>?")
    link = "http://127.0.0.1/files/a.pdf#page=3"
    blocks: list[Json] = [
        {"type": "markdown", "text": f"Yes [1]({link}), R&amp;D says."},
        {"type": "divider"},
        {"type": "context", "elements": [{"type": "mrkdwn", "text": f"*Sources* 1 · <{link}|Handbook, p. 3>"}]},
        {
            "type": "rich_text",
            "elements": [
                {
                    "type": "rich_text_section",
                    "elements": [{"type": "text", "text": "see "}, {"type": "citation", "url": link, "text": "p. 3"}],
                }
            ],
        },
        {
            "type": "actions",
            "elements": [{"type": "button", "action_id": "x", "text": {"type": "plain_text", "text": "More"}}],
        },
    ]
    posted = await answer(
        client.chat_postMessage(channel=GENERAL, thread_ts=question.ts, text="for the phone", blocks=blocks)
    )
    await client.reactions_add(channel=GENERAL, timestamp=posted["ts"], name="eyes")

    lines = [line.strip() for line in slack.rendered(GENERAL, question.ts).splitlines()]

    assert lines[1] == "@footnote is a < b in #general?"
    assert lines[4:] == [
        f"Yes 1 ({link}), R&D says.",
        "─" * 24,
        f"*Sources* 1 · Handbook, p. 3 ({link})",
        f"see p. 3 ({link})",
        "[ More ]",
        ":eyes:",
    ]


async def test_a_running_and_a_broken_stream_look_like_it(slack: SlackEmulator, client: AsyncWebClient):
    question = await slack.direct_message(ADA, "when?")
    task: Json = {"type": "task_update", "id": "1", "title": "Searching", "status": "in_progress"}
    text: Json = {"type": "markdown_text", "text": "It is"}
    await client.chat_startStream(channel=question.channel, thread_ts=question.ts, chunks=[task, text])

    running = slack.rendered(question.channel, question.ts)
    slack.skip(300)
    broken = slack.rendered(question.channel, question.ts)

    assert [line.strip() for line in running.splitlines()[-3:]] == ["◐ Searching", "It is", "…"]
    assert broken.splitlines()[-1].strip() == "(Something went wrong: the stream ended.)"
