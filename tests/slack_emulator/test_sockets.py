"""Socket Mode, with the SDK's own client at the other end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import pytest
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.async_client import AsyncBaseSocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.socket_mode.response import SocketModeResponse
from slack_sdk.web.async_client import AsyncWebClient

from tests.slack_emulator.answers import answer
from tests.slack_emulator.changes import Changes
from tests.slack_emulator.conftest import ADA, GENERAL, IMPATIENT
from tests.slack_emulator.server import SlackEmulator


class App:
    """A client that notes what it is told and acknowledges it unless it is deaf."""

    def __init__(self, slack: SlackEmulator, *, deaf_for: int = 0) -> None:
        web_client = AsyncWebClient(base_url=slack.api_url)
        self.client = SocketModeClient(app_token=slack.app_token, web_client=web_client, ping_interval=0.2)
        self.client.socket_mode_request_listeners.append(self._hear)
        self.heard: list[SocketModeRequest] = []
        self._deaf_for = deaf_for
        self._changes = Changes()

    async def _hear(self, client: AsyncBaseSocketModeClient, request: SocketModeRequest) -> None:
        self.heard.append(request)
        self._changes.announce()
        if len(self.heard) > self._deaf_for:
            await client.send_socket_mode_response(SocketModeResponse(envelope_id=request.envelope_id))

    async def until_heard(self, count: int) -> list[SocketModeRequest]:
        await self._changes.until(lambda: len(self.heard) >= count, timeout=5, what=f"{count} envelopes")
        return self.heard


@pytest.fixture
async def app(slack: SlackEmulator) -> AsyncIterator[App]:
    app = App(slack)
    await app.client.connect()
    await slack.wait_connected()
    yield app
    await app.client.close()


async def test_a_mention_arrives_twice_under_different_event_ids(slack: SlackEmulator, app: App):
    question = await slack.mention(GENERAL, ADA, "when?")

    heard = [request.payload for request in await app.until_heard(2)]

    assert {payload["event"]["type"] for payload in heard} == {"message", "app_mention"}
    assert {payload["event"]["ts"] for payload in heard} == {question.ts}
    assert len({payload["event_id"] for payload in heard}) == 2


async def test_a_first_delivery_counts_as_attempt_zero(slack: SlackEmulator, app: App):
    await slack.direct_message(ADA, "hi")

    heard = await app.until_heard(1)

    assert (heard[0].retry_attempt, heard[0].retry_reason) == (0, "")
    assert heard[0].payload["event"]["channel_type"] == "im"


async def test_a_mention_in_a_direct_conversation_is_one_event(slack: SlackEmulator, app: App):
    await slack.direct_message(ADA, f"<@{slack.bot_user_id}> hi")
    await slack.delivered()

    assert [delivery.event["type"] for delivery in slack.deliveries] == ["message"]


async def test_the_apps_own_messages_come_back_as_events(slack: SlackEmulator, app: App):
    client = AsyncWebClient(token=slack.bot_token, base_url=slack.api_url)
    posted = await answer(client.chat_postMessage(channel=GENERAL, text=f"<@{slack.bot_user_id}> is me"))
    await client.chat_update(channel=GENERAL, ts=posted["ts"], text="newer")
    await client.chat_delete(channel=GENERAL, ts=posted["ts"])

    events = [request.payload["event"] for request in await app.until_heard(3)]

    assert [event.get("subtype") for event in events] == [None, "message_changed", "message_deleted"]
    assert events[0]["bot_id"] == slack.identity.bot_id
    assert (events[1]["message"]["text"], events[2]["deleted_ts"]) == ("newer", posted["ts"])


async def test_members_edit_and_delete(slack: SlackEmulator, app: App):
    message = await slack.post(GENERAL, ADA, "helo")
    await slack.edit(message, "hello")
    await slack.delete(message)

    events = [request.payload["event"] for request in await app.until_heard(3)]

    assert [event.get("subtype") for event in events] == [None, "message_changed", "message_deleted"]
    assert events[1]["previous_message"]["text"] == "helo"
    assert events[2]["previous_message"]["text"] == "hello"


async def test_a_channel_without_the_app_is_silent(slack: SlackEmulator, app: App):
    other = slack.add_channel("other", with_bot=False)

    await slack.mention(other, ADA, "anybody?")

    assert slack.deliveries == []


@pytest.mark.parametrize("timing", [IMPATIENT], ids=["impatient"])
async def test_what_is_not_acknowledged_in_time_is_delivered_again_with_number_and_reason(slack: SlackEmulator):
    app = App(slack, deaf_for=2)
    await app.client.connect()
    await slack.direct_message(ADA, "hi")

    heard = await app.until_heard(3)
    await slack.delivered()
    await app.client.close()

    assert [(request.retry_attempt, request.retry_reason) for request in heard[:3]] == [
        (0, ""),
        (1, "timeout"),
        (2, "timeout"),
    ]
    assert len({request.payload["event_id"] for request in heard}) == 1


@pytest.mark.parametrize("timing", [IMPATIENT], ids=["impatient"])
async def test_after_three_retries_an_event_is_given_up(slack: SlackEmulator):
    app = App(slack, deaf_for=100)
    await app.client.connect()
    await slack.direct_message(ADA, "hi")

    await app.until_heard(4)
    await slack.finished(slack.deliveries[0])
    await app.client.close()

    assert len(slack.deliveries[0].attempts) == len(app.heard) == 4
    assert not slack.deliveries[0].acknowledged


async def test_an_event_is_redelivered_on_demand_under_the_same_id(slack: SlackEmulator, app: App):
    await slack.direct_message(ADA, "hi")
    await slack.delivered()

    slack.redeliver(slack.deliveries[0])

    first, second = await app.until_heard(2)
    assert first.payload["event_id"] == second.payload["event_id"]
    assert second.retry_attempt == 1


async def test_an_envelope_goes_to_one_of_several_sockets(slack: SlackEmulator, app: App):
    other = App(slack)
    await other.client.connect()
    await slack.wait_connected(2)

    for number in range(4):
        await slack.direct_message(ADA, str(number))
    await slack.delivered()
    await other.client.close()

    assert (len(app.heard), len(other.heard)) == (2, 2)


@pytest.mark.parametrize("reason", ["refresh_requested", "warning"])
async def test_the_sdk_opens_a_new_socket_when_the_old_one_is_announced_to_end(
    slack: SlackEmulator, app: App, reason: str
):
    await slack.disconnect("warning" if reason == "warning" else "refresh_requested")
    await slack.until(lambda: slack.sockets_opened == 2, timeout=5, what="a second socket")
    await slack.wait_connected()
    await slack.direct_message(ADA, "still there?")

    assert len(await app.until_heard(1)) == 1


async def test_the_sdk_comes_back_after_its_socket_was_cut(slack: SlackEmulator, app: App):
    slack.drop_sockets()
    await slack.wait_connected()
    await slack.direct_message(ADA, "still there?")
    await app.until_heard(1)

    assert slack.sockets_opened == 2


async def test_an_eleventh_socket_is_sent_away(slack: SlackEmulator):
    client = AsyncWebClient(base_url=slack.api_url)
    async with aiohttp.ClientSession() as session:
        urls = [(await answer(client.apps_connections_open(app_token=slack.app_token)))["url"] for _ in range(11)]
        sockets = [await session.ws_connect(url) for url in urls]
        greetings = [await socket.receive_json() for socket in sockets]
        await asyncio.gather(*(socket.close() for socket in sockets))

    assert [greeting["type"] for greeting in greetings] == ["hello"] * 10 + ["disconnect"]
    assert greetings[-1]["reason"] == "too_many_websockets"
    assert greetings[2]["num_connections"] == 3


async def test_an_address_opens_one_socket_only(slack: SlackEmulator):
    client = AsyncWebClient(base_url=slack.api_url)
    url = (await answer(client.apps_connections_open(app_token=slack.app_token)))["url"]
    async with aiohttp.ClientSession() as session, session.ws_connect(url):
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await session.ws_connect(url)


async def test_an_app_hears_only_of_what_it_subscribed_to():
    async with SlackEmulator(subscriptions={"app_mention", "message.im"}) as slack:
        slack.add_user("ada", user_id=ADA)
        slack.add_channel("general", channel_id=GENERAL, members=[ADA])
        await slack.mention(GENERAL, ADA, "in a channel")
        await slack.direct_message(ADA, "in private")
        await slack.open_app(ADA)

        told = [(delivery.event["type"], delivery.event["channel"]) for delivery in slack.deliveries]
        assert [kind for kind, _ in told] == ["app_mention", "message"]
