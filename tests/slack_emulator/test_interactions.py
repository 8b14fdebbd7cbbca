"""Trigger ids, response URLs and views: each good for a while, and for so many uses."""

from __future__ import annotations

import pytest
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from tests.slack_emulator.answers import answer, refusal
from tests.slack_emulator.conftest import ADA, GENERAL
from tests.slack_emulator.message import Message
from tests.slack_emulator.payload import Json
from tests.slack_emulator.server import SlackEmulator


def _modal(**changes: object) -> Json:
    blocks = [{"type": "divider"}]
    return {"type": "modal", "title": {"type": "plain_text", "text": "Sources"}, "blocks": blocks, **changes}


def _response_url(slack: SlackEmulator, message: Message | None = None) -> str:
    ts = message.ts if message else None
    key, _ = slack.backend.interactions.response_url(GENERAL, ADA, message_ts=ts, thread_ts=None)
    return f"{slack.backend.root}/response/{key}"


def _trigger(slack: SlackEmulator) -> str:
    return slack.backend.interactions.trigger(ADA)


async def test_a_response_url_serves_five_times(slack: SlackEmulator):
    webhook = AsyncWebhookClient(_response_url(slack))

    statuses = [(await webhook.send(text=str(number))).status_code for number in range(6)]

    assert statuses == [200] * 5 + [404]
    assert [message.text for message in slack.ephemerals(ADA)] == ["0", "1", "2", "3", "4"]


async def test_a_response_url_ends_after_thirty_minutes(slack: SlackEmulator):
    webhook = AsyncWebhookClient(_response_url(slack))
    slack.skip(1_800)

    refused = await webhook.send(text="late")

    assert (refused.status_code, refused.body) == (404, "expired_url")


async def test_a_response_is_for_everyone_when_it_says_so(slack: SlackEmulator):
    await AsyncWebhookClient(_response_url(slack)).send(text="hello", response_type="in_channel")

    assert [(message.text, message.ephemeral_to) for message in slack.messages] == [("hello", None)]


async def test_a_response_replaces_or_deletes_what_was_acted_on(slack: SlackEmulator, client: AsyncWebClient):
    posted = await answer(client.chat_postMessage(channel=GENERAL, text="old"))
    original = slack.message(GENERAL, posted["ts"])
    webhook = AsyncWebhookClient(_response_url(slack, original))

    await webhook.send(text="new", replace_original=True)
    replaced = slack.message(GENERAL, posted["ts"]).text
    await webhook.send(delete_original=True)

    assert (replaced, slack.messages) == ("new", [])


async def test_a_response_with_bad_blocks_is_refused(slack: SlackEmulator):
    refused = await AsyncWebhookClient(_response_url(slack)).send(text="x", blocks=[{"type": "header"}])

    assert (refused.status_code, refused.body) == (400, "invalid_blocks")


async def test_a_trigger_opens_one_view(slack: SlackEmulator, client: AsyncWebClient):
    trigger = _trigger(slack)

    await client.views_open(trigger_id=trigger, view=_modal())

    again = await refusal(client.views_open(trigger_id=trigger, view=_modal()))
    unknown = await refusal(client.views_open(trigger_id="made.up", view=_modal()))
    assert (again.error, unknown.error) == ("exchanged_trigger_id", "invalid_trigger_id")
    assert len(slack.modals(ADA)) == 1


async def test_a_trigger_is_too_old_after_three_seconds(slack: SlackEmulator, client: AsyncWebClient):
    trigger = _trigger(slack)
    slack.skip(3)

    assert (await refusal(client.views_open(trigger_id=trigger, view=_modal()))).error == "expired_trigger_id"


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"title": {"type": "plain_text", "text": "x" * 25}}, "invalid_arguments"),
        ({"private_metadata": "x" * 3_001}, "invalid_arguments"),
        ({"type": "home"}, "invalid_arguments"),
        ({"blocks": [{"type": "divider"}] * 101}, "invalid_blocks"),
        (
            {"blocks": [{"type": "input", "label": {"type": "plain_text", "text": "x"}, "element": {"type": "x"}}]},
            "invalid_arguments",
        ),
    ],
    ids=["long title", "long metadata", "home as modal", "101 blocks", "input without submit"],
)
async def test_a_view_has_its_limits(slack: SlackEmulator, client: AsyncWebClient, changes: Json, error: str):
    assert (await refusal(client.views_open(trigger_id=_trigger(slack), view=_modal(**changes)))).error == error


async def test_a_view_is_updated_unless_somebody_was_faster(slack: SlackEmulator, client: AsyncWebClient):
    opened = (await answer(client.views_open(trigger_id=_trigger(slack), view=_modal())))["view"]

    await client.views_update(view_id=opened["id"], hash=opened["hash"], view=_modal(callback_id="second"))

    late = client.views_update(view_id=opened["id"], hash=opened["hash"], view=_modal())
    assert (await refusal(late)).error == "hash_conflict"
    assert (await refusal(client.views_update(view_id="V0", view=_modal()))).error == "not_found"
    assert slack.modals(ADA)[0].content["callback_id"] == "second"


async def test_a_member_has_one_home_tab(slack: SlackEmulator, client: AsyncWebClient):
    for number in range(2):
        view = {"type": "home", "callback_id": str(number), "blocks": [{"type": "divider"}] * 100}
        await client.views_publish(user_id=ADA, view=view)

    home = slack.home(ADA)
    assert home is not None and home.content["callback_id"] == "1"
    assert len(slack.backend.interactions.views) == 1
