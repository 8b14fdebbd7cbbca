from __future__ import annotations

import asyncio
import logging

import pytest

from bot.conversation import APOLOGY
from bot.slack.app import RESTARTING
from tests.bot.slack.conftest import ADA, GENERAL, Connect
from tests.bot.slack.parts import (
    BrokenError,
    ScriptedAnswers,
    an_answer,
    said,
)
from tests.slack_emulator.message import Message
from tests.slack_emulator.server import SlackEmulator


@pytest.mark.parametrize("line", [BrokenError("down"), ZeroDivisionError("bug")])
async def test_an_error_ends_in_an_apology_and_in_the_log(
    slack: SlackEmulator, connect: Connect, caplog: pytest.LogCaptureFixture, line: Exception
):
    await connect(ScriptedAnswers(["Annual ", line]))
    question = await slack.mention(GENERAL, ADA, "leave?")
    thread = await slack.settled_thread(GENERAL, question.ts)

    assert said(*thread[1:]) == f"Annual \n\n{APOLOGY}"
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

    assert said(*slack.thread(GENERAL, question.ts)[1:]) == "Annual leave."
    assert not gateway.connected


async def test_an_answer_that_a_restart_cuts_off_apologises(slack: SlackEmulator, connect: Connect):
    gateway = await connect(ScriptedAnswers(["Annual ", asyncio.Event()]))
    question = await slack.mention(GENERAL, ADA, "leave?")
    await _streaming(slack, question)
    await gateway.stop(0)

    (answer,) = slack.thread(GENERAL, question.ts)[1:]
    assert said(answer) == f"Annual \n\n{RESTARTING}"
    assert not answer.streaming


async def test_the_stop_button_ends_the_work_without_another_word(slack: SlackEmulator, connect: Connect):
    answers = ScriptedAnswers(["Annual ", asyncio.Event()])
    gateway = await connect(answers)
    question = await slack.mention(GENERAL, ADA, "leave?")
    await slack.stop_stream(await _streaming(slack, question))
    await slack.delivered()
    async with asyncio.timeout(10):
        await gateway.stop(60)

    assert said(*slack.thread(GENERAL, question.ts)[1:]) == "Annual "


async def test_a_slack_that_does_not_end_a_stopped_stream_itself_is_helped(slack: SlackEmulator, connect: Connect):
    await connect(ScriptedAnswers(["Annual ", asyncio.Event()]))
    question = await slack.mention(GENERAL, ADA, "leave?")
    await _streaming(slack, question)
    await slack.publish({"type": "agent_session_stopped", "channel": GENERAL, "thread_ts": question.ts})
    thread = await slack.settled_thread(GENERAL, question.ts)

    assert said(*thread[1:]) == "Annual "


async def _streaming(slack: SlackEmulator, question: Message) -> Message:
    def open_streams() -> list[Message]:
        return [message for message in slack.thread(GENERAL, question.ts) if message.streaming]

    await slack.until(lambda: bool(open_streams()), what="an open stream")
    return open_streams()[0]
