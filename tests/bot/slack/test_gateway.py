from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator

import aiohttp
import pytest
from aiohttp import web as http

from bot.conversation import APOLOGY, Conversation
from bot.memory import ThreadMemory
from bot.slack.app import BROKEN, RESTARTING
from bot.slack.gateway import EVENTS_PATH, SlackGateway
from rag.errors import ConfigurationError
from rag.types import Progress, Turn
from tests.bot.slack.conftest import ADA, GENERAL, Connect
from tests.bot.slack.parts import (
    DAYS,
    BrokenError,
    DeadCache,
    DictCache,
    OpenAccess,
    PageLinks,
    ScriptedAnswers,
    an_answer,
)
from tests.slack_emulator.message import Message
from tests.slack_emulator.server import SlackEmulator


def _ready() -> ScriptedAnswers:
    return ScriptedAnswers([Progress("Searching …"), DAYS, an_answer()])


def _said(messages: list[Message]) -> str:
    blocks = [block for message in messages for block in message.blocks if block["type"] == "markdown"]
    return "".join(message.markdown for message in messages) + "".join(block["text"] for block in blocks)


def _gateway(slack: SlackEmulator, *, bot_token: str = "", app_token: str | None = None) -> SlackGateway:
    return SlackGateway(
        bot_token=bot_token or slack.bot_token,
        app_token=app_token,
        signing_secret=slack.signing_secret,
        conversation=Conversation(_ready(), ThreadMemory(DictCache()), OpenAccess()),
        cache=DictCache(),
        linker=PageLinks(),
        api_url=slack.api_url,
    )


@pytest.fixture(params=["socket", "http"])
async def answers(
    request: pytest.FixtureRequest, slack: SlackEmulator, connect: Connect
) -> AsyncIterator[ScriptedAnswers]:
    """A connected bot that always knows its answer, by each way of delivery."""
    scripted = _ready()
    if request.param == "socket":
        await connect(scripted)
        yield scripted
        return
    gateway = await connect(scripted, app_token=None)
    app = http.Application()
    app.add_routes(gateway.routes())
    runner = http.AppRunner(app)
    await runner.setup()
    await http.TCPSite(runner, "127.0.0.1", 0).start()
    await slack.deliver_to(f"http://127.0.0.1:{runner.addresses[0][1]}{EVENTS_PATH}")
    yield scripted
    await runner.cleanup()


async def test_a_mention_is_answered_in_its_thread_once(slack: SlackEmulator, answers: ScriptedAnswers):
    question = await slack.mention(GENERAL, ADA, "How many &amp; why?")
    thread = await slack.settled_thread(GENERAL, question.ts)
    await slack.delivered()

    assert _said(thread[1:]) == DAYS
    assert len(answers.asked) == 1
    assert len(slack.events("message")) >= len(slack.events("app_mention")) == 1


async def test_a_direct_message_that_names_the_bot_is_answered_once(slack: SlackEmulator, answers: ScriptedAnswers):
    question = await slack.direct_message(ADA, f"<@{slack.bot_user_id}> leave?")
    thread = await slack.settled_thread(question.channel, question.ts)
    await slack.delivered()

    assert _said(thread[1:]) == DAYS
    assert [asked for asked, _, _ in answers.asked] == ["leave?"]


async def test_what_is_delivered_again_is_not_answered_again(slack: SlackEmulator, answers: ScriptedAnswers):
    question = await slack.mention(GENERAL, ADA, "leave?")
    await slack.settled_thread(GENERAL, question.ts)
    slack.redeliver(slack.events("app_mention")[0])
    await asyncio.sleep(0.3)

    assert len(slack.events("app_mention")[0].attempts) == 2
    assert len(answers.asked) == 1


async def test_talk_that_does_not_name_the_bot_is_left_alone(slack: SlackEmulator, answers: ScriptedAnswers):
    message = await slack.post(GENERAL, ADA, "How many days?")
    edited = await slack.edit(message, "How many days of leave?")
    await slack.delete(edited)
    await slack.delivered()
    assert answers.asked == []


async def test_everything_that_the_app_subscribes_to_is_acknowledged(slack: SlackEmulator, answers: ScriptedAnswers):
    await slack.open_app(ADA)
    for event in ("app_context_changed", "app_uninstalled", "tokens_revoked", "agent_session_stopped"):
        await slack.publish({"type": event, "user": ADA, "channel": GENERAL, "thread_ts": "1.1", "event_ts": "1.2"})
    await slack.delivered()

    assert len(slack.deliveries) == 5
    assert all(len(delivery.attempts) == 1 for delivery in slack.deliveries)
    assert answers.asked == []


async def test_a_slash_command_is_answered_in_private_and_shared_on_demand(
    slack: SlackEmulator, answers: ScriptedAnswers
):
    delivery = await slack.slash("/ask", GENERAL, ADA, "leave?")
    *_, private = await slack.settled_ephemeral(ADA, count=2)
    assert delivery.acknowledged
    assert _said([private]) == DAYS
    assert [message for message in slack.messages if message.ephemeral_to is None] == []

    await slack.click(private, "share_answer", ADA)
    *_, told = await slack.settled_ephemeral(ADA, count=3)
    (public,) = [message for message in slack.messages if message.ephemeral_to is None]
    assert told.text == ":white_check_mark: Shared in the channel."
    assert public.blocks[0]["elements"][0]["text"] == f"<@{ADA}> asked: leave?"
    assert _said([public]) == DAYS
    assert not public.unfurls


async def test_a_follow_up_remembers_and_a_late_call_reads_the_thread(slack: SlackEmulator, answers: ScriptedAnswers):
    first = await slack.post(GENERAL, ADA, "We talk about parental leave.")
    await slack.mention(GENERAL, ADA, "how long?", thread_ts=first.ts)
    await slack.settled_thread(GENERAL, first.ts)
    await slack.mention(GENERAL, ADA, "and in Spain?", thread_ts=first.ts)
    await slack.settled_thread(GENERAL, first.ts)

    histories = [history for _, history, _ in answers.asked]
    assert histories[0] == (Turn("user", "We talk about parental leave."),)
    assert histories[1] == (Turn("user", "how long?"), Turn("assistant", DAYS))


async def test_a_thread_that_may_not_be_read_is_answered_all_the_same(slack: SlackEmulator, answers: ScriptedAnswers):
    slack.fail_next("conversations.replies", error="missing_scope")
    first = await slack.post(GENERAL, ADA, "We talk about parental leave.")
    await slack.mention(GENERAL, ADA, "how long?", thread_ts=first.ts)
    await slack.settled_thread(GENERAL, first.ts)
    assert [history for _, history, _ in answers.asked] == [()]


@pytest.mark.parametrize(("line", "apology"), [(BrokenError("down"), APOLOGY), (ZeroDivisionError("bug"), BROKEN)])
async def test_an_error_ends_in_an_apology_and_in_the_log(
    slack: SlackEmulator, connect: Connect, caplog: pytest.LogCaptureFixture, line: Exception, apology: str
):
    await connect(ScriptedAnswers(["Annual ", line]))
    question = await slack.mention(GENERAL, ADA, "leave?")
    thread = await slack.settled_thread(GENERAL, question.ts)

    assert _said(thread[1:]) == f"Annual \n\n{apology}"
    (error,) = [record.exc_info[1] for record in caplog.records if record.levelno == logging.ERROR and record.exc_info]
    assert error is line


async def test_stopping_lets_a_running_answer_finish(slack: SlackEmulator, connect: Connect):
    go_on = asyncio.Event()
    gateway = await connect(ScriptedAnswers(["Annual ", go_on, "leave.", an_answer("Annual leave.")]))
    question = await slack.mention(GENERAL, ADA, "leave?")
    await _streaming(slack, question)
    stopping = asyncio.create_task(gateway.stop(10))
    await asyncio.sleep(0.05)
    go_on.set()
    await stopping

    assert _said(slack.thread(GENERAL, question.ts)[1:]) == "Annual leave."
    assert not gateway.connected


async def test_an_answer_that_a_restart_cuts_off_apologises(slack: SlackEmulator, connect: Connect):
    gateway = await connect(ScriptedAnswers(["Annual ", asyncio.Event()]))
    question = await slack.mention(GENERAL, ADA, "leave?")
    await _streaming(slack, question)
    await gateway.stop(0)

    (answer,) = slack.thread(GENERAL, question.ts)[1:]
    assert _said([answer]) == f"Annual \n\n{RESTARTING}"
    assert not answer.streaming


async def test_the_stop_button_ends_the_work_without_another_word(slack: SlackEmulator, connect: Connect):
    answers = ScriptedAnswers(["Annual ", asyncio.Event()])
    gateway = await connect(answers)
    question = await slack.mention(GENERAL, ADA, "leave?")
    await slack.stop_stream(await _streaming(slack, question))
    await slack.delivered()
    async with asyncio.timeout(10):
        await gateway.stop(60)

    assert _said(slack.thread(GENERAL, question.ts)[1:]) == "Annual "


async def test_a_dead_cache_does_not_double_answers(slack: SlackEmulator, connect: Connect):
    answers = _ready()
    await connect(answers, store=DeadCache())
    question = await slack.direct_message(ADA, f"<@{slack.bot_user_id}> leave?")
    await slack.settled_thread(question.channel, question.ts)
    await slack.delivered()
    assert len(answers.asked) == 1


async def test_the_first_question_does_not_depend_on_another_call(slack: SlackEmulator, connect: Connect):
    await connect(_ready())
    slack.fail_next("auth.test", error="internal_error", times=9)
    question = await slack.mention(GENERAL, ADA, "leave?")
    assert _said((await slack.settled_thread(GENERAL, question.ts))[1:]) == DAYS


async def test_a_slack_that_does_not_end_a_stopped_stream_itself_is_helped(slack: SlackEmulator, connect: Connect):
    await connect(ScriptedAnswers(["Annual ", asyncio.Event()]))
    question = await slack.mention(GENERAL, ADA, "leave?")
    await _streaming(slack, question)
    await slack.publish({"type": "agent_session_stopped", "channel": GENERAL, "thread_ts": question.ts})
    thread = await slack.settled_thread(GENERAL, question.ts)

    assert _said(thread[1:]) == "Annual "


async def test_two_bots_with_one_cache_answer_once(slack: SlackEmulator, connect: Connect):
    one, other = _ready(), _ready()
    await connect(one)
    await connect(other)
    await slack.wait_connected(2)
    for _ in range(4):
        question = await slack.direct_message(ADA, f"<@{slack.bot_user_id}> leave?")
        await slack.settled_thread(question.channel, question.ts)
    await slack.delivered()
    assert len(one.asked) + len(other.asked) == 4


async def test_the_bot_knows_itself_and_whether_it_is_connected(slack: SlackEmulator, connect: Connect):
    gateway = await connect(_ready())
    assert (gateway.bot_user, gateway.team) == (slack.bot_user_id, slack.identity.team_id)
    assert gateway.connected
    assert gateway.routes() == []


async def test_a_lost_connection_is_made_again(slack: SlackEmulator, connect: Connect):
    await connect(_ready())
    await slack.disconnect("refresh_requested")
    await slack.wait_connected()
    question = await slack.mention(GENERAL, ADA, "leave?")
    await slack.settled_thread(GENERAL, question.ts)
    assert slack.sockets_opened >= 2


@pytest.mark.parametrize(
    ("method", "setting", "error"),
    [
        ("auth.test", "SLACK_BOT_TOKEN", "invalid_auth"),
        ("apps.connections.open", "SLACK_APP_TOKEN", "not_allowed_token_type"),
    ],
)
async def test_a_token_that_slack_refuses_is_named_with_its_remedy(
    slack: SlackEmulator, method: str, setting: str, error: str
):
    slack.fail_next(method, error=error)
    with pytest.raises(ConfigurationError, match=rf"{setting} \({error}\)\. .*page"):
        await _gateway(slack, app_token=slack.app_token).start()


@pytest.mark.parametrize(
    ("bot_token", "app_token", "setting"),
    [("xoxb-of-nobody", None, "SLACK_BOT_TOKEN"), ("", "xapp-of-nobody", "SLACK_APP_TOKEN")],
)
async def test_a_token_of_nobody_stops_the_start(
    slack: SlackEmulator, bot_token: str, app_token: str | None, setting: str
):
    gateway = _gateway(slack, bot_token=bot_token, app_token=app_token)
    with pytest.raises(ConfigurationError, match=rf"{setting} \(invalid_auth\)"):
        await gateway.start()
    assert not gateway.connected
    assert slack.sockets_opened == 0


async def test_a_slack_that_cannot_be_reached_is_named(slack: SlackEmulator):
    gateway = SlackGateway(
        bot_token="xoxb-1",
        app_token="xapp-1",
        signing_secret=None,
        conversation=Conversation(_ready(), ThreadMemory(DictCache()), OpenAccess()),
        cache=DictCache(),
        linker=PageLinks(),
        api_url="http://127.0.0.1:9/api/",
    )
    with pytest.raises(ConfigurationError, match=re.escape("cannot be reached at http://127.0.0.1:9/api/")):
        await gateway.start()
    assert not gateway.connected


def test_without_a_way_in_there_is_no_bot():
    with pytest.raises(ConfigurationError, match=r"SLACK_APP_TOKEN.*SLACK_SIGNING_SECRET"):
        SlackGateway(
            bot_token="xoxb-1",
            app_token=None,
            signing_secret=None,
            conversation=Conversation(_ready(), ThreadMemory(DictCache()), OpenAccess()),
            cache=DictCache(),
            linker=PageLinks(),
        )


async def test_a_request_that_slack_did_not_sign_is_refused(slack: SlackEmulator):
    gateway = _gateway(slack)
    app = http.Application()
    app.add_routes(gateway.routes())
    runner = http.AppRunner(app)
    await runner.setup()
    await http.TCPSite(runner, "127.0.0.1", 0).start()
    url = f"http://127.0.0.1:{runner.addresses[0][1]}{EVENTS_PATH}"
    async with aiohttp.ClientSession() as session:
        async with session.post(url, json={"type": "event_callback"}) as response:
            assert response.status == 503
        await gateway.start()
        async with session.post(url, json={"type": "event_callback"}) as response:
            assert response.status == 401
    await gateway.stop(0)
    await runner.cleanup()


async def _streaming(slack: SlackEmulator, question: Message) -> Message:
    def open_streams() -> list[Message]:
        return [message for message in slack.thread(GENERAL, question.ts) if message.streaming]

    await slack.until(lambda: bool(open_streams()), what="an open stream")
    return open_streams()[0]
