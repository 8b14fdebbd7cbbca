"""Reading channels, threads and members."""

from __future__ import annotations

from slack_sdk.web.async_client import AsyncWebClient

from tests.slack_emulator.answers import answer, refusal
from tests.slack_emulator.conftest import ADA, GENERAL
from tests.slack_emulator.payload import mapping
from tests.slack_emulator.server import SlackEmulator


async def test_replies_come_oldest_first_behind_the_message_that_they_answer(
    slack: SlackEmulator, client: AsyncWebClient
):
    root = await slack.mention(GENERAL, ADA, "question")
    for number in range(3):
        await slack.post(GENERAL, ADA, f"reply {number}", thread_ts=root.ts)

    messages = (await answer(client.conversations_replies(channel=GENERAL, ts=root.ts)))["messages"]

    assert [message["text"] for message in messages[1:]] == ["reply 0", "reply 1", "reply 2"]
    assert (messages[0]["ts"], messages[0]["reply_count"]) == (root.ts, 3)


async def test_long_threads_come_in_pages(slack: SlackEmulator, client: AsyncWebClient):
    root = await slack.mention(GENERAL, ADA, "question")
    for number in range(4):
        await slack.post(GENERAL, ADA, str(number), thread_ts=root.ts)

    pages = [
        mapping(page.data) async for page in await client.conversations_replies(channel=GENERAL, ts=root.ts, limit=2)
    ]

    assert [len(page["messages"]) for page in pages] == [2, 2, 1]


async def test_history_comes_newest_first_without_the_replies(slack: SlackEmulator, client: AsyncWebClient):
    first = await slack.post(GENERAL, ADA, "first")
    await slack.post(GENERAL, ADA, "a reply", thread_ts=first.ts)
    second = await slack.post(GENERAL, ADA, "second")

    everything = await answer(client.conversations_history(channel=GENERAL))
    later = await answer(client.conversations_history(channel=GENERAL, oldest=first.ts))
    from_first = await answer(client.conversations_history(channel=GENERAL, oldest=first.ts, inclusive=True))

    assert [message["ts"] for message in everything["messages"]] == [second.ts, first.ts]
    assert [message["ts"] for message in later["messages"]] == [second.ts]
    assert [message["ts"] for message in from_first["messages"]] == [second.ts, first.ts]


async def test_what_cannot_be_read_is_refused(slack: SlackEmulator, client: AsyncWebClient):
    public = slack.add_channel("public", with_bot=False)

    assert (await refusal(client.conversations_history(channel=public))).error == "not_in_channel"
    assert (await refusal(client.conversations_replies(channel=GENERAL, ts="1.0"))).error == "thread_not_found"
    assert (await refusal(client.conversations_history(channel=GENERAL, limit=1_001))).error == "invalid_limit"
    assert (await refusal(client.conversations_history(channel=GENERAL, cursor="x"))).error == "invalid_cursor"
    assert (await refusal(client.users_info(user="U0NOBODY"))).error == "user_not_found"


async def test_channels_members_and_people_are_described(slack: SlackEmulator, client: AsyncWebClient):
    private = slack.add_channel("people", private=True, members=[ADA])

    channel = (await answer(client.conversations_info(channel=private)))["channel"]
    members = (await answer(client.conversations_members(channel=private)))["members"]
    person = (await answer(client.users_info(user=ADA)))["user"]

    assert (channel["name"], channel["is_private"], channel["is_member"]) == ("people", True, True)
    assert set(members) == {slack.bot_user_id, ADA}
    assert (person["real_name"], person["profile"]["email"]) == ("Ada Lovelace", "ada@example.org")


async def test_what_a_member_types_arrives_escaped_with_its_links_marked(slack: SlackEmulator):
    message = await slack.mention(GENERAL, ADA, "is a<b & c>d? see https://example.org/x?a=1&b=2.")

    escaped = "is a&lt;b &amp; c&gt;d? see <https://example.org/x?a=1&amp;b=2>."
    assert message.text == f"<@{slack.bot_user_id}> {escaped}"
