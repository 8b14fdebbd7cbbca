"""The workspace: members, channels, messages and threads. State without rules about who may do what."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from tests.slack_emulator.clock import Clock
from tests.slack_emulator.message import Message
from tests.slack_emulator.payload import Json

ChannelKind: TypeAlias = Literal["channel", "group", "im", "mpim"]


@dataclass(frozen=True, slots=True)
class User:
    """A member; apps have one as well."""

    id: str
    name: str
    real_name: str
    is_bot: bool = False

    def payload(self, team_id: str) -> Json:
        """The member as users.info shows it."""
        profile = {"real_name": self.real_name, "display_name": self.name, "email": f"{self.name}@example.org"}
        return {
            "id": self.id,
            "team_id": team_id,
            "name": self.name,
            "real_name": self.real_name,
            "is_bot": self.is_bot,
            "deleted": False,
            "tz": "Europe/London",
            "profile": profile,
        }


@dataclass(frozen=True, slots=True)
class Channel:
    """A place for messages, with its members."""

    id: str
    name: str
    kind: ChannelKind
    members: frozenset[str]

    @property
    def is_direct(self) -> bool:
        """Whether it is a conversation with one person."""
        return self.kind == "im"

    def payload(self, bot_user_id: str) -> Json:
        """The channel as conversations.info shows it."""
        shown: Json = {
            "id": self.id,
            "name": self.name,
            "is_channel": self.kind == "channel",
            "is_group": self.kind == "group",
            "is_im": self.kind == "im",
            "is_mpim": self.kind == "mpim",
            "is_private": self.kind != "channel",
            "is_archived": False,
            "is_member": bot_user_id in self.members,
            "num_members": len(self.members),
        }
        if self.is_direct:
            shown["user"] = next(iter(self.members - {bot_user_id}), bot_user_id)
        return shown


class Workspace:
    """Everything that Slack would remember."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last_microsecond = 0
        self._serial = 0
        self._messages: dict[tuple[str, str], Message] = {}
        self.removed: list[Message] = []
        """What was deleted: its pings were sent all the same."""
        self.users: dict[str, User] = {}
        self.channels: dict[str, Channel] = {}

    def new_id(self, kind: str) -> str:
        """An id that nothing else has, beginning with the letters of its kind."""
        self._serial += 1
        return f"{kind}{self._serial:08d}"

    def new_ts(self) -> str:
        """A message's timestamp: now, later than every one before."""
        self._last_microsecond = max(int(self._clock.now() * 1_000_000), self._last_microsecond + 1)
        return f"{self._last_microsecond // 1_000_000}.{self._last_microsecond % 1_000_000:06d}"

    def add_user(self, user: User) -> User:
        """Let `user` join."""
        self.users[user.id] = user
        return user

    def add_channel(self, channel: Channel) -> Channel:
        """Open `channel`, or replace it where the id is known."""
        self.channels[channel.id] = channel
        return channel

    def direct_channel(self, user: str, other: str) -> Channel:
        """The conversation between two members, opened when they have none."""
        pair = frozenset({user, other})
        for channel in self.channels.values():
            if channel.is_direct and channel.members == pair:
                return channel
        return self.add_channel(Channel(self.new_id("D"), "directmessage", "im", pair))

    def join(self, channel: str, user: str) -> None:
        """Make `user` a member of `channel`."""
        known = self.channels[channel]
        self.channels[channel] = replace(known, members=known.members | {user})

    def leave(self, channel: str, user: str) -> None:
        """Take `user` out of `channel`."""
        known = self.channels[channel]
        self.channels[channel] = replace(known, members=known.members - {user})

    def name_of(self, some_id: str) -> str:
        """The name behind the id of a member or a channel; the id itself where it is unknown."""
        if some_id in self.users:
            return self.users[some_id].name
        return self.channels[some_id].name if some_id in self.channels else some_id

    def put(self, message: Message) -> Message:
        """Store a message, or its next revision, and return it with its footprint."""
        noted = message.noted()
        self._messages[message.channel, message.ts] = noted
        return noted

    def remove(self, message: Message) -> None:
        """Take a message away."""
        self.removed.append(self._messages.pop((message.channel, message.ts)))

    def message(self, channel: str, ts: str) -> Message | None:
        """The message as it stands now; None where there is none."""
        return self._messages.get((channel, ts))

    def messages(self) -> list[Message]:
        """Everything ever written and not deleted, oldest first."""
        return _oldest_first(self._messages.values())

    def history(self, channel: str) -> list[Message]:
        """What stands in the channel itself, oldest first: threads are not opened."""
        return [message for message in self._in(channel) if message.thread_ts in (None, message.ts)]

    def thread(self, channel: str, ts: str) -> list[Message]:
        """A message and its replies, oldest first."""
        return [message for message in self._in(channel) if message.thread == ts]

    def ephemerals(self, user: str) -> list[Message]:
        """What only `user` was shown, oldest first."""
        return [message for message in self.messages() if message.ephemeral_to == user]

    def payload(self, message: Message) -> Json:
        """A message as the Web API shows it, a thread's first one with the count of its replies."""
        shown = message.payload()
        replies = [other for other in self.thread(message.channel, message.ts) if other.ts != message.ts]
        if replies:
            shown |= {"thread_ts": message.ts, "reply_count": len(replies), "latest_reply": replies[-1].ts}
        return shown

    def _in(self, channel: str) -> list[Message]:
        return _oldest_first(
            message for message in self._messages.values() if message.channel == channel and not message.ephemeral_to
        )


def _oldest_first(messages: Iterable[Message]) -> list[Message]:
    return sorted(messages, key=lambda message: message.ts)
