"""Streams: where they begin, what they take, and how they end."""

from __future__ import annotations

import pytest
from slack_sdk.models.messages.chunk import Chunk, PlanUpdateChunk, TaskUpdateChunk
from slack_sdk.web.async_chat_stream import AsyncChatStream
from slack_sdk.web.async_client import AsyncWebClient

from tests.slack_emulator.answers import answer, refusal
from tests.slack_emulator.conftest import ADA, GENERAL
from tests.slack_emulator.message import Message, StreamState
from tests.slack_emulator.payload import Json
from tests.slack_emulator.server import SlackEmulator


async def _start(slack: SlackEmulator, client: AsyncWebClient, **changes: str) -> tuple[Message, Json]:
    """A question, and the answer to having started a stream below it."""
    question = await slack.mention(GENERAL, ADA, "when?")
    arguments = {
        "channel": GENERAL,
        "thread_ts": question.ts,
        "recipient_user_id": ADA,
        "recipient_team_id": slack.identity.team_id,
        "markdown_text": "It ",
        **changes,
    }
    given = {name: value for name, value in arguments.items() if value}
    return question, await answer(client.api_call("chat.startStream", json=given))


async def _sdk_stream(slack: SlackEmulator, client: AsyncWebClient) -> AsyncChatStream:
    question = await slack.mention(GENERAL, ADA, "when?")
    return await client.chat_stream(
        channel=GENERAL, thread_ts=question.ts, recipient_user_id=ADA, recipient_team_id=slack.identity.team_id
    )


async def test_a_stream_grows_and_stops_with_blocks_below_it(slack: SlackEmulator, client: AsyncWebClient):
    question, started = await _start(slack, client)
    await client.chat_appendStream(channel=GENERAL, ts=started["ts"], markdown_text="is ")
    growing = slack.message(GENERAL, started["ts"])
    await client.chat_stopStream(
        channel=GENERAL, ts=started["ts"], markdown_text="**tomorrow**.", blocks=[{"type": "divider"}]
    )
    finished = slack.message(GENERAL, started["ts"])

    assert (growing.markdown, growing.streaming, growing.thread_ts) == ("It is ", True, question.ts)
    assert (finished.markdown, finished.streaming) == ("It is **tomorrow**.", False)
    assert finished.blocks == ({"type": "divider"},)


async def test_the_sdk_streams_text_tasks_and_plan(slack: SlackEmulator, client: AsyncWebClient):
    stream = await _sdk_stream(slack, client)
    searching = TaskUpdateChunk(id="1", title="Searching", status="in_progress")
    found: list[dict[str, object] | Chunk] = [
        TaskUpdateChunk(id="1", title="Found 3 passages", status="complete"),
        PlanUpdateChunk(title="Reading"),
    ]

    await stream.append(chunks=[searching])
    await stream.append(markdown_text="x" * 300)
    await stream.append(chunks=found)
    await stream.stop(markdown_text="!")

    message = slack.message(GENERAL, str(stream.ts))
    assert message.markdown == "x" * 300 + "!"
    assert [(task["title"], task["status"]) for task in message.tasks] == [("Found 3 passages", "complete")]
    assert message.plan == "Reading"


@pytest.mark.parametrize("name", ["recipient_user_id", "recipient_team_id"])
async def test_a_stream_in_a_channel_names_its_recipient(slack: SlackEmulator, client: AsyncWebClient, name: str):
    assert (await refusal(_start(slack, client, **{name: ""}))).error == f"missing_{name}"


async def test_recipients_must_exist(slack: SlackEmulator, client: AsyncWebClient):
    assert (await refusal(_start(slack, client, recipient_user_id="U0NOBODY"))).error == "user_not_found"
    assert (await refusal(_start(slack, client, recipient_team_id="T0OTHER"))).error == "team_not_found"


async def test_a_stream_in_a_direct_conversation_needs_no_recipient(slack: SlackEmulator, client: AsyncWebClient):
    question = await slack.direct_message(ADA, "when?")

    await client.chat_startStream(channel=question.channel, thread_ts=question.ts)

    assert slack.thread(question.channel, question.ts)[-1].streaming


async def test_a_stream_is_a_reply(slack: SlackEmulator, client: AsyncWebClient):
    assert (await refusal(_start(slack, client, thread_ts=""))).error == "invalid_arguments"
    assert (await refusal(_start(slack, client, thread_ts="1.000000"))).error == "thread_not_found"


async def test_one_call_takes_twelve_thousand_characters(slack: SlackEmulator, client: AsyncWebClient):
    _, started = await _start(slack, client)
    chunks: list[Json] = [{"type": "markdown_text", "text": "x" * 6_001}] * 2

    await client.chat_appendStream(channel=GENERAL, ts=started["ts"], markdown_text="x" * 12_000)
    as_text = client.chat_appendStream(channel=GENERAL, ts=started["ts"], markdown_text="x" * 12_001)
    assert (await refusal(as_text)).error == "msg_too_long"
    as_chunks = client.chat_appendStream(channel=GENERAL, ts=started["ts"], chunks=chunks)
    assert (await refusal(as_chunks)).error == "msg_too_long"
    assert slack.message(GENERAL, started["ts"]).markdown == "It " + "x" * 12_000


async def test_chunks_are_checked(slack: SlackEmulator, client: AsyncWebClient):
    _, started = await _start(slack, client)
    wrong: list[Json] = [
        {"type": "task_update", "id": "1", "title": "x" * 257, "status": "complete"},
        {"type": "task_update", "id": "1", "title": "x", "status": "nearly"},
        {"type": "confetti"},
    ]

    for chunk in wrong:
        call = client.chat_appendStream(channel=GENERAL, ts=started["ts"], chunks=[chunk])
        assert (await refusal(call)).error == "invalid_chunks"


async def test_stopping_takes_fifty_blocks(slack: SlackEmulator, client: AsyncWebClient):
    _, started = await _start(slack, client)

    stop = client.chat_stopStream(channel=GENERAL, ts=started["ts"], blocks=[{"type": "divider"}] * 51)

    assert (await refusal(stop)).error == "invalid_blocks"
    assert slack.message(GENERAL, started["ts"]).streaming


async def test_a_stopped_stream_takes_no_more(slack: SlackEmulator, client: AsyncWebClient):
    _, started = await _start(slack, client)
    await client.chat_stopStream(channel=GENERAL, ts=started["ts"])

    append = client.chat_appendStream(channel=GENERAL, ts=started["ts"], markdown_text="x")
    assert (await refusal(append)).error == "message_not_in_streaming_state"
    stop = client.chat_stopStream(channel=GENERAL, ts=started["ts"])
    assert (await refusal(stop)).error == "message_not_in_streaming_state"


async def test_an_open_stream_can_be_neither_updated_nor_deleted(slack: SlackEmulator, client: AsyncWebClient):
    _, started = await _start(slack, client)

    update = client.chat_update(channel=GENERAL, ts=started["ts"], text="x")
    assert (await refusal(update)).error == "streaming_state_conflict"
    assert (await refusal(client.chat_delete(channel=GENERAL, ts=started["ts"]))).error == "cant_delete_message"


async def test_a_stream_expires_after_five_minutes_and_is_recovered_by_an_update(
    slack: SlackEmulator, client: AsyncWebClient
):
    stream = await _sdk_stream(slack, client)
    await stream.append(markdown_text="x" * 300)
    slack.skip(300)

    assert (await refusal(stream.append(markdown_text="y" * 300))).error == "message_not_in_streaming_state"
    broken = slack.message(GENERAL, str(stream.ts))
    await client.chat_update(channel=GENERAL, ts=str(stream.ts), text="all of it")
    recovered = slack.message(GENERAL, str(stream.ts))

    assert broken.stream is not None and broken.stream.state is StreamState.EXPIRED
    assert (recovered.body, recovered.stream) == ("all of it", None)


async def test_streams_expire_on_demand(slack: SlackEmulator, client: AsyncWebClient):
    _, started = await _start(slack, client)

    slack.expire_streams()

    append = client.chat_appendStream(channel=GENERAL, ts=started["ts"], markdown_text="x")
    assert (await refusal(append)).error == "message_not_in_streaming_state"


async def test_a_member_stops_a_stream(slack: SlackEmulator, client: AsyncWebClient):
    _, started = await _start(slack, client)

    await slack.stop_stream(slack.message(GENERAL, started["ts"]))

    append = client.chat_appendStream(channel=GENERAL, ts=started["ts"], markdown_text="x")
    assert (await refusal(append)).error == "stopped_by_user"
    assert slack.events("agent_session_stopped")[0].event["message_ts"] == started["ts"]
    assert slack.message(GENERAL, started["ts"]).markdown == "It "
