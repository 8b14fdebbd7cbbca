"""What stands behind every door of the stand-in: the Web API, the sockets and the members share it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from tests.slack_emulator.assistant import Assistant
from tests.slack_emulator.calls import CallLog
from tests.slack_emulator.changes import Changes
from tests.slack_emulator.clock import Clock, Timing
from tests.slack_emulator.delivery import Courier
from tests.slack_emulator.errors import SlackError
from tests.slack_emulator.faults import Faults
from tests.slack_emulator.identity import Identity
from tests.slack_emulator.interactions import Interactions
from tests.slack_emulator.limits import RateLimiter
from tests.slack_emulator.message import Message
from tests.slack_emulator.socket_mode import SocketHub
from tests.slack_emulator.streams import Streams
from tests.slack_emulator.timeline import Timeline
from tests.slack_emulator.workspace import Channel, User, Workspace


@dataclass(frozen=True, slots=True)
class Upload:
    """A file between the request for an upload address and its completion."""

    id: str
    name: str
    length: int
    content: bytes | None = None


@dataclass(slots=True)
class Backend:
    """All state, and the questions about it that many methods ask."""

    identity: Identity
    timing: Timing
    clock: Clock
    changes: Changes
    workspace: Workspace
    limiter: RateLimiter
    streams: Streams
    interactions: Interactions
    assistant: Assistant
    sockets: SocketHub
    courier: Courier
    timeline: Timeline
    faults: Faults = field(default_factory=Faults)
    calls: CallLog = field(default_factory=CallLog)
    uploads: dict[str, Upload] = field(default_factory=dict[str, Upload])
    root: str = ""
    """The address that everything is served under, without a slash at its end; known once the server listens."""

    def visible_channel(self, channel_id: str) -> Channel:
        """A channel that the app may know of; a member's id stands for the conversation with that member."""
        if channel_id in self.workspace.users:
            return self.workspace.direct_channel(channel_id, self.identity.bot_user_id)
        channel = self.workspace.channels.get(channel_id)
        if channel is None or (channel.kind != "channel" and self.identity.bot_user_id not in channel.members):
            raise SlackError("channel_not_found")
        return channel

    def joined_channel(self, channel_id: str) -> Channel:
        """A channel that the app is a member of; raise SlackError where it is not."""
        channel = self.visible_channel(channel_id)
        if self.identity.bot_user_id not in channel.members:
            raise SlackError("not_in_channel")
        return channel

    def thread_root(self, channel: Channel, thread_ts: str | None) -> str | None:
        """`thread_ts` where a thread may begin there; raise SlackError where it may not.

        What Slack does with the timestamp of a reply is not documented: it is refused.
        """
        if thread_ts is not None:
            root = self.public_message(channel.id, thread_ts)
            if root is None or root.thread != thread_ts:
                raise SlackError("thread_not_found")
        return thread_ts

    def public_message(self, channel_id: str, ts: str) -> Message | None:
        """A message that everyone in the channel sees."""
        message = self.workspace.message(channel_id, ts)
        return None if message is None or message.ephemeral_to else message

    def own_message(self, channel_id: str, ts: str, *, otherwise: str) -> Message:
        """A message of the app's own; raise SlackError with `otherwise` where somebody else wrote it."""
        message = self.public_message(self.joined_channel(channel_id).id, ts)
        if message is None:
            raise SlackError("message_not_found")
        if message.bot_id != self.identity.bot_id:
            raise SlackError(otherwise)
        return self.streams.seen_now(message)

    def draft(self, channel: Channel, thread_ts: str | None = None) -> Message:
        """An empty message by the app, stamped now."""
        identity = self.identity
        ts = self.workspace.new_ts()
        return Message(channel.id, ts, identity.bot_user_id, thread_ts=thread_ts, bot_id=identity.bot_id)

    def say(self, message: Message) -> Message:
        """Post a message of the app, which takes the thread's status away."""
        self.assistant.set_status(message.channel, message.thread, "")
        return self.timeline.posted(message)


def open_backend(identity: Identity, timing: Timing, subscriptions: Collection[str]) -> Backend:
    """A workspace with nobody in it but the app."""
    clock, changes = Clock(), Changes()
    workspace = Workspace(clock)
    workspace.add_user(User(identity.bot_user_id, identity.bot_name, identity.bot_name.title(), is_bot=True))
    sockets = SocketHub(identity, timing, changes)
    courier = Courier(sockets, timing, changes)
    return Backend(
        identity=identity,
        timing=timing,
        clock=clock,
        changes=changes,
        workspace=workspace,
        limiter=RateLimiter(clock, timing),
        streams=Streams(clock, timing),
        interactions=Interactions(clock, timing, workspace.new_id),
        assistant=Assistant(clock, timing),
        sockets=sockets,
        courier=courier,
        timeline=Timeline(workspace, identity, courier, changes, subscriptions),
    )
