"""A message at one revision, with the footprint of all its revisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tests.slack_emulator.payload import Json, string
from tests.slack_emulator.pings import NOBODY, Pings, links_of, pings_of


class StreamState(StrEnum):
    """Where a streamed message stands."""

    OPEN = "open"
    STOPPED = "stopped"
    STOPPED_BY_USER = "stopped_by_user"
    EXPIRED = "expired"
    """Slack closed it; the reader sees a broken message until it is updated."""


@dataclass(frozen=True, slots=True)
class Stream:
    """The live part of a streamed message."""

    state: StreamState
    opened_at: float
    recipient: str = ""


@dataclass(frozen=True, slots=True)
class Reaction:
    """One emoji by one member."""

    name: str
    user: str


@dataclass(frozen=True, slots=True)
class Message:
    """What stands in a channel under one timestamp."""

    channel: str
    ts: str
    user: str
    text: str = ""
    blocks: Sequence[Json] = ()
    attachments: Sequence[Json] = ()
    markdown: str = ""
    """What was streamed so far, or given as `markdown_text`."""
    tasks: Sequence[Json] = ()
    """The latest state of each streamed task, in order of first appearance."""
    plan: str = ""
    thread_ts: str | None = None
    bot_id: str | None = None
    stream: Stream | None = None
    unfurls: bool = True
    """Whether Slack looks up its links: an app has to forbid it with both flags."""
    link_names: bool = False
    edited_ts: str | None = None
    revision: int = 0
    reactions: tuple[Reaction, ...] = ()
    files: Sequence[Json] = ()
    metadata: Json | None = None
    ephemeral_to: str | None = None
    """The only member who sees it; everyone in the channel where this is None."""
    pings: Pings = NOBODY
    """Whom any revision of it notified."""
    unfurled: tuple[str, ...] = ()
    """The links of any revision that Slack looked up."""

    @property
    def thread(self) -> str:
        """The timestamp of the thread that it belongs to, its own where it begins one."""
        return self.thread_ts or self.ts

    @property
    def from_app(self) -> bool:
        """Whether an app wrote it."""
        return self.bot_id is not None

    @property
    def streaming(self) -> bool:
        """Whether its stream was neither stopped nor found expired."""
        return self.stream is not None and self.stream.state is StreamState.OPEN

    @property
    def body(self) -> str:
        """Its text, whichever way it was given."""
        return self.markdown or self.text

    def noted(self) -> Message:
        """This revision with its own pings and links added to those of the ones before."""
        attached = [string(part.get(key)) for part in self.attachments for key in ("text", "pretext", "fallback")]
        tasks = [string(task.get(key)) for task in self.tasks for key in ("title", "details", "output")]
        texts = (self.text, self.markdown, self.plan, *attached, *tasks)
        links = links_of(texts, self.blocks) if self.unfurls and self.ephemeral_to is None else ()
        return replace(
            self,
            pings=self.pings | pings_of(texts, self.blocks, link_names=self.link_names),
            unfurled=tuple(dict.fromkeys((*self.unfurled, *links))),
        )

    def payload(self) -> Json:
        """The message as the Web API and events show it."""
        shown: Json = {"type": "message", "user": self.user, "text": self.body, "ts": self.ts}
        optional: Json = {
            "thread_ts": self.thread_ts,
            "bot_id": self.bot_id,
            "blocks": list(self.blocks),
            "attachments": list(self.attachments),
            "files": list(self.files),
            "metadata": self.metadata,
            "reactions": self._reactions(),
        }
        shown |= {key: value for key, value in optional.items() if value}
        if self.edited_ts is not None:
            shown["edited"] = {"user": self.user, "ts": self.edited_ts}
        if self.stream is not None:
            shown["streaming_state"] = "in_progress" if self.streaming else "completed"
        return shown

    def _reactions(self) -> list[Json]:
        names = dict.fromkeys(reaction.name for reaction in self.reactions)
        users = {name: [reaction.user for reaction in self.reactions if reaction.name == name] for name in names}
        return [{"name": name, "users": users[name], "count": len(users[name])} for name in names]
