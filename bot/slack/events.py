"""Slack's payloads as questions. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from bot.conversation import Mention

Payload: TypeAlias = Mapping[str, Any]

_ASKED: Final = frozenset({"", "file_share", "thread_broadcast"})
"""Subtypes under which people write; edits, deletes, joins and what is hidden carry others."""

_MARKUP: Final = re.compile(r"<([^<>|]*)(?:\|([^<>]*))?>")


@dataclass(frozen=True, slots=True)
class Place:
    """Where an answer goes: a thread, and the person who asked there."""

    team: str
    """The workspace of that person."""
    channel: str
    thread_ts: str
    user: str


@dataclass(frozen=True, slots=True)
class SlackQuestion:
    """A question with its way back."""

    mention: Mention
    place: Place
    ts: str
    """The message's own time stamp, which is its name in the channel."""
    event_id: str

    @property
    def is_follow_up(self) -> bool:
        """Whether it stands below other messages of a thread."""
        return self.ts != self.place.thread_ts

    @property
    def keys(self) -> tuple[str, str]:
        """What it is known by: the delivered event, and the message that may come as several events."""
        return self.event_id, f"{self.mention.thread}/{self.ts}"


def asked(body: Payload, *, bot_user: str) -> SlackQuestion | None:
    """The question in an `app_mention` or `message.im` delivery; None where there is none."""
    event: Payload = body.get("event") or {}
    direct = event.get("channel_type") == "im" or _text(event, "channel").startswith("D")
    if event.get("type") == "message" and not direct:
        return None  # in channels only a mention asks, and it comes as an event of its own
    if not _written_by_a_person(event, bot_user=bot_user):
        return None
    home = _text(body, "team_id") or _text(event, "team")
    # In a channel shared with others the asker may belong to another workspace than the bot.
    team = _text(event, "user_team") or _text(event, "team") or home
    place = Place(team, event["channel"], _text(event, "thread_ts") or event["ts"], event["user"])
    mention = Mention(
        channel=place.channel,
        thread=thread_key(home, place.channel, place.thread_ts),
        user=place.user,
        text=plain_text(_text(event, "text"), bot_user=bot_user),
        direct=direct,
    )
    return SlackQuestion(mention, place, event["ts"], _text(body, "event_id"))


def commanded(body: Payload, *, bot_user: str) -> Mention:
    """The question in a slash command. Each is a thread of its own: private, and without a past."""
    channel, user = _text(body, "channel_id"), _text(body, "user_id")
    return Mention(
        channel=channel,
        thread=f"{_text(body, 'team_id')}/{channel}/{user}/{_text(body, 'trigger_id')}",
        user=user,
        text=plain_text(_text(body, "text"), bot_user=bot_user),
        direct=channel.startswith("D"),
    )


def stopped(body: Payload) -> str:
    """The key of the thread in which a person pressed "stop"."""
    event: Payload = body.get("event") or {}
    return thread_key(_text(body, "team_id"), _text(event, "channel"), _text(event, "thread_ts"))


def thread_key(team: str, channel: str, thread_ts: str) -> str:
    """The name of a thread among all threads of all workspaces."""
    return f"{team}/{channel}/{thread_ts}"


def plain_text(text: str, *, bot_user: str) -> str:
    """A message as its writer sees it: no mark-up, no entities, and without the mention of the bot."""

    def shown(markup: re.Match[str]) -> str:
        target, label = markup.group(1), markup.group(2) or ""
        match target[:1]:
            case "@":
                return "" if target[1:] == bot_user or not label else f"@{label.removeprefix('@')}"
            case "#":
                return f"#{label}" if label else ""
            case "!":
                return label or f"@{target[1:].partition('^')[0]}"
            case _:
                return label or target.removeprefix("mailto:")

    plain = _MARKUP.sub(shown, text)
    lines = [" ".join(line.split()) for line in plain.splitlines()]
    return "\n".join(lines).strip().replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _written_by_a_person(event: Payload, *, bot_user: str) -> bool:
    return (
        bool(event.get("user") and event.get("ts") and event.get("channel"))
        and _text(event, "subtype") in _ASKED
        and event["user"] != bot_user
        and not any(event.get(mark) for mark in ("bot_id", "bot_profile", "hidden", "edited"))
    )


def _text(payload: Payload, name: str) -> str:
    value = payload.get(name)
    return value if isinstance(value, str) else ""
