"""Messages: where an app may write, how much, and what it may change afterwards."""

from __future__ import annotations

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from tests.slack_emulator.answers import answer, refusal
from tests.slack_emulator.conftest import ADA, GENERAL
from tests.slack_emulator.payload import Json
from tests.slack_emulator.server import SlackEmulator


async def _post(client: AsyncWebClient, text: str = "hello", **arguments: object) -> str:
    body = await answer(client.api_call("chat.postMessage", json={"channel": GENERAL, "text": text, **arguments}))
    return str(body["ts"])


async def test_a_posted_message_stands_in_its_thread(slack: SlackEmulator, client: AsyncWebClient):
    question = await slack.mention(GENERAL, ADA, "when?")

    ts = await _post(client, "tomorrow", thread_ts=question.ts)

    thread = slack.thread(GENERAL, question.ts)
    assert [message.ts for message in thread] == [question.ts, ts]
    assert thread[1].from_app and not thread[0].from_app


async def test_timestamps_are_unique_and_rise(client: AsyncWebClient):
    stamps = [await _post(client) for _ in range(5)]

    assert stamps == sorted(set(stamps))


async def test_an_unknown_channel_and_a_private_one_look_the_same(slack: SlackEmulator, client: AsyncWebClient):
    private = slack.add_channel("secrets", private=True, with_bot=False)

    for channel in ("C0NOWHERE", private):
        assert (await refusal(client.chat_postMessage(channel=channel, text="x"))).error == "channel_not_found"


async def test_a_public_channel_must_be_joined_first(slack: SlackEmulator, client: AsyncWebClient):
    slack.remove_bot(GENERAL)

    assert (await refusal(client.chat_postMessage(channel=GENERAL, text="x"))).error == "not_in_channel"


async def test_a_member_id_stands_for_the_conversation_with_that_member(slack: SlackEmulator, client: AsyncWebClient):
    opened = (await answer(client.conversations_open(users=[ADA])))["channel"]["id"]
    posted = (await answer(client.chat_postMessage(channel=ADA, text="hello")))["channel"]

    assert opened == posted == (await slack.direct_message(ADA, "hi")).channel


async def test_a_reply_needs_a_thread_to_stand_in(slack: SlackEmulator, client: AsyncWebClient):
    question = await slack.mention(GENERAL, ADA, "when?")
    reply = await _post(client, thread_ts=question.ts)

    for thread_ts in ("1.000000", reply):
        call = client.chat_postMessage(channel=GENERAL, text="x", thread_ts=thread_ts)
        assert (await refusal(call)).error == "thread_not_found"


async def test_posted_text_is_cut_at_forty_thousand_characters(slack: SlackEmulator, client: AsyncWebClient):
    ts = await _post(client, "x" * 40_001)

    assert slack.message(GENERAL, ts).text == "x" * 40_000


async def test_updated_text_is_refused_above_four_thousand_characters(client: AsyncWebClient):
    ts = await _post(client)

    assert (await refusal(client.chat_update(channel=GENERAL, ts=ts, text="x" * 4_001))).error == "msg_too_long"
    await client.chat_update(channel=GENERAL, ts=ts, text="x" * 4_000)


async def test_an_update_keeps_the_blocks_that_it_does_not_mention(slack: SlackEmulator, client: AsyncWebClient):
    ts = await _post(client, blocks=[{"type": "divider"}])

    await client.chat_update(channel=GENERAL, ts=ts, text="new")
    kept = slack.message(GENERAL, ts)
    await client.chat_update(channel=GENERAL, ts=ts, text="newer", blocks=[])
    cleared = slack.message(GENERAL, ts)

    assert (kept.text, kept.blocks) == ("new", ({"type": "divider"},))
    assert (cleared.text, cleared.blocks) == ("newer", ())
    assert cleared.edited_ts is not None


async def test_markdown_text_stands_alone_and_ends_at_twelve_thousand_characters(
    slack: SlackEmulator, client: AsyncWebClient
):
    await client.chat_postMessage(channel=GENERAL, markdown_text="**bold**")
    conflict = await refusal(client.chat_postMessage(channel=GENERAL, markdown_text="a", text="b"))
    too_long = await refusal(client.chat_postMessage(channel=GENERAL, markdown_text="x" * 12_001))

    assert slack.messages[-1].markdown == "**bold**"
    assert (conflict.error, too_long.error) == ("markdown_text_conflict", "msg_too_long")


async def test_a_message_must_say_something(client: AsyncWebClient):
    assert (await refusal(client.api_call("chat.postMessage", json={"channel": GENERAL}))).error == "no_text"


async def test_only_the_apps_own_messages_may_be_changed(slack: SlackEmulator, client: AsyncWebClient):
    question = await slack.mention(GENERAL, ADA, "mine")

    updated = await refusal(client.chat_update(channel=GENERAL, ts=question.ts, text="x"))
    deleted = await refusal(client.chat_delete(channel=GENERAL, ts=question.ts))

    assert (updated.error, deleted.error) == ("cant_update_message", "cant_delete_message")


async def test_a_deleted_message_is_gone(slack: SlackEmulator, client: AsyncWebClient):
    ts = await _post(client)

    await client.chat_delete(channel=GENERAL, ts=ts)

    assert slack.messages == []
    assert (await refusal(client.chat_update(channel=GENERAL, ts=ts, text="x"))).error == "message_not_found"


async def test_an_ephemeral_message_is_for_one_pair_of_eyes(slack: SlackEmulator, client: AsyncWebClient):
    posted = await answer(client.chat_postEphemeral(channel=GENERAL, user=ADA, text="psst"))
    stranger = slack.add_user("bob")

    assert [message.text for message in slack.ephemerals(ADA)] == ["psst"]
    assert slack.ephemerals(stranger) == []
    assert (await answer(client.conversations_history(channel=GENERAL)))["messages"] == []
    update = client.chat_update(channel=GENERAL, ts=posted["message_ts"], text="x")
    assert (await refusal(update)).error == "message_not_found"
    outside = client.chat_postEphemeral(channel=GENERAL, user=stranger, text="x")
    assert (await refusal(outside)).error == "user_not_in_channel"


async def test_a_permalink_names_the_thread(slack: SlackEmulator, client: AsyncWebClient):
    question = await slack.mention(GENERAL, ADA, "when?")
    reply = await _post(client, thread_ts=question.ts)

    link = (await answer(client.chat_getPermalink(channel=GENERAL, message_ts=reply)))["permalink"]

    place = f"archives/{GENERAL}/p{reply.replace('.', '')}"
    assert link == f"https://footnote-hq.slack.com/{place}?thread_ts={question.ts}&cid={GENERAL}"


async def test_a_reaction_is_added_once_and_removed_once(slack: SlackEmulator, client: AsyncWebClient):
    question = await slack.mention(GENERAL, ADA, "when?")
    target: Json = {"channel": GENERAL, "timestamp": question.ts, "name": "eyes"}

    await client.reactions_add(**target)
    assert [reaction.name for reaction in slack.message(GENERAL, question.ts).reactions] == ["eyes"]
    assert (await refusal(client.reactions_add(**target))).error == "already_reacted"
    await client.reactions_remove(**target)
    assert slack.message(GENERAL, question.ts).reactions == ()
    assert (await refusal(client.reactions_remove(**target))).error == "no_reaction"
    assert (await refusal(client.reactions_add(**(target | {"name": "no such name"})))).error == "invalid_name"


async def test_a_file_is_announced_uploaded_and_shown(slack: SlackEmulator, client: AsyncWebClient):
    await client.files_upload_v2(filename="map.png", content=b"\x89PNG", channel=GENERAL, initial_comment="the map")

    shown = slack.messages[-1]
    assert (shown.text, [file["name"] for file in shown.files]) == ("the map", ["map.png"])


async def test_a_file_that_was_never_uploaded_cannot_be_shown(client: AsyncWebClient):
    announced = await client.files_getUploadURLExternal(filename="a.txt", length=3)

    complete = client.files_completeUploadExternal(files=[{"id": announced["file_id"]}], channel_id=GENERAL)

    assert (await refusal(complete)).error == "file_not_found"


@pytest.mark.parametrize("status", ["is thinking…", ""])
async def test_a_status_is_shown_until_the_app_answers_or_two_minutes_passed(
    slack: SlackEmulator, client: AsyncWebClient, status: str
):
    question = await slack.mention(GENERAL, ADA, "when?")
    await client.assistant_threads_setStatus(channel_id=GENERAL, thread_ts=question.ts, status=status)
    at_first = slack.status(GENERAL, question.ts)
    await _post(client, thread_ts=question.ts)
    after_the_answer = slack.status(GENERAL, question.ts)
    await client.assistant_threads_setStatus(channel_id=GENERAL, thread_ts=question.ts, status=status)
    slack.skip(120)

    assert (at_first, after_the_answer, slack.status(GENERAL, question.ts)) == (status, "", "")


async def test_loading_messages_and_prompts_have_their_limits(slack: SlackEmulator, client: AsyncWebClient):
    question = await slack.direct_message(ADA, "hi")
    channel, prompt = question.channel, {"title": "Leave", "message": "How many days?"}

    many = client.assistant_threads_setStatus(
        channel_id=channel, thread_ts=question.ts, status="…", loading_messages=["…"] * 11
    )
    assert (await refusal(many)).error == "invalid_arguments"
    five = client.assistant_threads_setSuggestedPrompts(channel_id=channel, prompts=[prompt] * 5)
    assert (await refusal(five)).error == "invalid_arguments"
    await client.assistant_threads_setSuggestedPrompts(channel_id=channel, prompts=[prompt] * 4)
    assert slack.prompts(channel) == [prompt] * 4


async def test_prompts_for_a_thread_are_accepted_and_never_shown(slack: SlackEmulator, client: AsyncWebClient):
    question = await slack.direct_message(ADA, "hi")

    await client.assistant_threads_setSuggestedPrompts(
        channel_id=question.channel, thread_ts=question.ts, prompts=[{"title": "Leave", "message": "How many days?"}]
    )
    await client.assistant_threads_setTitle(channel_id=question.channel, thread_ts=question.ts, title="Leave")

    assert slack.prompts(question.channel) == []
    assert slack.title(question.channel, question.ts) == "Leave"
