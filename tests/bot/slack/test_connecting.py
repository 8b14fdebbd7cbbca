from __future__ import annotations

import re

import aiohttp
import pytest
from aiohttp import web as http

from bot.conversation import Conversation
from bot.memory import ThreadMemory
from bot.slack.gateway import EVENTS_PATH, SlackGateway
from rag.errors import ConfigurationError
from tests.bot.slack.conftest import ADA, GENERAL, Connect
from tests.bot.slack.parts import (
    DAYS,
    DictCache,
    OpenAccess,
    PageLinks,
    ready,
    said,
)
from tests.slack_emulator.server import SlackEmulator


def _gateway(slack: SlackEmulator, *, bot_token: str = "", app_token: str | None = None) -> SlackGateway:
    return SlackGateway(
        bot_token=bot_token or slack.bot_token,
        app_token=app_token,
        signing_secret=slack.signing_secret,
        conversation=Conversation(ready(), ThreadMemory(DictCache()), OpenAccess()),
        cache=DictCache(),
        linker=PageLinks(),
        api_url=slack.api_url,
    )


async def test_the_first_question_does_not_depend_on_another_call(slack: SlackEmulator, connect: Connect):
    await connect(ready())
    slack.fail_next("auth.test", error="internal_error", times=9)
    question = await slack.mention(GENERAL, ADA, "leave?")
    assert said(*(await slack.settled_thread(GENERAL, question.ts))[1:]) == DAYS


async def test_the_bot_knows_itself_and_whether_it_is_connected(slack: SlackEmulator, connect: Connect):
    gateway = await connect(ready())
    assert (gateway.bot_user, gateway.team) == (slack.bot_user_id, slack.identity.team_id)
    assert gateway.connected
    assert gateway.routes() == []


async def test_a_lost_connection_is_made_again(slack: SlackEmulator, connect: Connect):
    await connect(ready())
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
        conversation=Conversation(ready(), ThreadMemory(DictCache()), OpenAccess()),
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
            conversation=Conversation(ready(), ThreadMemory(DictCache()), OpenAccess()),
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
