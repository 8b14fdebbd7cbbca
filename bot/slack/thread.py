"""What people said in a thread before they called the bot into it."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from typing import Any, Final

from bot.slack.events import SlackQuestion, plain_text
from bot.slack.web import REFUSALS, Web, cause
from rag.types.answers import Turn

log = logging.getLogger(__name__)

KEPT: Final = 8
"""Turns, the last ones."""
TURN_CHARS: Final = 1_500
_PAGE: Final = 200
_PAGES: Final = 5
"""What is said in a thread after so much of it is not read."""


async def earlier_turns(web: Web, question: SlackQuestion, *, bot_user: str) -> tuple[Turn, ...]:
    """The messages above the question in its thread, oldest first; none where the bot may not read them."""
    messages: dict[str, dict[str, Any]] = {}  # by time stamp: a thread's first message may head every page
    try:
        async for message in _read(web, question):
            messages[str(message.get("ts", ""))] = message
    except REFUSALS as error:
        # Reading is an optional scope, and rationed: without it the bot knows of a thread what it was told itself.
        log.info("thread not read", extra={"cause": cause(error), "channel": question.place.channel})
    # A follow-up's own message comes back as well on some pages: only what is older counts.
    turns = [_turn(message, bot_user=bot_user) for ts, message in messages.items() if ts < question.ts]
    return tuple(turn for turn in turns if turn.text)[-KEPT:]


async def _read(web: Web, question: SlackQuestion) -> AsyncIterator[dict[str, Any]]:
    """The thread up to the question, oldest first, as Slack gives it. Raises what Slack refuses."""
    cursor: str | None = None
    for _ in range(_PAGES):
        response = await web.hasty.conversations_replies(
            channel=question.place.channel,
            ts=question.place.thread_ts,
            latest=question.ts,
            inclusive=False,
            limit=_PAGE,
            cursor=cursor,
        )
        messages: list[dict[str, Any]] = response.get("messages") or []
        for message in messages:
            yield message
        metadata: dict[str, Any] = response.get("response_metadata") or {}
        cursor = str(metadata.get("next_cursor") or "")
        if not cursor:
            return


def _turn(message: dict[str, Any], *, bot_user: str) -> Turn:
    text = plain_text(str(message.get("text") or ""), bot_user=bot_user)[:TURN_CHARS]
    return Turn("assistant" if message.get("user") == bot_user else "user", text)
