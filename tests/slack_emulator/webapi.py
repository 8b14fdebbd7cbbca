"""The Web API: token, faults, rates, then the method."""

from __future__ import annotations

import asyncio
from typing import Final

from aiohttp import web

from tests.slack_emulator.arguments import Arguments, read_arguments
from tests.slack_emulator.backend import Backend
from tests.slack_emulator.calls import Call
from tests.slack_emulator.errors import RateLimitedError, SlackError
from tests.slack_emulator.faults import Fault
from tests.slack_emulator.methods import METHODS
from tests.slack_emulator.payload import Json

_SCOPES: Final = (
    "app_mentions:read,assistant:write,channels:history,chat:write,commands,files:write,groups:history,im:history,"
    "im:write,mpim:history,reactions:write,users:read,users:read.email"
)
_TOO_MANY: Final = 429


class WebApi:
    """Answers `/api/METHOD`, by GET and by POST."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Record the call, let it meet its fault, and answer it."""
        name = request.match_info["method"]
        try:
            arguments = await read_arguments(request)
        except SlackError as error:
            return _response(*_refusal(error))
        shown = {key: value for key, value in arguments.values.items() if key != "token"}
        number = self._backend.calls.arrived(Call(name, shown, self._backend.clock.now()))
        fault = self._backend.faults.next(name)
        await asyncio.sleep(fault.delay)
        body, status, headers = self._outcome(name, _token(request, arguments), arguments, fault)
        if fault.reply_lost:
            self._backend.calls.answered(number, error=body.get("error"), status=0)
            return _cut_off(request)
        self._backend.calls.answered(number, error=body.get("error"), status=status)
        return _response(body, status, headers)

    def _outcome(self, name: str, token: str, arguments: Arguments, fault: Fault) -> tuple[Json, int, dict[str, str]]:
        if fault.error:
            headers = {} if fault.retry_after is None else {"Retry-After": str(fault.retry_after)}
            return {"ok": False, "error": fault.error}, fault.status, headers
        try:
            return {"ok": True, **self._call(name, token, arguments)}, 200, {}
        except SlackError as error:
            return _refusal(error)

    def _call(self, name: str, token: str, arguments: Arguments) -> Json:
        if name not in METHODS:
            raise SlackError("unknown_method")
        method, identity = METHODS[name], self._backend.identity
        if not token:
            raise SlackError("not_authed")
        if token not in {identity.bot_token, identity.app_token}:
            raise SlackError("invalid_auth")
        if token != (identity.bot_token if method.kind == "bot" else identity.app_token):
            raise SlackError("not_allowed_token_type")
        self._backend.limiter.check(name, arguments.text("channel"))
        return method.handler(self._backend, arguments)


def _token(request: web.Request, arguments: Arguments) -> str:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token if scheme == "Bearer" else arguments.text("token")


def _refusal(error: SlackError) -> tuple[Json, int, dict[str, str]]:
    body: Json = {"ok": False, "error": error.code}
    if error.reasons:
        body["errors"] = list(error.reasons)
        body["response_metadata"] = {"messages": [f"[ERROR] {reason}" for reason in error.reasons]}
    if isinstance(error, RateLimitedError):
        return body, _TOO_MANY, {"Retry-After": str(error.retry_after)}
    return body, 200, {}


def _response(body: Json, status: int, headers: dict[str, str]) -> web.Response:
    return web.json_response(body, status=status, headers={"x-oauth-scopes": _SCOPES, **headers})


def _cut_off(request: web.Request) -> web.Response:
    """Break the connection: what is returned reaches nobody."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response()
