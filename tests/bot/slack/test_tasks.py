from __future__ import annotations

import asyncio
import logging

import pytest

from bot.slack.tasks import Tasks


async def test_draining_lets_running_work_finish():
    tasks, done = Tasks(), list[str]()

    async def work() -> None:
        await asyncio.sleep(0.02)
        done.append("finished")

    tasks.spawn(work())
    await tasks.drain(10)
    assert done == ["finished"]
    assert len(tasks) == 0


async def test_draining_waits_for_work_that_is_started_meanwhile():
    tasks, done = Tasks(), list[str]()

    async def late() -> None:
        await asyncio.sleep(0.02)
        done.append("late")

    async def early() -> None:
        await asyncio.sleep(0.01)
        tasks.spawn(late())

    tasks.spawn(early())
    await tasks.drain(10)
    assert done == ["late"]


async def test_work_that_was_started_just_now_may_say_so_as_well():
    tasks, said = Tasks(), list[str]()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            said.append("sorry")

    tasks.spawn(work())
    await tasks.drain(0)
    assert said == ["sorry"]


async def test_work_that_takes_too_long_may_say_so_before_it_ends():
    tasks, said = Tasks(), list[str]()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            said.append("sorry")

    tasks.spawn(work())
    await asyncio.sleep(0)
    await tasks.drain(0)
    assert said == ["sorry"]


async def test_a_failure_is_logged_with_its_traceback(caplog: pytest.LogCaptureFixture):
    tasks = Tasks()

    async def work() -> None:
        await asyncio.sleep(0)
        raise LookupError("lost")

    task = tasks.spawn(work())
    await asyncio.wait([task])
    await asyncio.sleep(0)
    (record,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert record.exc_info is not None and str(record.exc_info[1]) == "lost"


async def test_draining_nothing_is_done_at_once():
    await Tasks().drain(10)
