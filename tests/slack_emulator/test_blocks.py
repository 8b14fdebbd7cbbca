"""Blocks: each limit bites one character, element or row too late, and says where."""

from __future__ import annotations

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from tests.slack_emulator.answers import refusal
from tests.slack_emulator.blockkit import check_blocks
from tests.slack_emulator.conftest import GENERAL
from tests.slack_emulator.errors import SlackError
from tests.slack_emulator.payload import Json


def _plain(text: str) -> Json:
    return {"type": "plain_text", "text": text}


def _mrkdwn(text: str) -> Json:
    return {"type": "mrkdwn", "text": text}


def _button(**changes: object) -> Json:
    return {"type": "button", "text": _plain("Yes"), "action_id": "yes", **changes}


def _actions(*buttons: Json) -> Json:
    return {"type": "actions", "elements": list(buttons)}


def _feedback(value: str) -> Json:
    pair = {name: {"text": _plain("Good"), "value": value} for name in ("positive_button", "negative_button")}
    return {"type": "feedback_buttons", "action_id": "feedback", **pair}


def _rich(*inline: Json) -> Json:
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": list(inline)}]}


def _citation() -> Json:
    details = {"citation_type": "file"}
    return {"type": "citation", "url": "https://example.org/a.pdf", "text": "a.pdf", "index": 1, "details": details}


FITTING: dict[str, Json] = {
    "section": {"type": "section", "text": _mrkdwn("x" * 3_000)},
    "fields": {"type": "section", "fields": [_mrkdwn("x" * 2_000)] * 10},
    "accessory": {"type": "section", "text": _plain("x"), "accessory": _button()},
    "header": {"type": "header", "text": _plain("x" * 150)},
    "markdown": {"type": "markdown", "text": "x" * 12_000},
    "context": {"type": "context", "elements": [_mrkdwn("x")] * 10},
    "actions": _actions(*[_button(action_id=str(number)) for number in range(25)]),
    "button": _actions(_button(text=_plain("x" * 75), value="x" * 2_000, url="x" * 3_000, style="primary")),
    "context_actions": {"type": "context_actions", "elements": [_feedback("x" * 2_000)] * 5},
    "rich_text": _rich({"type": "text", "text": "see "}, _citation()),
    "table": {"type": "table", "rows": [[_plain("x")] * 20] * 100},
    "carousel": {"type": "carousel", "elements": [{"type": "card", "body": _plain("x" * 200)}] * 10},
    "block_id": {"type": "divider", "block_id": "x" * 255},
}

REFUSED: dict[str, tuple[Json, str]] = {
    "long section": ({"type": "section", "text": _mrkdwn("x" * 3_001)}, "must be less than 3001 characters: text/text"),
    "empty section": ({"type": "section"}, "must define either `text` or `fields`: "),
    "empty text": ({"type": "section", "text": _mrkdwn("")}, "must be more than 0 characters: text/text"),
    "unknown text": ({"type": "section", "text": {"type": "html"}}, "failed to match all allowed schemas: text"),
    "eleven fields": ({"type": "section", "fields": [_mrkdwn("x")] * 11}, "no more than 10 items allowed: fields"),
    "long header": ({"type": "header", "text": _plain("x" * 151)}, "must be less than 151 characters: text/text"),
    "mrkdwn header": ({"type": "header", "text": _mrkdwn("x")}, "failed to match all allowed schemas: text"),
    "long button": (_actions(_button(text=_plain("x" * 76))), "must be less than 76 characters: elements/0/text/text"),
    "long value": (_actions(_button(value="x" * 2_001)), "must be less than 2001 characters: elements/0/value"),
    "long action id": (
        _actions(_button(action_id="x" * 256)),
        "must be less than 256 characters: elements/0/action_id",
    ),
    "odd style": (_actions(_button(style="blue")), "must be a valid enum value: elements/0/style"),
    "26 buttons": (_actions(*[_button()] * 26), "no more than 25 items allowed: elements"),
    "no button": (_actions(), "no fewer than 1 item allowed: elements"),
    "text as a button": (_actions(_mrkdwn("x")), "unsupported type: mrkdwn: elements/0/type"),
    "button in a context": ({"type": "context", "elements": [_button()]}, "unsupported type: button: elements/0/type"),
    "eleven in a context": (
        {"type": "context", "elements": [_mrkdwn("x")] * 11},
        "no more than 10 items allowed: elements",
    ),
    "six context actions": (
        {"type": "context_actions", "elements": [_feedback("x")] * 6},
        "no more than 5 items allowed: elements",
    ),
    "broken citation": (_rich({"type": "citation"}), "must be a string: elements/0/elements/0/url"),
    "unknown inline": (_rich({"type": "blink", "text": "x"}), "unsupported type: blink: elements/0/elements/0/type"),
    "101 rows": ({"type": "table", "rows": [[_plain("x")]] * 101}, "must have between 1 and 100 rows: rows"),
    "21 columns": ({"type": "table", "rows": [[_plain("x")] * 21]}, "no more than 20 items allowed: rows/0"),
    "11 cards": ({"type": "carousel", "elements": [{"type": "card"}] * 11}, "no more than 10 items allowed: elements"),
    "long card": ({"type": "card", "title": _plain("x" * 151)}, "must be less than 151 characters: title/text"),
    "image without words": ({"type": "image", "image_url": "https://example.org/x.png"}, "must be a string: alt_text"),
    "unknown block": ({"type": "marquee"}, "unsupported type: marquee: type"),
    "input in a message": ({"type": "input", "label": _plain("x"), "element": {}}, "unsupported type: input: type"),
    "long block id": ({"type": "divider", "block_id": "x" * 256}, "must be less than 256 characters: block_id"),
}


@pytest.mark.parametrize("block", FITTING.values(), ids=FITTING)
def test_a_block_at_its_limits_is_accepted(block: Json):
    check_blocks([block])


@pytest.mark.parametrize(("block", "reason"), REFUSED.values(), ids=REFUSED)
def test_a_block_beyond_a_limit_is_refused_with_the_place_of_the_culprit(block: Json, reason: str):
    words, _, place = reason.rpartition(": ")

    with pytest.raises(SlackError) as caught:
        check_blocks([{"type": "divider"}, block])

    pointer = f"/blocks/1/{place}".rstrip("/")
    assert caught.value.code == "invalid_blocks"
    assert caught.value.reasons == (f"{words} [json-pointer:{pointer}]",)


def test_two_blocks_do_not_share_an_id():
    with pytest.raises(SlackError, match="invalid_blocks"):
        check_blocks([{"type": "divider", "block_id": "same"}] * 2)


def test_a_message_holds_fifty_blocks():
    check_blocks([{"type": "divider"}] * 50)
    with pytest.raises(SlackError) as caught:
        check_blocks([{"type": "divider"}] * 51)
    assert caught.value.reasons == ("no more than 50 items allowed [json-pointer:/blocks]",)


def test_markdown_blocks_share_one_budget():
    with pytest.raises(SlackError, match="msg_blocks_too_long"):
        check_blocks([{"type": "markdown", "text": "x" * 6_001}] * 2)


async def test_the_sdk_reads_the_reason(client: AsyncWebClient):
    refused = await refusal(client.chat_postMessage(channel=GENERAL, text="x", blocks=[{"type": "header"}]))

    assert refused.error == "invalid_blocks"
    assert refused.reasons == ("[ERROR] failed to match all allowed schemas [json-pointer:/blocks/0/text]",)
