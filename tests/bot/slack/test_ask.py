from __future__ import annotations

import pytest

from bot.slack.app import NOT_SHARED
from bot.slack.ephemeral import CUT, USES
from rag.types.answers import StageBegun
from tests.bot.slack.conftest import ADA, BOB, GENERAL, Connect
from tests.bot.slack.parts import BrokenError, DictCache, ScriptedAnswers, an_answer, ready
from tests.slack_emulator.server import SlackEmulator


@pytest.mark.parametrize(
    ("break_it", "told"),
    [
        ("foreign", "Only the person who asked"),
        ("expired", "too old to be shared"),
        ("no member", "not a member of this channel"),
        ("twice", "in the channel already"),
    ],
)
async def test_what_cannot_be_shared_is_told_in_private(
    slack: SlackEmulator, connect: Connect, cache: DictCache, break_it: str, told: str
):
    await connect(ready())
    await slack.slash("/ask", GENERAL, ADA, "leave?")
    *_, private = await slack.settled_ephemeral(ADA, count=2)
    presser = ADA
    match break_it:
        case "foreign":
            presser = BOB
        case "expired":
            cache.rows.clear()
        case "no member":
            slack.remove_bot(GENERAL)
        case _:
            await slack.click(private, "share_answer", ADA)
            await slack.settled_ephemeral(ADA, count=3)
    before = len(slack.ephemerals(presser))
    await slack.click(private, "share_answer", presser)
    *_, message = await slack.settled_ephemeral(presser, count=before + 1)

    assert told in message.text
    assert len([shown for shown in slack.messages if shown.ephemeral_to is None]) == (break_it == "twice")


async def test_an_answer_can_be_shared_after_the_bot_was_invited(slack: SlackEmulator, connect: Connect):
    await connect(ready())
    slack.remove_bot(GENERAL)
    await slack.slash("/ask", GENERAL, ADA, "leave?")
    *_, private = await slack.settled_ephemeral(ADA, count=2)
    await slack.click(private, "share_answer", ADA)
    await slack.settled_ephemeral(ADA, count=3)
    await slack.post(GENERAL, slack.bot_user_id, "joined")
    await slack.click(private, "share_answer", ADA)
    *_, told = await slack.settled_ephemeral(ADA, count=4)
    assert "Shared" in told.text


async def test_an_answer_of_which_only_the_beginning_could_be_shared_is_not_shared_twice(
    slack: SlackEmulator, connect: Connect
):
    await connect(ScriptedAnswers([an_answer("word " * 4_000)]))
    await slack.slash("/ask", GENERAL, ADA, "everything?")
    *_, private = await slack.settled_ephemeral(ADA, count=2)
    slack.fail_next("chat.postMessage", error="restricted_action", after=1)
    await slack.click(private, "share_answer", ADA)
    *_, told = await slack.settled_ephemeral(ADA, count=3)
    assert told.text == "Slack took only the beginning of the answer (restricted_action)."

    await slack.click(private, "share_answer", ADA)
    *_, again = await slack.settled_ephemeral(ADA, count=4)
    assert "in the channel already" in again.text


async def test_a_press_that_breaks_something_is_answered(slack: SlackEmulator, connect: Connect, cache: DictCache):
    await connect(ready())
    await slack.slash("/ask", GENERAL, ADA, "leave?")
    *_, private = await slack.settled_ephemeral(ADA, count=2)
    (key,) = [key for key in cache.rows if key.startswith("shared/")]
    cache.rows[key] = b'{"made_by": "another version"}'
    await slack.click(private, "share_answer", ADA)
    *_, told = await slack.settled_ephemeral(ADA, count=3)
    assert told.text == NOT_SHARED


async def test_a_long_answer_is_shared_in_one_thread(slack: SlackEmulator, connect: Connect):
    await connect(ScriptedAnswers([an_answer("word " * 4_000)]))
    await slack.slash("/ask", GENERAL, ADA, "everything?")
    *_, private = await slack.settled_ephemeral(ADA, count=2)
    await slack.click(private, "share_answer", ADA)
    await slack.settled_ephemeral(ADA, count=3)
    first, *more = [message for message in slack.messages if message.ephemeral_to is None]
    assert [message.thread_ts for message in more] == [
        first.ts
    ] * 2  # the line that says who asked has no room in either


async def test_what_was_answered_in_private_by_the_rights_of_one_person_has_no_button(
    slack: SlackEmulator, connect: Connect
):
    await connect(ready())
    direct = await slack.direct_message(ADA, "hello")
    await slack.settled_thread(direct.channel, direct.ts)
    await slack.slash("/ask", direct.channel, ADA, "leave?")
    *_, private = await slack.settled_ephemeral(ADA, count=2)
    assert [block["type"] for block in private.blocks] == ["markdown", "section"]


async def test_an_answer_longer_than_a_private_reply_can_be_says_so(slack: SlackEmulator, connect: Connect):
    await connect(ScriptedAnswers([StageBegun("Searching …"), an_answer("word " * 14_000)]))
    await slack.slash("/ask", GENERAL, ADA, "everything?")
    shown = await slack.settled_ephemeral(ADA, count=USES)
    assert len(shown) == USES
    assert [block["elements"][0]["text"] for block in shown[-1].blocks] == [CUT]


async def test_a_private_question_that_fails_ends_in_a_private_apology(slack: SlackEmulator, connect: Connect):
    await connect(ScriptedAnswers([StageBegun("Searching <b>"), StageBegun("Reading"), BrokenError("down")]))
    await slack.slash("/ask", GENERAL, ADA, "leave?")
    waiting, apology = await slack.settled_ephemeral(ADA, count=2)
    assert waiting.text == "_Searching &lt;b&gt;_"
    assert apology.text.startswith("Something on my side failed")
    assert len(slack.messages) == 2


async def test_a_hostile_private_answer_pings_nobody_when_it_is_shared(slack: SlackEmulator, connect: Connect):
    text = "<!channel> [x](https://evil.example/?q=1) @here"
    await connect(ScriptedAnswers([an_answer(text)]))
    await slack.slash("/ask", GENERAL, ADA, "<!everyone> who?")
    (private,) = await slack.settled_ephemeral(ADA)
    await slack.click(private, "share_answer", ADA)
    await slack.settled_ephemeral(ADA, count=2)
    assert slack.pinged().users == {ADA}  # who asked, by their own press
    assert not slack.pinged().broadcasts
    assert slack.unfurled() == ()
