"""Pings and link previews: what would have reached people, and what Slack would have fetched."""

from __future__ import annotations

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from tests.slack_emulator.conftest import ADA, GENERAL
from tests.slack_emulator.payload import Json
from tests.slack_emulator.pings import NOBODY, Pings, links_of, pings_of
from tests.slack_emulator.server import SlackEmulator

CHANNEL = Pings(broadcasts=frozenset({"channel"}))


def _rich(*inline: Json) -> list[Json]:
    return [{"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": list(inline)}]}]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<!channel> hello", CHANNEL),
        ("<!here|here> and <!everyone>", Pings(broadcasts=frozenset({"here", "everyone"}))),
        ("<@U0ADA> and <@W123|bob>", Pings(users=frozenset({"U0ADA", "W123"}))),
        ("<!subteam^S0OPS|@ops>", Pings(groups=frozenset({"S0OPS"}))),
        ("`<!channel>` in code", CHANNEL),
        ("&lt;!channel&gt; &lt;@U0ADA&gt;", NOBODY),
        ("<!\u200bchannel> <@\u200bU0ADA>", NOBODY),
        ("@channel, <#C0GENERAL>, a<@b", NOBODY),
    ],
)
def test_markup_pings_where_it_is_live(text: str, expected: Pings):
    assert pings_of([text], []) == expected
    assert pings_of([], [{"type": "markdown", "text": text}]) == expected
    assert pings_of([], [{"type": "section", "text": {"type": "mrkdwn", "text": text}}]) == expected


def test_plain_text_and_the_text_of_rich_text_ping_nobody():
    plain: Json = {"type": "header", "text": {"type": "plain_text", "text": "<!channel>"}}

    assert not pings_of([], [plain, *_rich({"type": "text", "text": "<!channel> <@U0ADA>"})])


def test_rich_text_elements_ping_however_deep_they_stand():
    blocks = _rich(
        {"type": "broadcast", "range": "here"},
        {"type": "user", "user_id": "U0ADA"},
        {"type": "usergroup", "usergroup_id": "S0OPS"},
    )
    table: Json = {"type": "table", "rows": [[blocks[0]]]}

    expected = Pings(frozenset({"U0ADA"}), frozenset({"S0OPS"}), frozenset({"here"}))
    assert pings_of([], blocks) == pings_of([], [table]) == expected


def test_a_typed_broadcast_counts_only_when_names_are_linked():
    assert pings_of(["@channel look"], [], link_names=True) == CHANNEL
    assert not pings_of(["mail me@channel.org"], [], link_names=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see https://a.example/x.", ("https://a.example/x",)),
        ("<https://a.example|label>", ("https://a.example",)),
        ("[one](https://a.example/1)[two](https://a.example/2)", ("https://a.example/1", "https://a.example/2")),
        ("![](https://a.example/pixel.png?q=secret)", ("https://a.example/pixel.png?q=secret",)),
        ("(https://a.example/wiki/X_(y))", ("https://a.example/wiki/X_(y)",)),
        ("www.a.example and www.a.example", ("www.a.example",)),
        ("handbook.md, page 3", ()),
    ],
)
def test_links_are_found_as_text_and_as_markup(text: str, expected: tuple[str, ...]):
    assert links_of([text], []) == expected
    assert links_of([], [{"type": "markdown", "text": text}]) == expected


def test_links_and_citations_in_rich_text_are_links_and_buttons_are_not():
    button = {"type": "button", "url": "https://c.example", "text": {"type": "plain_text", "text": "Open"}}
    rich = _rich({"type": "link", "url": "https://a.example"}, {"type": "citation", "url": "https://b.example"})
    blocks: list[Json] = [*rich, {"type": "actions", "elements": [button]}]

    assert links_of([], blocks) == ("https://a.example", "https://b.example")


def test_a_link_in_code_is_shown_and_not_looked_up():
    text = "see `https://a.example` and ```\nhttps://b.example\n``` not https://c.example or `https://d.example"
    assert links_of([text], []) == ("https://c.example", "https://d.example")


async def test_an_app_that_forbids_previews_with_both_flags_has_none(slack: SlackEmulator, client: AsyncWebClient):
    text = "https://a.example"
    await client.chat_postMessage(channel=GENERAL, text=text, unfurl_links=False, unfurl_media=False)
    with_both = slack.unfurled()
    await client.chat_postMessage(channel=GENERAL, text=text, unfurl_links=False)

    assert (with_both, slack.unfurled()) == ((), ("https://a.example",))


async def test_streamed_text_has_no_flag_and_pings_across_pieces(slack: SlackEmulator, client: AsyncWebClient):
    question = await slack.direct_message(ADA, "hi")
    stream = await client.chat_stream(channel=question.channel, thread_ts=question.ts, buffer_size=1)

    await stream.append(markdown_text="[1](https://a.example/doc) <!chan")
    at_first = slack.pinged()
    await stream.append(markdown_text="nel>")
    await stream.stop()

    assert (at_first, slack.pinged(), slack.unfurled()) == (NOBODY, CHANNEL, ("https://a.example/doc",))


async def test_a_task_that_pings_is_noticed(slack: SlackEmulator, client: AsyncWebClient):
    question = await slack.direct_message(ADA, "hi")
    task: Json = {"type": "task_update", "id": "1", "title": "Reading <!channel>", "status": "complete"}

    await client.chat_startStream(channel=question.channel, thread_ts=question.ts, chunks=[task])

    assert slack.pinged() == CHANNEL


async def test_a_ping_that_was_edited_away_or_deleted_was_a_ping(slack: SlackEmulator, client: AsyncWebClient):
    posted = await client.chat_postMessage(channel=GENERAL, text="<!channel>")
    ts = str(posted["ts"])

    await client.chat_update(channel=GENERAL, ts=ts, text="never mind")
    edited = slack.message(GENERAL, ts).pings
    await client.chat_delete(channel=GENERAL, ts=ts)

    assert edited == slack.pinged() == CHANNEL


async def test_members_may_ping_whom_they_like(slack: SlackEmulator):
    message = await slack.mention(GENERAL, ADA, "<!channel> look")

    assert message.pings.broadcasts == {"channel"}
    assert not slack.pinged()
