"""The private reply against a response URL that takes no blocks, or nothing at all."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from aiohttp import web

from bot.slack.app import RESTARTING
from bot.slack.ephemeral import NOT_TAKEN, EphemeralReply, ResponseUrl
from tests.bot.slack.parts import PageLinks, an_answer


class Door:
    """A response URL: records what it is asked to show, and shows what `takes` lets pass."""

    def __init__(self) -> None:
        self.takes: Callable[[dict[str, Any]], bool] = lambda _: True
        self.asked: list[dict[str, Any]] = []
        self.shown: list[dict[str, Any]] = []

    async def handle(self, request: web.Request) -> web.Response:
        body: dict[str, Any] = await request.json()
        self.asked.append(body)
        if not self.takes(body):
            return web.Response(status=400, text="invalid_blocks")
        self.shown.append(body)
        return web.Response(text="ok")


@pytest.fixture
def door() -> Door:
    return Door()


@pytest.fixture
async def reply(door: Door) -> AsyncIterator[EphemeralReply]:
    app = web.Application()
    app.add_routes([web.post("/response", door.handle)])
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    response = ResponseUrl(f"http://127.0.0.1:{runner.addresses[0][1]}/response")
    yield EphemeralReply(response, PageLinks(), keep=None)
    await runner.cleanup()


async def test_the_answer_takes_the_place_of_the_waiting_line(door: Door, reply: EphemeralReply):
    await reply.progress("Searching …")
    await reply.finish(an_answer())
    waiting, answer = door.shown
    assert (waiting["replace_original"], answer["replace_original"]) == (False, True)
    assert {body["response_type"] for body in door.shown} == {"ephemeral"}


async def test_an_answer_that_slack_does_not_take_ends_in_words_that_it_takes(door: Door, reply: EphemeralReply):
    door.takes = lambda body: "blocks" not in body
    await reply.progress("Searching …")
    await reply.finish(an_answer("word " * 4_000))
    assert [body["text"] for body in door.shown] == ["_Searching …_", NOT_TAKEN]
    assert door.shown[-1]["replace_original"]


async def test_a_url_that_is_dead_ends_the_attempts(door: Door, reply: EphemeralReply):
    door.takes = lambda _: False
    await reply.finish(an_answer("word " * 4_000))
    assert len(door.asked) == 2
    assert door.shown == []


async def test_an_apology_is_not_put_over_an_answer_that_stands(door: Door, reply: EphemeralReply):
    await reply.finish(an_answer())
    await reply.fail(RESTARTING)
    assert len(door.shown) == 1
