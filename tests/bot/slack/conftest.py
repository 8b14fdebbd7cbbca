"""A workspace on loopback with one member, one channel, and a bot of ours that is connected to it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack

import pytest

from bot.conversation import Conversation
from bot.memory import ThreadMemory
from bot.slack.events import Place
from bot.slack.gateway import SlackGateway
from bot.slack.reply import SlackReply
from bot.slack.web import Web
from rag.cache.base import Cache
from tests.bot.slack.parts import DictCache, OpenAccess, PageLinks, ScriptedAnswers
from tests.slack_emulator.clock import Timing
from tests.slack_emulator.message import Message
from tests.slack_emulator.server import SlackEmulator

ADA, BOB = "U0ADA", "U0BOB"
GENERAL = "C0GENERAL"

Connect = Callable[..., Awaitable[SlackGateway]]


@pytest.fixture
async def slack() -> AsyncIterator[SlackEmulator]:
    async with SlackEmulator(timing=Timing(retries=(0.0, 0.05, 0.1))) as emulator:
        emulator.add_user("ada", user_id=ADA, real_name="Ada Lovelace")
        emulator.add_user("bob", user_id=BOB)
        emulator.add_channel("general", channel_id=GENERAL, members=[ADA, BOB])
        yield emulator


@pytest.fixture
def cache() -> DictCache:
    return DictCache()


@pytest.fixture
def web(slack: SlackEmulator) -> Web:
    return Web.of(slack.bot_token, base_url=slack.api_url)


@pytest.fixture
async def question(slack: SlackEmulator) -> Message:
    return await slack.post(GENERAL, ADA, "How many days of leave?")


@pytest.fixture
def place(slack: SlackEmulator, question: Message) -> Place:
    return Place(slack.identity.team_id, GENERAL, question.ts, ADA)


@pytest.fixture
def reply(web: Web, place: Place) -> SlackReply:
    """A reply in the question's thread that does not wait between two calls."""
    return SlackReply(web, place, PageLinks(), pace=0.0)


@pytest.fixture
async def connect(slack: SlackEmulator, cache: DictCache) -> AsyncIterator[Connect]:
    """Connects a bot with the given answers, by Socket Mode unless told otherwise."""
    async with AsyncExitStack() as stack:

        async def connected(
            answers: ScriptedAnswers, *, app_token: str | None = slack.app_token, store: Cache = cache
        ) -> SlackGateway:
            gateway = SlackGateway(
                bot_token=slack.bot_token,
                app_token=app_token,
                signing_secret=slack.signing_secret,
                conversation=Conversation(answers, ThreadMemory(store), OpenAccess()),
                cache=store,
                linker=PageLinks(),
                api_url=slack.api_url,
            )
            await gateway.start()
            stack.push_async_callback(gateway.stop, 0)
            return gateway

        yield connected
