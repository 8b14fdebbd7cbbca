"""A real Bolt app against the stand-in: over sockets and over signed HTTP, from a question to a pressed button."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import aiohttp
import pytest
from aiohttp import web
from slack_bolt.adapter.socket_mode.async_handler import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncAck, AsyncApp, AsyncBoltContext, AsyncBoltRequest, AsyncRespond
from slack_sdk.web.async_client import AsyncWebClient

from tests.slack_emulator.conftest import ADA, GENERAL, IMPATIENT
from tests.slack_emulator.message import Message
from tests.slack_emulator.payload import Json
from tests.slack_emulator.server import SlackEmulator
from tests.slack_emulator.signed_http import VerificationError

FEEDBACK: Json = {
    "type": "context_actions",
    "elements": [
        {
            "type": "feedback_buttons",
            "action_id": "feedback",
            "positive_button": {"text": {"type": "plain_text", "text": "Good"}, "value": "good"},
            "negative_button": {"text": {"type": "plain_text", "text": "Bad"}, "value": "bad"},
        }
    ],
}

MODAL: Json = {
    "type": "modal",
    "callback_id": "why",
    "title": {"type": "plain_text", "text": "What was wrong?"},
    "submit": {"type": "plain_text", "text": "Send"},
    "blocks": [
        {
            "type": "input",
            "block_id": "reason",
            "label": {"type": "plain_text", "text": "Reason"},
            "element": {"type": "plain_text_input", "action_id": "text"},
        }
    ],
}


class LeaveBot:
    """An app that knows one answer, asks what was wrong with it, and notes what it is told."""

    def __init__(self) -> None:
        self.retries: list[str] = []
        self.reasons: list[str] = []
        self.opened: list[str] = []
        self.shortcuts: list[str] = []

    def connected_to(self, slack: SlackEmulator) -> AsyncApp:
        """The Bolt app, with every listener."""
        client = AsyncWebClient(token=slack.bot_token, base_url=slack.api_url)
        app = AsyncApp(client=client, signing_secret=slack.signing_secret)
        app.middleware(self.note_retry)
        app.event("app_mention")(self.answer)
        app.event("message")(self.ignore)
        app.event("app_home_opened")(self.note_tab)
        app.command("/ask")(self.repeat)
        app.action("feedback")(self.judge)
        app.view("why")(self.note_reason)
        app.shortcut("ask_about_message")(self.note_shortcut)
        return app

    async def answer(self, event: Json, client: AsyncWebClient, context: AsyncBoltContext) -> None:
        stream = await client.chat_stream(
            channel=event["channel"],
            thread_ts=event.get("thread_ts", event["ts"]),
            recipient_user_id=event["user"],
            recipient_team_id=context.team_id,
        )
        await stream.append(markdown_text="Thirty days ")
        await stream.stop(markdown_text="a year.", blocks=[FEEDBACK])

    async def ignore(self) -> None:
        """An event without a listener is never acknowledged."""

    async def note_tab(self, event: Json) -> None:
        self.opened.append(event["tab"])

    async def repeat(self, ack: AsyncAck, command: Json) -> None:
        if command["text"] != "silence":
            await ack(f"You asked: {command['text']}")

    async def judge(
        self, ack: AsyncAck, action: Json, respond: AsyncRespond, body: Json, client: AsyncWebClient
    ) -> None:
        await ack()
        if action["value"] == "good":
            await respond(text="Thank you.", replace_original=False)
        else:
            await client.views_open(trigger_id=body["trigger_id"], view=MODAL)

    async def note_reason(self, ack: AsyncAck, view: Json) -> None:
        await ack()
        self.reasons.append(view["state"]["values"]["reason"]["text"]["value"])

    async def note_shortcut(self, ack: AsyncAck, shortcut: Json) -> None:
        await ack()
        self.shortcuts.append(shortcut["message"]["text"])

    async def note_retry(self, request: AsyncBoltRequest, next_: Callable[[], Awaitable[None]]) -> None:
        self.retries += request.headers.get("x-slack-retry-num", [])
        await next_()


@pytest.fixture
def bot() -> LeaveBot:
    return LeaveBot()


@pytest.fixture
async def over_sockets(slack: SlackEmulator, bot: LeaveBot) -> AsyncIterator[None]:
    handler = AsyncSocketModeHandler(bot.connected_to(slack), slack.app_token)
    await handler.connect_async()
    await slack.wait_connected()
    yield
    await handler.close_async()


@pytest.fixture
async def over_http(slack: SlackEmulator, bot: LeaveBot) -> AsyncIterator[web.AppRunner]:
    runner = web.AppRunner(bot.connected_to(slack).web_app("/slack/events"), shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    await slack.deliver_to(_request_url(runner))
    yield runner
    await runner.cleanup()


def _request_url(runner: web.AppRunner) -> str:
    host, port = runner.addresses[0][:2]
    return f"http://{host}:{port}/slack/events"


@pytest.fixture(params=["over_sockets", "over_http"])
def connected(request: pytest.FixtureRequest) -> str:
    request.getfixturevalue(request.param)
    return request.param


async def _answered(slack: SlackEmulator) -> Message:
    question = await slack.mention(GENERAL, ADA, "how many days of leave?")
    return (await slack.settled_thread(GENERAL, question.ts))[-1]


@pytest.mark.usefixtures("connected")
async def test_a_question_is_answered_in_its_thread(slack: SlackEmulator):
    answer = await _answered(slack)
    await slack.delivered()

    assert (answer.markdown, answer.user) == ("Thirty days a year.", slack.bot_user_id)
    assert not slack.pinged()


@pytest.mark.usefixtures("connected")
async def test_a_command_is_answered_for_the_asker_alone(slack: SlackEmulator):
    delivery = await slack.slash("/ask", GENERAL, ADA, "what is R&D?")

    assert delivery.acknowledged
    assert [message.text for message in slack.ephemerals(ADA)] == ["You asked: what is R&amp;D?"]


@pytest.mark.parametrize("timing", [IMPATIENT], ids=["impatient"])
@pytest.mark.usefixtures("connected")
async def test_a_command_that_nobody_acknowledges_tells_its_user(slack: SlackEmulator):
    delivery = await slack.slash("/ask", GENERAL, ADA, "silence")

    assert not delivery.acknowledged and len(delivery.attempts) == 1
    assert [message.text for message in slack.ephemerals(ADA)] == ['/ask failed with the error "operation_timeout"']


@pytest.mark.usefixtures("connected")
async def test_a_pressed_button_is_answered_through_its_response_url(slack: SlackEmulator):
    await slack.click(await _answered(slack), "feedback", ADA, value="good")

    assert [message.text for message in await slack.settled_ephemeral(ADA)] == ["Thank you."]


@pytest.mark.usefixtures("connected")
async def test_a_modal_opens_and_is_submitted(slack: SlackEmulator, bot: LeaveBot):
    await slack.click(await _answered(slack), "feedback", ADA, value="bad")
    await slack.until(lambda: bool(slack.modals(ADA)), timeout=5, what="a modal")
    values = {"reason": {"text": {"type": "plain_text_input", "value": "wrong year"}}}

    delivery = await slack.submit(slack.modals(ADA)[0], values)

    assert delivery.acknowledged
    assert slack.modals(ADA) == []
    assert bot.reasons == ["wrong year"]


@pytest.mark.usefixtures("connected")
async def test_shortcuts_and_opened_tabs_reach_the_app(slack: SlackEmulator, bot: LeaveBot):
    message = await slack.post(GENERAL, ADA, "what about this?")

    await slack.shortcut("ask_about_message", message, ADA)
    await slack.open_app(ADA)
    await slack.delivered()

    assert (bot.shortcuts, bot.opened) == (["what about this?"], ["messages"])


@pytest.mark.usefixtures("over_sockets")
async def test_only_a_button_that_is_there_can_be_pressed(slack: SlackEmulator):
    answer = await _answered(slack)

    with pytest.raises(LookupError, match="feedback"):
        await slack.click(answer, "feedback", ADA, value="perhaps")


@pytest.mark.usefixtures("over_sockets")
async def test_over_sockets_a_first_delivery_carries_a_retry_number(slack: SlackEmulator, bot: LeaveBot):
    await slack.post(GENERAL, ADA, "hello")
    await slack.delivered()

    assert bot.retries == ["0"]


@pytest.mark.usefixtures("over_http")
async def test_over_http_only_a_retry_carries_a_number(slack: SlackEmulator, bot: LeaveBot):
    await slack.post(GENERAL, ADA, "hello")
    await slack.delivered()
    at_first = list(bot.retries)
    slack.redeliver(slack.deliveries[0])
    await slack.finished(slack.deliveries[0])

    assert (at_first, bot.retries) == ([], ["1"])


@pytest.mark.usefixtures("over_http")
async def test_over_http_an_event_without_a_listener_comes_again(slack: SlackEmulator):
    delivery = await slack.publish({"type": "tokens_revoked", "tokens": {"bot": [slack.bot_user_id]}})
    assert delivery is not None

    await slack.finished(delivery)

    assert [attempt.reason for attempt in delivery.attempts] == ["http_error"] * 4


async def test_an_unsigned_request_is_turned_away_by_the_app(over_http: web.AppRunner):
    unsigned = {"type": "event_callback"}
    async with aiohttp.ClientSession() as session, session.post(_request_url(over_http), json=unsigned) as response:
        assert response.status == 401


async def test_an_address_that_does_not_answer_the_challenge_is_not_accepted(slack: SlackEmulator):
    with pytest.raises(VerificationError, match="404"):
        await slack.deliver_to(f"{slack.api_url.removesuffix('api/')}nowhere")


async def test_an_app_that_is_down_is_told_again(slack: SlackEmulator, over_http: web.AppRunner):
    await over_http.cleanup()
    await slack.post(GENERAL, ADA, "hello?")

    delivery = await slack.finished(slack.deliveries[0])

    assert [attempt.reason for attempt in delivery.attempts] == ["connection_failed"] * 4
