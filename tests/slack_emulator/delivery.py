"""Delivering to the app: one envelope until it is acknowledged, with Slack's retries in between."""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Protocol

from tests.slack_emulator.changes import Changes
from tests.slack_emulator.clock import Timing
from tests.slack_emulator.payload import Json


class EnvelopeKind(StrEnum):
    """What an envelope carries."""

    EVENT = "events_api"
    SLASH_COMMAND = "slash_commands"
    INTERACTION = "interactive"


@dataclass(frozen=True, slots=True)
class Envelope:
    """One thing that the app is told; it keeps its id when it is told again."""

    id: str
    kind: EnvelopeKind
    payload: Json


@dataclass(frozen=True, slots=True)
class Attempt:
    """How one try ended."""

    acknowledged: bool
    reason: str = ""
    """Why it failed, as the next try's retry reason."""
    response: Json | None = None
    """What the app sent along with its acknowledgement."""
    final: bool = False
    """Whether the app asked not to be told again."""


@dataclass(slots=True)
class Delivery:
    """An envelope and what became of it so far."""

    envelope: Envelope
    attempts: list[Attempt] = field(default_factory=list[Attempt])

    @property
    def acknowledged(self) -> bool:
        """Whether the app took it."""
        return any(attempt.acknowledged for attempt in self.attempts)

    @property
    def response(self) -> Json | None:
        """What the app sent along when it took it."""
        return next((attempt.response for attempt in self.attempts if attempt.acknowledged), None)

    @property
    def event(self) -> Json:
        """The event inside; empty for commands and interactions."""
        return self.envelope.payload.get("event", {})


class Transport(Protocol):
    """A way to reach the app."""

    async def send(self, envelope: Envelope, *, number: int, reason: str) -> Attempt:
        """Try once: `number` counts from 0, `reason` says why the try before failed."""
        ...


_ONCE: Final[tuple[float, ...]] = ()


class Courier:
    """Sends envelopes in the background and remembers every one."""

    def __init__(self, transport: Transport, timing: Timing, changes: Changes) -> None:
        self.transport = transport
        self.deliveries: list[Delivery] = []
        self._timing = timing
        self._changes = changes
        self._running: set[asyncio.Task[None]] = set()
        self._numbers = itertools.count(1)

    def send(self, kind: EnvelopeKind, payload: Json) -> Delivery:
        """Begin to deliver; only events are retried."""
        delivery = Delivery(Envelope(f"env-{next(self._numbers):06d}", kind, payload))
        self.deliveries.append(delivery)
        self._start(delivery, self._timing.retries if kind is EnvelopeKind.EVENT else _ONCE)
        return delivery

    def redeliver(self, delivery: Delivery) -> None:
        """Tell the app once more what it was told before, as after a lost acknowledgement."""
        self._start(delivery, _ONCE)

    async def finished(self, delivery: Delivery) -> Delivery:
        """The delivery once it was acknowledged, or given up."""
        tasks = [task for task in self._running if task.get_name() == delivery.envelope.id]
        await asyncio.gather(*tasks)
        return delivery

    async def close(self) -> None:
        """Give up on whatever is still under way."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    def _start(self, delivery: Delivery, retries: tuple[float, ...]) -> None:
        task = asyncio.create_task(self._deliver(delivery, retries), name=delivery.envelope.id)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _deliver(self, delivery: Delivery, retries: tuple[float, ...]) -> None:
        for pause in (0.0, *retries):
            await asyncio.sleep(pause)
            number = len(delivery.attempts)
            reason = delivery.attempts[-1].reason or "timeout" if delivery.attempts else ""
            attempt = await self.transport.send(delivery.envelope, number=number, reason=reason)
            delivery.attempts.append(attempt)
            self._changes.announce()
            if attempt.acknowledged or attempt.final:
                return
