"""The Web API answers every kind of request, wants the right token, limits rates and fails on demand."""

from __future__ import annotations

import aiohttp
import pytest
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient

from tests.slack_emulator.answers import answer, refusal
from tests.slack_emulator.clock import Clock, Timing
from tests.slack_emulator.conftest import ADA, GENERAL
from tests.slack_emulator.errors import RateLimitedError
from tests.slack_emulator.limits import RATES, RateLimiter
from tests.slack_emulator.methods import METHODS
from tests.slack_emulator.server import SlackEmulator


async def _ask(slack: SlackEmulator, verb: str, method: str, **request: object) -> dict[str, object]:
    headers = {"Authorization": f"Bearer {slack.bot_token}"}
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.request(verb, f"{slack.api_url}{method}", **request) as response,  # pyright: ignore[reportArgumentType]  # as given
    ):
        return await response.json()


def _parts(fields: dict[str, str]) -> aiohttp.FormData:
    form = aiohttp.FormData(fields)
    form.add_field("extra", b"", filename="empty.txt")
    return form


def test_every_method_has_a_rate():
    assert set(METHODS) == set(RATES)


async def test_the_sdk_learns_who_it_is(slack: SlackEmulator, client: AsyncWebClient):
    response = await client.auth_test()

    assert (response["user_id"], response["team_id"]) == (slack.bot_user_id, slack.identity.team_id)
    assert "chat:write" in response.headers["x-oauth-scopes"]


async def test_query_form_multipart_and_json_are_understood_alike(slack: SlackEmulator):
    fields = {"channel": GENERAL}
    answers = [
        await _ask(slack, "GET", "conversations.info", params=fields),
        await _ask(slack, "POST", "conversations.info", data=fields),
        await _ask(slack, "POST", "conversations.info", json=fields),
        await _ask(slack, "POST", "conversations.info", data=_parts(fields)),
    ]

    assert [answer["ok"] for answer in answers] == [True] * 4
    assert answers[0] == answers[1] == answers[2] == answers[3]


async def test_blocks_may_travel_as_json_inside_a_form(slack: SlackEmulator):
    blocks = '[{"type": "divider"}]'

    await _ask(slack, "POST", "chat.postMessage", data={"channel": GENERAL, "text": "x", "blocks": blocks})
    broken = await _ask(slack, "POST", "chat.postMessage", data={"channel": GENERAL, "blocks": "[{"})

    assert slack.messages[-1].blocks == ({"type": "divider"},)
    assert broken["error"] == "invalid_blocks_format"


async def test_a_body_that_is_no_json_is_refused(slack: SlackEmulator):
    body = await _ask(slack, "POST", "auth.test", data=b"{", headers={"content-type": "application/json"})

    assert body == {"ok": False, "error": "invalid_json"}


async def test_a_call_without_a_token_is_refused(slack: SlackEmulator):
    assert (await refusal(AsyncWebClient(base_url=slack.api_url).auth_test())).error == "not_authed"


async def test_a_foreign_token_is_refused(slack: SlackEmulator):
    foreign = AsyncWebClient(token="xoxb-foreign", base_url=slack.api_url)

    assert (await refusal(foreign.auth_test())).error == "invalid_auth"


async def test_each_method_wants_its_own_kind_of_token(slack: SlackEmulator, client: AsyncWebClient):
    with_app_token = AsyncWebClient(token=slack.app_token, base_url=slack.api_url)

    assert (await refusal(with_app_token.auth_test())).error == "not_allowed_token_type"
    assert (await refusal(client.apps_connections_open(app_token=slack.bot_token))).error == "not_allowed_token_type"
    assert (await answer(client.apps_connections_open(app_token=slack.app_token)))["url"].startswith("ws://127.0.0.1:")


async def test_an_unknown_method_is_named_as_such(client: AsyncWebClient):
    assert (await refusal(client.api_call("chat.shout"))).error == "unknown_method"


async def test_a_missing_argument_is_named(client: AsyncWebClient):
    refused = await refusal(client.api_call("chat.postMessage", json={"text": "hello"}))

    assert refused.error == "invalid_arguments"
    assert refused.reasons == ("[ERROR] missing required field: channel",)


async def test_streams_beyond_the_tier_meet_429_until_a_minute_has_passed(slack: SlackEmulator, client: AsyncWebClient):
    question = await slack.mention(GENERAL, ADA, "question")

    async def start() -> None:
        team = slack.identity.team_id
        await client.chat_startStream(
            channel=GENERAL, thread_ts=question.ts, recipient_user_id=ADA, recipient_team_id=team, markdown_text="x"
        )

    for _ in range(20):
        await start()
    refused = await refusal(start())
    slack.skip(60)
    await start()

    assert (refused.error, refused.status) == ("ratelimited", 429)
    assert 1 <= int(refused.retry_after or 0) <= 60


def test_a_shorter_minute_makes_for_shorter_waits():
    limiter = RateLimiter(Clock(), Timing(minute=1.0))
    for _ in range(20):
        limiter.check("chat.startStream")

    with pytest.raises(RateLimitedError) as caught:
        limiter.check("chat.startStream")

    assert caught.value.retry_after == 1


async def test_one_channel_takes_a_message_a_second_after_a_short_burst(slack: SlackEmulator, client: AsyncWebClient):
    other = slack.add_channel("random")
    for number in range(5):
        await client.chat_postMessage(channel=GENERAL, text=str(number))

    assert (await refusal(client.chat_postMessage(channel=GENERAL, text="one too many"))).status == 429
    await client.chat_postMessage(channel=other, text="elsewhere there is room")


async def test_a_limited_method_succeeds_when_the_sdk_honours_retry_after(slack: SlackEmulator, client: AsyncWebClient):
    client.retry_handlers.append(AsyncRateLimitErrorRetryHandler(max_retry_count=1))
    slack.limit_next("chat.postMessage", retry_after=1)

    await client.chat_postMessage(channel=GENERAL, text="patience")

    assert [(call.status, call.ok) for call in slack.calls_to("chat.postMessage")] == [(429, False), (200, True)]


async def test_a_planned_fault_strikes_as_often_as_planned_and_not_before(slack: SlackEmulator, client: AsyncWebClient):
    slack.fail_next("users.info", error="fatal_error", status=500, times=2, after=1)

    await client.users_info(user=ADA)
    refusals = [await refusal(client.users_info(user=ADA)) for _ in range(2)]
    await client.users_info(user=ADA)

    assert [(refused.error, refused.status) for refused in refusals] == [("fatal_error", 500)] * 2


async def test_a_delayed_call_outlasts_an_impatient_client(slack: SlackEmulator):
    slack.delay_next("auth.test", 30)
    impatient = AsyncWebClient(token=slack.bot_token, base_url=slack.api_url)
    impatient.timeout = 0.2  # pyright: ignore[reportAttributeAccessIssue]  # the SDK passes it on to aiohttp, which takes fractions

    with pytest.raises(TimeoutError):
        await impatient.auth_test()


async def test_a_call_whose_reply_is_lost_has_taken_effect(slack: SlackEmulator):
    slack.lose_next_reply("chat.postMessage")
    without_retries = AsyncWebClient(token=slack.bot_token, base_url=slack.api_url, retry_handlers=[])

    with pytest.raises(aiohttp.ClientConnectionError):
        await without_retries.chat_postMessage(channel=GENERAL, text="posted all the same")

    assert [message.text for message in slack.messages] == ["posted all the same"]
    assert not slack.calls_to("chat.postMessage")[0].ok


async def test_every_call_is_on_record_without_its_token(slack: SlackEmulator, client: AsyncWebClient):
    await client.chat_postMessage(channel=GENERAL, text="hello", token=slack.bot_token)
    await refusal(client.chat_delete(channel=GENERAL, ts="1.000000"))

    posted, deleted = slack.calls
    assert (posted.method, posted.arguments, posted.error) == (
        "chat.postMessage",
        {"channel": GENERAL, "text": "hello"},
        None,
    )
    assert (deleted.method, deleted.error) == ("chat.delete", "message_not_found")
