"""A private answer to a slash command, by the URL that Slack hands out with it."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Final

import aiohttp
from slack_sdk.webhook.async_client import AsyncWebhookClient

from bot.conversation import Linker
from bot.slack import blocks
from bot.slack.blocks import Block, Message
from bot.slack.mrkdwn import escape, safe_markdown
from bot.slack.web import REFUSALS, cause, patience
from rag.types.answers import Answer, Outcome

log = logging.getLogger(__name__)

USES: Final = 5
"""How often Slack accepts a response URL, within half an hour."""

SHARE: Final = "share_answer"
NOT_TAKEN: Final = "Slack did not take my answer, so I cannot show it here. It is logged; please ask me in the channel."
CUT: Final = ":scissors: The answer is longer than a private reply can be. Ask in the channel to read all of it."
_SHAREABLE: Final = frozenset({Outcome.ANSWERED, Outcome.CAUTIOUS, Outcome.EXCERPTS})
_OK: Final = 200

Keep = Callable[[list[Message]], Awaitable[str]]
"""Keeps the messages of an answer for a while and gives the key under which they can be shared."""


class ResponseUrl:
    """A response URL and the uses that are left of it."""

    def __init__(self, url: str, session: aiohttp.ClientSession | None = None) -> None:
        self._client = AsyncWebhookClient(url, session=session, retry_handlers=patience())
        self.uses = USES

    async def say(self, *, text: str, message: Message | None = None, replace: bool = False) -> bool:
        """Show something to the person alone. Gives False, and logs why, where Slack does not take it."""
        self.uses -= 1
        body = {"response_type": "ephemeral", "replace_original": replace, "text": text, "blocks": message}
        try:
            response = await self._client.send_dict({k: v for k, v in body.items() if v is not None})
        except REFUSALS as error:
            log.error("no private reply", extra={"cause": cause(error)})
            return False
        if response.status_code != _OK:
            log.error("no private reply", extra={"cause": response.body, "status": response.status_code})
        return response.status_code == _OK


class EphemeralReply:
    """The `Reply` of a slash command: one line while the reader waits, then the answer, with a button to share it."""

    def __init__(self, response: ResponseUrl, linker: Linker, *, keep: Keep | None) -> None:
        self._response = response
        self._linker = linker
        self._keep = keep
        self._waiting = False
        self._over = False

    async def progress(self, text: str) -> None:
        """Show the first line only: a response URL has few uses."""
        if not self._waiting:
            self._waiting = await self._response.say(text=f"_{escape(text)}_")

    async def append(self, text: str) -> None:
        """Nothing: a private message cannot grow, and the finished answer has all of the text."""

    async def finish(self, answer: Answer) -> None:
        """Put the answer where the waiting line stood."""
        messages = blocks.render(answer, self._linker)
        if self._keep is not None and answer.outcome in _SHAREABLE:
            key = await self._keep(messages)
            messages = [*messages[:-1], [*messages[-1], _button(key)]]
        if len(messages) > self._response.uses:
            messages = [*messages[: self._response.uses - 1], [blocks.context(CUT)]]
        text = blocks.summary(safe_markdown(answer.text))
        for number, message in enumerate(messages):
            replace = self._waiting and number == 0
            if not await self._response.say(text=text, message=message, replace=replace):
                await self._response.say(text=NOT_TAKEN, replace=replace)
                break
        self._over = True

    async def fail(self, apology: str) -> None:
        """Put the apology where the waiting line stood."""
        if not self._over:
            await self._response.say(text=escape(apology), replace=self._waiting)


def _button(key: str) -> Block:
    label = {"type": "plain_text", "text": "Share in channel"}
    return {"type": "actions", "elements": [{"type": "button", "action_id": SHARE, "text": label, "value": key}]}
