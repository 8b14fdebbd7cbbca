"""A message that grows on the screen, in the two ways that Slack has for it."""

from __future__ import annotations

from typing import Final, Protocol

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack.blocks import Message, markdown, summary
from bot.slack.events import Place
from bot.slack.web import RATE_LIMITED, Web, cause

_SLOWER: Final = 2.0
_FIXED: Final = frozenset({"cant_update_message", "edit_window_closed"})
"""How Slack says that a message stays as it is, where a workspace limits for how long messages can be edited."""


class Surface(Protocol):
    """One message. Text only ever grows; it is safe Markdown and within the budget of a message."""

    ts: str
    """The message's name in its channel; empty while nothing is shown."""
    every: float
    """Seconds to leave between two calls of `show`, for the sake of Slack's rate limits."""

    async def show(self, text: str) -> None:
        """Bring the message to `text`; a later call makes up for one that a rate limit swallowed."""
        ...

    async def close(self, text: str, below: Message) -> None:
        """Bring the message to its last state: `text`, and blocks below it."""
        ...


class StreamedMessage:
    """A message by chat.startStream and its sisters: cheap to grow, but it dies when it takes too long."""

    def __init__(self, web: Web, place: Place) -> None:
        self.every = 0.7  # appendStream is good for a hundred calls a minute
        self._web = web
        self._place = place
        self._sent = 0
        self.ts = ""

    async def show(self, text: str) -> None:
        """Send what is new. Raises what Slack refuses, but for a rate limit on more text."""
        new = text[self._sent :]
        if not new.strip():
            return
        if not self.ts:
            await self._start(new)
        else:
            try:
                await self._web.hasty.chat_appendStream(channel=self._place.channel, ts=self.ts, markdown_text=new)
            except SlackApiError as error:
                if cause(error) != RATE_LIMITED:
                    raise
                self.every *= _SLOWER
                return
        self._sent = len(text)

    async def close(self, text: str, below: Message) -> None:
        """Send the rest and end the stream."""
        if not self.ts:
            await self.show(text)
        rest = text[self._sent :] if text[self._sent :].strip() else None
        await self._web.patient.chat_stopStream(
            channel=self._place.channel, ts=self.ts, markdown_text=rest, blocks=below or None
        )
        self._sent = len(text)

    async def _start(self, text: str) -> None:
        # Slack wants to know who is answered, wherever others read along.
        response = await self._web.hasty.chat_startStream(
            channel=self._place.channel,
            thread_ts=self._place.thread_ts,
            recipient_team_id=self._place.team,
            recipient_user_id=self._place.user,
            markdown_text=text,
        )
        self.ts = str(response["ts"])


class UpdatedMessage:
    """A message by chat.postMessage and chat.update: works everywhere, also on a message whose stream has died."""

    def __init__(self, web: Web, place: Place, *, ts: str = "") -> None:
        self.every = 1.2  # chat.update is good for fifty calls a minute
        self._web = web
        self._place = place
        self.ts = ts

    async def show(self, text: str) -> None:
        """Post the text, or replace what stands there. Raises what Slack refuses, but for a rate limit."""
        if not text.strip():
            return
        try:
            await self._put(text, [], patient=False)
        except SlackApiError as error:
            if cause(error) != RATE_LIMITED:
                raise
            self.every *= _SLOWER

    async def close(self, text: str, below: Message) -> None:
        """Post the text or replace what stands there, for good; where that cannot be, post it as another message."""
        try:
            await self._put(text, below, patient=True)
        except SlackApiError as error:
            if not self.ts or cause(error) not in _FIXED:
                raise
            self.ts = ""
            await self._put(text, below, patient=True)

    async def _put(self, text: str, below: Message, *, patient: bool) -> None:
        blocks = [markdown(text), *below] if text.strip() else below
        if self.ts:
            client = self._web.patient if patient else self._web.hasty
            await client.chat_update(channel=self._place.channel, ts=self.ts, blocks=blocks, text=summary(text))
        else:
            self.ts = await post(self._web, self._place, blocks, text=text, patient=patient)


async def post(web: Web, place: Place, blocks: Message, *, text: str = "", patient: bool = True) -> str:
    """Post blocks into the thread, without previews of links. Gives the new message's time stamp.

    What is patient stands in line with what else must arrive in the channel; what is not is refused at a rate limit.
    """
    if not patient:
        return await _posted(web.hasty, place, blocks, text=text)
    async with web.turn(place.channel):
        return await _posted(web.patient, place, blocks, text=text)


async def _posted(client: AsyncWebClient, place: Place, blocks: Message, *, text: str) -> str:
    response = await client.chat_postMessage(
        channel=place.channel,
        thread_ts=place.thread_ts or None,
        blocks=blocks,
        text=summary(text),
        unfurl_links=False,
        unfurl_media=False,
    )
    return str(response["ts"])
