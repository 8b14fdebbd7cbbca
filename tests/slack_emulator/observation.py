"""What a test, or a person at the demo, can see of the workspace."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tests.slack_emulator.backend import Backend
from tests.slack_emulator.calls import Call
from tests.slack_emulator.delivery import Delivery
from tests.slack_emulator.interactions import View
from tests.slack_emulator.message import Message
from tests.slack_emulator.payload import Json
from tests.slack_emulator.pings import NOBODY, Pings
from tests.slack_emulator.render import render_thread


class Observation:
    """The eyes; everything is a snapshot."""

    backend: Backend

    @property
    def calls(self) -> list[Call]:
        """Every Web API call in order of arrival."""
        return self.backend.calls.all()

    def calls_to(self, method: str) -> list[Call]:
        """The calls of one method, in order of arrival."""
        return [call for call in self.calls if call.method == method]

    @property
    def deliveries(self) -> list[Delivery]:
        """Everything that the app was told, and how it took it."""
        return list(self.backend.courier.deliveries)

    def events(self, kind: str) -> list[Delivery]:
        """The deliveries of one type of event."""
        return [delivery for delivery in self.deliveries if delivery.event.get("type") == kind]

    @property
    def messages(self) -> list[Message]:
        """Every message that was not deleted, ephemeral ones included, oldest first."""
        return self.backend.workspace.messages()

    def message(self, channel: str, ts: str) -> Message:
        """A message as it stands now; KeyError where there is none."""
        message = self.backend.workspace.message(channel, ts)
        if message is None:
            raise KeyError(ts)
        return self.backend.streams.seen_now(message)

    def thread(self, channel: str, ts: str) -> list[Message]:
        """A thread's first message and its replies, oldest first."""
        return [self.backend.streams.seen_now(message) for message in self.backend.workspace.thread(channel, ts)]

    def rendered(self, channel: str, ts: str) -> str:
        """A thread as plain text."""
        return render_thread(self.thread(channel, ts), self.backend.workspace)

    def ephemerals(self, user: str) -> list[Message]:
        """What only `user` was shown, oldest first."""
        return self.backend.workspace.ephemerals(user)

    def status(self, channel: str, thread_ts: str) -> str:
        """The assistant status that is shown in a thread; empty when none is."""
        return self.backend.assistant.status(channel, thread_ts)

    def title(self, channel: str, thread_ts: str) -> str:
        """The title that the app gave a thread; empty when it gave none."""
        return self.backend.assistant.titles.get((channel, thread_ts), "")

    def prompts(self, channel: str) -> list[Json]:
        """The suggested prompts of a conversation."""
        return list(self.backend.assistant.prompts.get(channel, []))

    def home(self, user: str) -> View | None:
        """The member's home tab; None where the app published none."""
        return next((view for view in self._views(user) if view.kind == "home"), None)

    def modals(self, user: str) -> list[View]:
        """The modals that are open for a member."""
        return [view for view in self._views(user) if view.kind == "modal"]

    def pinged(self) -> Pings:
        """Everybody whom the app notified by name, deleted and ephemeral messages included."""
        pings = NOBODY
        for message in self._from_app():
            pings |= message.pings
        return pings

    def unfurled(self) -> tuple[str, ...]:
        """Every link of the app's that Slack looked up."""
        return tuple(dict.fromkeys(link for message in self._from_app() for link in message.unfurled))

    async def settled_thread(
        self,
        channel: str,
        ts: str,
        timeout: float = 10.0,  # noqa: ASYNC109  # the error says what did not settle
        *,
        quiet: float = 0.3,
    ) -> list[Message]:
        """The thread once the app has answered its last message and nothing moved for `quiet` seconds.

        An open stream or a shown status means that more is to come. Raise TimeoutError, with what stands there, when
        it never settles.
        """

        def answered() -> bool:
            thread = self.thread(channel, ts)
            busy = any(message.streaming for message in thread) or self.status(channel, ts)
            return bool(thread) and thread[-1].from_app and not busy

        try:
            async with asyncio.timeout(timeout):
                while True:
                    await self.backend.changes.until(answered, timeout=timeout, what="an answer")
                    seen = self.thread(channel, ts)
                    await asyncio.sleep(quiet)
                    if answered() and self.thread(channel, ts) == seen:
                        return seen
        except TimeoutError as error:
            raise TimeoutError(f"not settled within {timeout} s:\n{self.rendered(channel, ts)}") from error

    async def settled_ephemeral(self, user: str, timeout: float = 10.0, *, count: int = 1) -> list[Message]:  # noqa: ASYNC109  # likewise
        """What only `user` was shown, once it is at least `count` messages."""
        shown = self.backend.workspace.ephemerals
        await self.backend.changes.until(
            lambda: len(shown(user)) >= count, timeout=timeout, what="an ephemeral message"
        )
        return shown(user)

    async def delivered(self, timeout: float = 10.0) -> None:  # noqa: ASYNC109  # likewise
        """Return once the app has acknowledged everything that it was told."""

        def everything() -> bool:
            return all(delivery.acknowledged for delivery in self.backend.courier.deliveries)

        await self.backend.changes.until(everything, timeout=timeout, what="every acknowledgement")

    async def finished(self, delivery: Delivery) -> Delivery:
        """The delivery once it was acknowledged, or given up after the last retry."""
        return await self.backend.courier.finished(delivery)

    async def until(self, holds: Callable[[], bool], *, timeout: float = 10.0, what: str) -> None:  # noqa: ASYNC109  # likewise
        """Return once `holds()`, looking again whenever something changes; TimeoutError names `what`."""
        await self.backend.changes.until(holds, timeout=timeout, what=what)

    async def wait_connected(self, n: int = 1, timeout: float = 10.0) -> None:  # noqa: ASYNC109  # likewise
        """Return once the app has `n` sockets open."""
        sockets = self.backend.sockets
        await self.backend.changes.until(lambda: sockets.connected >= n, timeout=timeout, what=f"{n} sockets")

    def _views(self, user: str) -> list[View]:
        return [view for view in self.backend.interactions.views.values() if view.user == user]

    def _from_app(self) -> list[Message]:
        workspace = self.backend.workspace
        return [message for message in (*workspace.messages(), *workspace.removed) if message.from_app]
