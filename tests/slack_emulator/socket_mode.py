"""Socket Mode: several sockets, each envelope to one of them, acknowledged in time or not at all."""

from __future__ import annotations

import asyncio
import itertools
import json
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from aiohttp import WSMsgType, web

from tests.slack_emulator.changes import Changes
from tests.slack_emulator.clock import Timing
from tests.slack_emulator.delivery import Attempt, Envelope, EnvelopeKind
from tests.slack_emulator.identity import Identity
from tests.slack_emulator.limits import SOCKETS
from tests.slack_emulator.payload import Json, mapping, string

DisconnectReason: TypeAlias = Literal["warning", "refresh_requested", "too_many_websockets", "link_disabled"]

_CLOSED_BY_SERVER: Final = 1000
_CLOSING: Final = 0.5  # seconds that a client has to answer a close


@dataclass(slots=True, eq=False)
class _Socket:
    """One connection, and the envelopes that it was given and has not acknowledged."""

    web: web.WebSocketResponse
    request: web.Request
    pending: dict[str, asyncio.Future[Json | None]] = field(default_factory=dict[str, "asyncio.Future[Json | None]"])


class SocketHub:
    """The server's side of every socket that the app has opened."""

    def __init__(self, identity: Identity, timing: Timing, changes: Changes) -> None:
        self._identity = identity
        self._timing = timing
        self._changes = changes
        self._sockets: list[_Socket] = []
        self._tickets: set[str] = set()
        self._turns = itertools.count()
        self._ticket_numbers = itertools.count(1)
        self.opened = 0
        """How many sockets were ever opened."""

    @property
    def connected(self) -> int:
        """How many sockets are open."""
        return len(self._sockets)

    def ticket(self) -> str:
        """A secret that opens one socket, once."""
        ticket = f"ticket-{next(self._ticket_numbers)}"
        self._tickets.add(ticket)
        return ticket

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Serve one socket until it closes."""
        ticket = request.query.get("ticket", "")
        if ticket not in self._tickets:
            raise web.HTTPForbidden
        self._tickets.remove(ticket)
        response = web.WebSocketResponse(timeout=_CLOSING)
        await response.prepare(request)
        if self.connected >= SOCKETS:
            await response.send_json(self._disconnect_message("too_many_websockets"))
            await response.close(code=_CLOSED_BY_SERVER)
            return response
        socket = _Socket(response, request)
        try:
            await self._serve(socket)
        finally:
            self._forget(socket)
        return response

    async def send(self, envelope: Envelope, *, number: int, reason: str) -> Attempt:
        """Give the envelope to one socket and wait for its acknowledgement."""
        message: Json = {
            "envelope_id": envelope.id,
            "type": envelope.kind.value,
            "payload": envelope.payload,
            "accepts_response_payload": envelope.kind is not EnvelopeKind.EVENT,
        }
        if envelope.kind is EnvelopeKind.EVENT:
            message |= {"retry_attempt": number, "retry_reason": reason}
        try:
            await self._changes.until(lambda: self.connected > 0, timeout=self._timing.ack, what="a socket")
            socket = self._sockets[next(self._turns) % self.connected]
            acknowledgement = socket.pending[envelope.id] = asyncio.get_running_loop().create_future()
            await socket.web.send_json(message)
            response = await asyncio.wait_for(acknowledgement, self._timing.ack)
        except (TimeoutError, ConnectionError):
            return Attempt(acknowledged=False, reason="timeout")
        return Attempt(acknowledged=True, response=response)

    async def disconnect(self, reason: DisconnectReason) -> None:
        """Announce the end of every socket; only a warning leaves it open."""
        for socket in list(self._sockets):
            await socket.web.send_json(self._disconnect_message(reason))
            if reason != "warning":
                self._forget(socket)
                await socket.web.close(code=_CLOSED_BY_SERVER)

    def drop(self) -> None:
        """Cut every socket without a word, as a broken network does."""
        for socket in list(self._sockets):
            self._forget(socket)
            if socket.request.transport is not None:
                socket.request.transport.abort()

    async def close(self) -> None:
        """Close every socket."""
        for socket in list(self._sockets):
            await socket.web.close()

    async def _serve(self, socket: _Socket) -> None:
        self._sockets.append(socket)
        self.opened += 1
        await socket.web.send_json(self._hello())
        self._changes.announce()
        async for message in socket.web:
            if message.type is WSMsgType.TEXT:
                _acknowledge(socket, mapping(json.loads(message.data)))

    def _forget(self, socket: _Socket) -> None:
        if socket in self._sockets:
            self._sockets.remove(socket)
            self._changes.announce()

    def _hello(self) -> Json:
        return {
            "type": "hello",
            "num_connections": self.connected,
            "connection_info": {"app_id": self._identity.app_id},
            "debug_info": {"host": "emulator", "build_number": 1, "approximate_connection_time": 18060},
        }

    def _disconnect_message(self, reason: DisconnectReason) -> Json:
        return {"type": "disconnect", "reason": reason, "debug_info": {"host": "emulator"}}


def _acknowledge(socket: _Socket, answer: Json) -> None:
    """Match an acknowledgement with its envelope; one that comes too late matches none."""
    acknowledgement = socket.pending.pop(string(answer.get("envelope_id")), None)
    if acknowledgement is not None and not acknowledgement.done():
        payload = answer.get("payload")
        acknowledgement.set_result(None if payload is None else mapping(payload))
