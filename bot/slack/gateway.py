"""The connection between a workspace and the conversation, by Socket Mode or by signed requests."""

from __future__ import annotations

import logging
from typing import Final

import aiohttp
from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_sdk.errors import SlackApiError

from bot.conversation import Conversation, Linker
from bot.slack.app import Listeners, build_app
from bot.slack.tasks import Tasks
from bot.slack.web import UNREACHABLE, Web, cause
from rag.cache.base import Cache
from rag.errors import ConfigurationError

log = logging.getLogger(__name__)

SLACK_API: Final = "https://slack.com/api/"
EVENTS_PATH: Final = "/slack/events"
_CALL_SECONDS: Final = 30.0


class SlackGateway:
    """One workspace. With an app token it connects by itself; else Slack must be able to reach `routes()`."""

    def __init__(
        self,
        *,
        bot_token: str,
        app_token: str | None,
        signing_secret: str | None,
        conversation: Conversation,
        cache: Cache,
        linker: Linker,
        api_url: str = SLACK_API,
    ) -> None:
        if app_token is None and signing_secret is None:
            raise ConfigurationError(
                "Slack cannot reach the bot: set SLACK_APP_TOKEN for Socket Mode, or SLACK_SIGNING_SECRET for HTTP."
            )
        self._bot_token = bot_token
        self._app_token = app_token
        self._signing_secret = signing_secret or ""
        self._conversation = conversation
        self._cache = cache
        self._linker = linker
        self._api_url = api_url if api_url.endswith("/") else f"{api_url}/"
        self._tasks = Tasks()
        self._session: aiohttp.ClientSession | None = None
        self._app: AsyncApp | None = None
        self._socket: AsyncSocketModeHandler | None = None
        self.bot_user = ""
        """The bot's own user id, known after `start`."""
        self.team = ""
        """The workspace's id, known after `start`."""

    async def start(self) -> None:
        """Connect. Raises ConfigurationError when Slack does not accept a token."""
        self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=_CALL_SECONDS))
        try:
            await self._connect(self._session)
        except UNREACHABLE as error:
            await self.stop(0)
            raise ConfigurationError(
                f"Slack cannot be reached at {self._api_url} ({cause(error)}): check the network and any proxy."
            ) from error
        except BaseException:
            await self.stop(0)
            raise

    async def stop(self, grace_seconds: float) -> None:
        """Take no more questions, let running answers finish or apologise, then hang up."""
        self._app = None
        try:
            if self._socket is not None:
                await self._socket.close_async()
        finally:
            await self._tasks.drain(grace_seconds)
            if self._session is not None:
                await self._session.close()

    @property
    def connected(self) -> bool:
        """Whether questions can come in."""
        if self._app is None:
            return False
        if self._socket is None:
            return True
        client = self._socket.client
        session = client.current_session
        return not client.closed and not client.stale and session is not None and not session.closed

    def routes(self) -> list[web.RouteDef]:
        """Where Slack delivers by HTTP; none when the bot uses Socket Mode."""
        return [] if self._app_token is not None else [web.post(EVENTS_PATH, self._on_request)]

    async def _connect(self, session: aiohttp.ClientSession) -> None:
        slack = Web.of(self._bot_token, base_url=self._api_url, session=session)
        me = await self._introduce(slack)
        self.bot_user, self.team = me.bot_user_id or "", me.team_id or ""
        listeners = Listeners(
            web=slack,
            bot_user=self.bot_user,
            conversation=self._conversation,
            cache=self._cache,
            linker=self._linker,
            tasks=self._tasks,
            session=session,
        )
        app = build_app(listeners, me, signing_secret=self._signing_secret, base_url=self._api_url)
        if self._app_token is not None:
            url = await self._socket_url(slack, self._app_token)
            self._socket = AsyncSocketModeHandler(app, self._app_token, web_client=slack.patient)
            self._socket.client.wss_uri = url
            await self._socket.connect_async()
        self._app = app
        log.info("connected to Slack", extra={"team": self.team, "socket_mode": self._app_token is not None})

    async def _introduce(self, slack: Web) -> AuthorizeResult:
        try:
            me = await slack.patient.auth_test()
        except SlackApiError as error:
            raise ConfigurationError(
                f"Slack does not accept SLACK_BOT_TOKEN ({cause(error)}). "
                "Copy the bot token (xoxb-…) from the app's page “OAuth & Permissions”, after installing it."
            ) from error
        return AuthorizeResult(
            enterprise_id=me.get("enterprise_id"),
            team_id=str(me["team_id"]),
            bot_user_id=str(me["user_id"]),
            bot_id=me.get("bot_id"),
            bot_token=self._bot_token,
        )

    async def _socket_url(self, slack: Web, app_token: str) -> str:
        # Asked for here, because Bolt would go on asking for ever with a token that cannot work.
        try:
            response = await slack.patient.apps_connections_open(app_token=app_token)
        except SlackApiError as error:
            raise ConfigurationError(
                f"Slack does not accept SLACK_APP_TOKEN ({cause(error)}). "
                "Make an app-level token (xapp-…) with the scope connections:write on the app's page "
                "“Basic Information”, and turn Socket Mode on."
            ) from error
        return str(response["url"])

    async def _on_request(self, request: web.Request) -> web.StreamResponse:
        if self._app is None:
            # Slack tries again, and meets the program that comes after this one.
            return web.Response(status=503, text="The bot is not connected.")
        response = await self._app.async_dispatch(await to_bolt_request(request))
        return await to_aiohttp_response(response)
