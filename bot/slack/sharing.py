"""Private answers that the one who asked may show to the channel."""

from __future__ import annotations

import json
import logging
import secrets
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Final

from bot.slack.blocks import Message, context, fits
from bot.slack.events import Payload, Place
from bot.slack.inline import safe_line
from bot.slack.mrkdwn import escape
from bot.slack.surface import post
from bot.slack.web import REFUSALS, Web, cause
from rag.cache.base import Cache

log = logging.getLogger(__name__)

TTL: Final = timedelta(hours=1)
QUESTION_CHARS: Final = 500

SHARED: Final = ":white_check_mark: Shared in the channel."
TWICE: Final = "This answer is in the channel already."
EXPIRED: Final = "This answer is too old to be shared. Ask again with `/ask`, then share the new one."
FOREIGN: Final = "Only the person who asked can share this answer, and only in the channel where it was asked."
NO_MEMBER: Final = (
    "I am not a member of this channel, so I cannot post here. Invite me with `/invite`, then share again."
)
PARTLY: Final = "Slack took only the beginning of the answer ({cause})."
REFUSED: Final = "Slack did not let me post here ({cause}). Nothing was shared."

_NO_MEMBER: Final = frozenset({"not_in_channel", "channel_not_found"})


@dataclass(frozen=True, slots=True)
class Kept:
    """A private answer as it may be shared."""

    team: str
    channel: str
    user: str
    question: str
    messages: list[Message]


class Shares:
    """Answers kept for an hour, and the button that posts them."""

    def __init__(self, cache: Cache, web: Web) -> None:
        self._cache = cache
        self._web = web

    async def keep(self, kept: Kept) -> str:
        """Keep an answer; gives the key that goes into its button. It cannot be guessed."""
        key = secrets.token_urlsafe(16)
        await self._cache.set(_name(key), json.dumps(asdict(kept)).encode(), TTL)
        return key

    async def press(self, body: Payload) -> str:
        """Post the answer whose button was pressed. Gives what to tell the person who pressed it."""
        key = str(body["actions"][0].get("value", ""))
        raw = await self._cache.get(_name(key))
        if raw is None:
            return EXPIRED
        kept = Kept(**json.loads(raw))
        # The answer was made of what its channel may read: it goes nowhere else.
        if (kept.user, kept.channel) != (body["user"]["id"], (body.get("channel") or {}).get("id")):
            return FOREIGN
        if not await self._cache.add(f"{_name(key)}/posted", TTL):
            return TWICE
        return await self._post(kept, claim=f"{_name(key)}/posted")

    async def _post(self, kept: Kept, *, claim: str) -> str:
        """Post the answer; the claim on it is given back as long as nothing of it stands in the channel."""
        question = escape(safe_line(kept.question[:QUESTION_CHARS]))
        asked = context(f"<@{kept.user}> asked: {question}")
        first, *more = kept.messages if fits([asked], kept.messages[0]) else [[], *kept.messages]
        ts = ""
        try:
            ts = await post(self._web, Place(kept.team, kept.channel, "", kept.user), [asked, *first])
            for message in more:
                await post(self._web, Place(kept.team, kept.channel, ts, kept.user), message)
        except REFUSALS as error:
            log.warning("answer not shared", extra={"cause": cause(error), "channel": kept.channel})
            if not ts and cause(error) in _NO_MEMBER:
                return NO_MEMBER
            return (PARTLY if ts else REFUSED).format(cause=escape(cause(error)))
        finally:
            if not ts:
                await self._cache.delete(claim)
        return SHARED


def _name(key: str) -> str:
    return f"shared/{key}"
