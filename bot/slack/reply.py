"""An answer as messages in a thread that grow while it is written."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

from bot.conversation import Linker
from bot.slack import blocks
from bot.slack.blocks import Message
from bot.slack.events import Place
from bot.slack.mrkdwn import SafeStream, escape, safe_markdown
from bot.slack.pages import BUDGET, split
from bot.slack.surface import StreamedMessage, Surface, UpdatedMessage, post
from bot.slack.tasks import log_failure
from bot.slack.web import REFUSALS, Web, cause
from rag.types.answers import Answer

log = logging.getLogger(__name__)

GATHER_SECONDS: Final = 0.1
"""What is said within it goes out together: an answer that is ready at once comes in one piece, title first."""

_STOPPED_BY_USER: Final = "stopped_by_user"
_NOT_STREAMING: Final = frozenset({"message_not_in_streaming_state", "message_not_found"})


class SlackReply:
    """The `Reply` of a thread. Writing never waits for Slack: a pump of its own brings the text to the screen.

    It streams as long as Slack lets it, and otherwise posts and updates. Only `finish` and `fail` raise what Slack
    refuses; until then a refusal is logged and made up for by the next call.
    """

    def __init__(self, web: Web, place: Place, linker: Linker, *, pace: float = 1.0) -> None:
        self._web = web
        self._place = place
        self._linker = linker
        self._pace = pace
        self._safe = SafeStream()
        self._page = ""  # what belongs to the current message
        self._pending = ""  # what belongs to no message yet
        self._status = self._status_shown = ""
        self._message: Surface = StreamedMessage(web, place)
        self._shown = False
        self._over = self._stopped = self._apologised = False
        self._wake = asyncio.Event()
        self._lock = asyncio.Lock()
        self._pump: asyncio.Task[None] | None = None

    async def progress(self, text: str) -> None:
        """Show the line as the bot's status in the thread, as long as no text is shown."""
        self._status = text
        self._start_pump()

    async def append(self, text: str) -> None:
        """Show more of the answer, a moment later."""
        self._pending += self._safe.feed(text)
        if self._pending:
            self._start_pump()

    async def finish(self, answer: Answer) -> None:
        """Bring everything to the screen, with notices and sources below the last message."""
        async with self._last_word() as wanted:
            if not wanted:
                return
            if self._shown:
                self._pending += self._safe.close()
                await self._close(blocks.footer(answer, self._linker))
            else:
                for message in blocks.render(answer, self._linker):
                    await post(self._web, self._place, message, text=safe_markdown(answer.text))
                    self._safe, self._page, self._pending = SafeStream(), "", ""

    async def fail(self, apology: str) -> None:
        """Leave what was said, and the apology under it."""
        async with self._last_word() as wanted:
            if not wanted:
                await self._hang_up()
                return
            if not self._apologised:  # else Slack refused the first apology, and gets it again
                self._apologised = True
                self._pending += self._safe.close()
                said = bool(self._page or self._pending)
                self._pending += ("\n\n" if said else "") + safe_markdown(apology)
            await self._close([])

    def stop(self) -> None:
        """The reader wants no more: no text is sent from here on. To be followed by `fail`, which tidies up."""
        self._over = self._stopped = True
        self._stop_pump()

    @asynccontextmanager
    async def _last_word(self) -> AsyncGenerator[bool]:
        """The screen for oneself, for the last time; False where the reader has stopped the answer."""
        async with self._lock:
            self._stop_pump()
            yield not self._over
            self._over = True

    async def _close(self, below: list[Message]) -> None:
        """Write everything, close the last message, and put what finds no room below it into further ones."""
        await self._write()
        if not self._message.ts:  # a stream that would end as soon as it begins
            self._message = UpdatedMessage(self._web, self._place)
        attached = below[0] if below and blocks.fits([blocks.markdown(self._page)], below[0]) else []
        if self._page.strip() or attached:
            await self._carry_out(self._page, attached, closing=True)
        if not self._over:
            for message in below[1:] if attached else below:
                await post(self._web, self._place, message)

    def _start_pump(self) -> None:
        self._wake.set()
        if self._pump is None and not self._over:
            self._pump = asyncio.create_task(self._pump_forever())
            self._pump.add_done_callback(log_failure)

    def _stop_pump(self) -> None:
        if self._pump is not None:
            self._pump.cancel()

    async def _pump_forever(self) -> None:
        while True:
            await self._wake.wait()
            await asyncio.sleep(GATHER_SECONDS * self._pace)
            self._wake.clear()
            async with self._lock:
                await self._show_status()
                await self._show_text()
            await asyncio.sleep(self._message.every * self._pace)

    async def _show_status(self) -> None:
        if not (self._shown or self._pending):
            await self._set_status(self._status)

    async def _hang_up(self) -> None:
        """Leave nothing behind that looks as if more were to come."""
        await self._set_status("")
        if self._stopped and isinstance(self._message, StreamedMessage) and self._message.ts:
            await self._end_stream(self._message.ts)  # Slack has done so itself, or it has not

    async def _set_status(self, status: str) -> None:
        if status == self._status_shown:
            return
        self._status_shown = status
        try:
            await self._web.hasty.assistant_threads_setStatus(
                channel_id=self._place.channel, thread_ts=self._place.thread_ts, status=escape(status)
            )
        except REFUSALS as error:
            log.info("no status shown", extra={"cause": cause(error), "channel": self._place.channel})

    async def _show_text(self) -> None:
        if self._over or not (self._page + self._pending).strip():
            return
        try:
            await self._write()
            await self._carry_out(self._page, [], closing=False)
        except REFUSALS as error:
            log.warning("text not shown yet", extra={"cause": cause(error), "channel": self._place.channel})

    async def _write(self) -> None:
        """Deal what is pending out to messages; those that are full are closed."""
        while self._pending and not self._over:
            head, rest = split(self._pending, room=max(0, BUDGET - len(self._page)), before=self._page)
            self._page, self._pending = self._page + head, rest
            if rest:
                await self._carry_out(self._page, [], closing=True)
                streams = isinstance(self._message, StreamedMessage)
                self._page = ""
                self._message = (StreamedMessage if streams else UpdatedMessage)(self._web, self._place)

    async def _carry_out(self, text: str, below: Message, *, closing: bool) -> None:
        """Show or close the current message; when its stream is refused, go on with updates for this answer."""
        if self._over:
            return
        try:
            await self._bring(text, below, closing=closing)
        except REFUSALS as error:
            if cause(error) == _STOPPED_BY_USER:
                self._over = True
                return
            if isinstance(self._message, UpdatedMessage):
                raise
            await self._leave_stream(error)
            await self._bring(text, below, closing=closing)

    async def _bring(self, text: str, below: Message, *, closing: bool) -> None:
        if closing:
            await self._message.close(text, below)
        else:
            await self._message.show(text)
        if self._message.ts:
            self._shown = True
            self._status_shown = ""  # Slack takes it away when the bot speaks

    async def _leave_stream(self, error: BaseException) -> None:
        log.warning("going on without a stream", extra={"cause": cause(error), "channel": self._place.channel})
        ts = self._message.ts
        self._message = UpdatedMessage(self._web, self._place, ts=ts)
        if ts and cause(error) not in _NOT_STREAMING:
            await self._end_stream(ts)  # a message cannot be updated while it streams

    async def _end_stream(self, ts: str) -> None:
        try:
            await self._web.hasty.chat_stopStream(channel=self._place.channel, ts=ts)
        except REFUSALS as error:
            log.info("stream not stopped", extra={"cause": cause(error), "channel": self._place.channel})
