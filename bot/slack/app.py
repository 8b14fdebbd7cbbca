"""Slack's deliveries on their way to the conversation: acknowledged first, answered in tasks of their own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Any, Final

import aiohttp
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.context.ack.async_ack import AsyncAck
from slack_sdk.web.async_client import AsyncWebClient

from bot.conversation import APOLOGY, Conversation, Linker, Mention, Reply
from bot.slack.blocks import Message
from bot.slack.ephemeral import SHARE, EphemeralReply, ResponseUrl
from bot.slack.events import Payload, SlackQuestion, asked, commanded, stopped
from bot.slack.reply import SlackReply
from bot.slack.seen import Seen
from bot.slack.sharing import Kept, Shares
from bot.slack.tasks import Tasks
from bot.slack.thread import earlier_turns
from bot.slack.web import Web
from rag.cache.base import Cache

log = logging.getLogger(__name__)

COMMAND: Final = "/ask"
RESTARTING: Final = "I am being restarted and could not finish this answer. Please ask again in a minute."
NOT_SHARED: Final = "Something on my side failed, so I could not share this answer. It is logged; please try again."

_NO_ANSWER_WANTED: Final = ("app_home_opened", "app_context_changed")
_FAREWELLS: Final = ("app_uninstalled", "tokens_revoked")


@dataclass(frozen=True, slots=True, eq=False)
class _RunningAnswer:
    """An answer that is being written in a thread."""

    thread: str
    reply: SlackReply
    task: asyncio.Task[None]


class Listeners:
    """What the bot does about each thing that Slack tells it."""

    def __init__(
        self,
        *,
        web: Web,
        bot_user: str,
        conversation: Conversation,
        cache: Cache,
        linker: Linker,
        tasks: Tasks,
        session: aiohttp.ClientSession | None = None,
    ) -> None:
        self._web = web
        self._bot_user = bot_user
        self._conversation = conversation
        self._linker = linker
        self._tasks = tasks
        self._session = session
        self._seen = Seen(cache)
        self._shares = Shares(cache, web)
        self._runs: set[_RunningAnswer] = set()

    async def on_message(self, body: Payload) -> None:
        """A mention or a direct message: a question, or nothing that concerns the bot."""
        question = asked(body, bot_user=self._bot_user)
        if question is None or not await self._seen.first(*question.keys):
            return
        reply = SlackReply(self._web, question.place, self._linker)
        run = _RunningAnswer(
            question.mention.thread, reply, self._tasks.spawn(self._respond(self._in_context(question), reply))
        )
        self._runs.add(run)
        run.task.add_done_callback(lambda _: self._runs.discard(run))

    async def on_stop(self, body: Payload) -> None:
        """A person pressed "stop": the answers of that thread end as they are."""
        for run in [run for run in self._runs if run.thread == stopped(body)]:
            run.reply.stop()
            run.task.cancel()

    async def on_ask(self, body: Payload) -> None:
        """The slash command: a private answer."""
        mention = commanded(body, bot_user=self._bot_user)

        async def keep(messages: list[Message]) -> str:
            team = str(body.get("team_id", ""))
            return await self._shares.keep(Kept(team, mention.channel, mention.user, mention.text, messages))

        response = ResponseUrl(str(body["response_url"]), self._session)
        # What was answered by the rights of one person is not for a channel.
        reply = EphemeralReply(response, self._linker, keep=None if mention.direct else keep)
        self._tasks.spawn(self._respond(_as_it_is(mention), reply))

    async def on_share(self, body: Payload) -> None:
        """The button below a private answer."""
        self._tasks.spawn(self._share(body))

    async def on_farewell(self, body: Payload) -> None:
        """The workspace has taken its tokens back; only an operator can help."""
        event: Payload = body.get("event") or {}
        log.error("the app is no longer installed", extra={"event": event.get("type"), "team": body.get("team_id")})

    async def _share(self, body: Payload) -> None:
        told = NOT_SHARED
        try:
            told = await self._shares.press(body)
        finally:
            await ResponseUrl(str(body["response_url"]), self._session).say(text=told)

    async def _in_context(self, question: SlackQuestion) -> Mention:
        """The mention, with what stands above it in its thread."""
        if not question.is_follow_up:
            return question.mention
        earlier = await earlier_turns(self._web, question, bot_user=self._bot_user)
        return replace(question.mention, earlier=earlier)

    async def _respond(self, mention: Awaitable[Mention], reply: Reply) -> None:
        """Answer; whatever happens, the reader gets an answer or is told that there is none."""
        apology: str | None = APOLOGY
        try:
            await self._conversation.respond(await mention, reply)
            apology = None
        except asyncio.CancelledError:
            apology = RESTARTING
            raise
        finally:
            if apology is not None:
                await reply.fail(apology)


def build_app(listeners: Listeners, me: AuthorizeResult, *, signing_secret: str, base_url: str) -> AsyncApp:
    """The Bolt app with a listener for everything that the app's manifest subscribes to.

    What has no listener is not acknowledged, and Slack sends it again.
    """

    async def authorize() -> AuthorizeResult:
        # Given a token, Bolt would ask Slack who it is at the first event, and drop that event if Slack is busy.
        return me

    app = AsyncApp(client=AsyncWebClient(base_url=base_url), authorize=authorize, signing_secret=signing_secret)
    for event in ("app_mention", "message"):
        app.event(event)(_heard(listeners.on_message))
    app.event("agent_session_stopped")(_heard(listeners.on_stop))
    for event in _FAREWELLS:
        app.event(event)(_heard(listeners.on_farewell))
    for event in _NO_ANSWER_WANTED:
        app.event(event)(_heard(_nothing))
    app.command(COMMAND)(_acknowledged(listeners.on_ask))
    app.action(SHARE)(_acknowledged(listeners.on_share))
    app.error(_log_error)
    return app


def _heard(handle: Callable[[Payload], Awaitable[None]]) -> Callable[..., Coroutine[Any, Any, None]]:
    """For events: Bolt acknowledges them at once."""

    async def listener(body: dict[str, Any]) -> None:
        await handle(body)

    return listener


def _acknowledged(handle: Callable[[Payload], Awaitable[None]]) -> Callable[..., Coroutine[Any, Any, None]]:
    """For commands and actions: they are ours to acknowledge, before anything else."""

    async def listener(ack: AsyncAck, body: dict[str, Any]) -> None:
        await ack()
        await handle(body)

    return listener


async def _as_it_is(mention: Mention) -> Mention:
    return mention


async def _nothing(body: Payload) -> None:
    """Acknowledged, and that is all."""
    log.debug("event without consequence", extra={"event": (body.get("event") or {}).get("type")})


async def _log_error(error: Exception) -> None:
    log.error("a listener failed", exc_info=error)
