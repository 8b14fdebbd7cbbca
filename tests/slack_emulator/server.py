"""The stand-in as a whole: start it, point the SDK at it, act in it and look at it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from types import TracebackType
from typing import Final, Self

import aiohttp
from aiohttp import web

from tests.slack_emulator.backend import Backend, open_backend
from tests.slack_emulator.clock import Timing
from tests.slack_emulator.delivery import Delivery
from tests.slack_emulator.faults import Fault
from tests.slack_emulator.identity import Identity
from tests.slack_emulator.members import Members
from tests.slack_emulator.message import StreamState
from tests.slack_emulator.observation import Observation
from tests.slack_emulator.payload import Json
from tests.slack_emulator.responses import handle_response
from tests.slack_emulator.signed_http import SignedHttp
from tests.slack_emulator.socket_mode import DisconnectReason
from tests.slack_emulator.streams import ended
from tests.slack_emulator.webapi import WebApi
from tests.slack_emulator.workspace import Channel, User

EVERYTHING: Final = frozenset(
    {
        "agent_session_stopped",
        "app_context_changed",
        "app_home_opened",
        "app_mention",
        "app_uninstalled",
        "message.channels",
        "message.groups",
        "message.im",
        "message.mpim",
        "tokens_revoked",
    }
)
"""The events that an app hears of when its manifest asks for all of them."""

_LARGEST_BODY: Final = 64 * 1024 * 1024
_TOO_MANY: Final = 429


class SlackEmulator(Members, Observation):
    """Slack on 127.0.0.1, as an async context manager."""

    def __init__(
        self,
        *,
        port: int = 0,
        timing: Timing | None = None,
        identity: Identity | None = None,
        subscriptions: Collection[str] = EVERYTHING,
    ) -> None:
        self._port = port
        self.backend: Backend = open_backend(identity or Identity(), timing or Timing(), subscriptions)
        self._runner: web.AppRunner | None = None
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        self._runner = web.AppRunner(self._application(), shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self._port).start()
        host, port = self._runner.addresses[0][:2]
        self.backend.root = f"http://{host}:{port}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.backend.courier.close()
        await self.backend.sockets.close()
        if self._session is not None:
            await self._session.close()
        if self._runner is not None:
            await self._runner.cleanup()

    @property
    def api_url(self) -> str:
        """What the SDK wants as its base URL."""
        return f"{self.backend.root}/api/"

    @property
    def identity(self) -> Identity:
        """The app's ids and secrets."""
        return self.backend.identity

    @property
    def bot_token(self) -> str:
        """The token of the Web API."""
        return self.identity.bot_token

    @property
    def app_token(self) -> str:
        """The token of Socket Mode."""
        return self.identity.app_token

    @property
    def signing_secret(self) -> str:
        """What requests to the app are signed with."""
        return self.identity.signing_secret

    @property
    def bot_user_id(self) -> str:
        """The app as a member."""
        return self.identity.bot_user_id

    @property
    def sockets_opened(self) -> int:
        """How many sockets the app has opened so far."""
        return self.backend.sockets.opened

    def add_user(self, name: str, *, user_id: str | None = None, real_name: str = "") -> str:
        """Let a member join the workspace; give the id."""
        workspace = self.backend.workspace
        return workspace.add_user(User(user_id or workspace.new_id("U"), name, real_name or name.title())).id

    def add_channel(
        self,
        name: str,
        *,
        channel_id: str | None = None,
        members: Collection[str] = (),
        private: bool = False,
        with_bot: bool = True,
    ) -> str:
        """Open a channel; give the id."""
        everyone = {*members, self.bot_user_id} if with_bot else set(members)
        kind = "group" if private else "channel"
        channel = Channel(channel_id or self.backend.workspace.new_id("C"), name, kind, frozenset(everyone))
        return self.backend.workspace.add_channel(channel).id

    def remove_bot(self, channel: str) -> None:
        """Take the app out of a channel."""
        self.backend.workspace.leave(channel, self.bot_user_id)

    async def deliver_to(self, url: str) -> None:
        """Deliver by signed HTTP from now on; raise VerificationError when `url` fails the handshake."""
        self._session = self._session or aiohttp.ClientSession()
        transport = SignedHttp(url, self.identity, self.backend.timing, self._session)
        await transport.verify()
        self.backend.courier.transport = transport

    def fail_next(
        self,
        method: str,
        *,
        error: str = "internal_error",
        status: int = 200,
        retry_after: int | None = None,
        times: int = 1,
        after: int = 0,
    ) -> None:
        """Refuse the next `times` calls of a method, once `after` more went through."""
        self.backend.faults.plan(method, Fault(error, status, retry_after), times=times, after=after)

    def limit_next(self, method: str, *, retry_after: int = 1, times: int = 1, after: int = 0) -> None:
        """Answer the next calls of a method with 429."""
        self.fail_next(method, error="ratelimited", status=_TOO_MANY, retry_after=retry_after, times=times, after=after)

    def delay_next(self, method: str, seconds: float, *, times: int = 1, after: int = 0) -> None:
        """Let the next calls of a method wait before they are looked at."""
        self.backend.faults.plan(method, Fault(delay=seconds), times=times, after=after)

    def lose_next_reply(self, method: str, *, times: int = 1, after: int = 0) -> None:
        """Let the next calls of a method take effect and break the connection before the answer."""
        self.backend.faults.plan(method, Fault(reply_lost=True), times=times, after=after)

    def skip(self, seconds: float) -> None:
        """Let time pass at once for everything that expires and for the rates."""
        self.backend.clock.skip(seconds)
        self.backend.changes.announce()

    def expire_streams(self) -> None:
        """Close every open stream, as Slack does after a while."""
        for message in self.messages:
            if message.streaming:
                self.backend.timeline.streamed(message, ended(message, StreamState.EXPIRED))

    async def disconnect(self, reason: DisconnectReason = "refresh_requested") -> None:
        """Announce to the app that its sockets end, as Slack does every few hours; a warning leaves them open."""
        await self.backend.sockets.disconnect(reason)

    def drop_sockets(self) -> None:
        """Cut the app's sockets without a word."""
        self.backend.sockets.drop()

    async def publish(self, event: Json) -> Delivery | None:
        """Tell the app of any event; None where it did not subscribe."""
        return self.backend.timeline.publish(event)

    def redeliver(self, delivery: Delivery) -> None:
        """Tell the app once more what it was told before."""
        self.backend.courier.redeliver(delivery)

    def _application(self) -> web.Application:
        application = web.Application(client_max_size=_LARGEST_BODY)
        application.router.add_route("*", "/api/{method}", WebApi(self.backend).handle)
        application.router.add_get("/socket", self.backend.sockets.handle)
        application.router.add_post("/response/{key}", self._respond)
        application.router.add_post("/upload/{id}", self._upload)
        return application

    async def _respond(self, request: web.Request) -> web.Response:
        return await handle_response(self.backend, request)

    async def _upload(self, request: web.Request) -> web.Response:
        upload = self.backend.uploads.get(request.match_info["id"])
        content = await request.read()
        if upload is None or len(content) != upload.length:
            return web.Response(text="the upload does not fit what was announced", status=400)
        self.backend.uploads[upload.id] = replace(upload, content=content)
        return web.Response(text=f"OK - {upload.length}")
