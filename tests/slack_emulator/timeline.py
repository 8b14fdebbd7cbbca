"""Posting, editing and deleting: the state changes, and the app is told."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from tests.slack_emulator.changes import Changes
from tests.slack_emulator.delivery import Courier, Delivery, EnvelopeKind
from tests.slack_emulator.events import (
    callback,
    changed_event,
    deleted_event,
    mention_event,
    message_event,
    subscription,
)
from tests.slack_emulator.identity import Identity
from tests.slack_emulator.message import Message
from tests.slack_emulator.payload import Json
from tests.slack_emulator.workspace import Channel, Workspace


@dataclass(frozen=True, slots=True)
class Timeline:
    """Every change to a message goes through here."""

    workspace: Workspace
    identity: Identity
    courier: Courier
    changes: Changes
    subscriptions: Collection[str]
    """The events that the app's manifest asks for."""

    def posted(self, message: Message) -> Message:
        """Store a new message and tell the app: a member's mention arrives as two events."""
        message = self.workspace.put(message)
        self.changes.announce()
        if message.ephemeral_to is not None:
            return message
        channel = self.workspace.channels[message.channel]
        self._publish_message(message_event(message, channel, self.identity), channel)
        mentioned = self.identity.bot_user_id in message.pings.users
        if mentioned and not message.from_app and not channel.is_direct and self._can_see(channel):
            self.publish(mention_event(message, self.identity))
        return message

    def changed(self, before: Message, now: Message) -> Message:
        """Store a message's next revision and tell the app."""
        now = self.workspace.put(replace(now, revision=before.revision + 1))
        self.changes.announce()
        if now.ephemeral_to is None:
            channel = self.workspace.channels[now.channel]
            self._publish_message(changed_event(now, before, channel, self.workspace.new_ts()), channel)
        return now

    def streamed(self, before: Message, now: Message) -> Message:
        """Store what a stream grew to; the app hears of it when the stream stops."""
        now = self.workspace.put(replace(now, revision=before.revision + 1))
        self.changes.announce()
        return now

    def deleted(self, message: Message) -> None:
        """Remove a message and tell the app."""
        self.workspace.remove(message)
        self.changes.announce()
        if message.ephemeral_to is None:
            channel = self.workspace.channels[message.channel]
            self._publish_message(deleted_event(message, channel, self.workspace.new_ts()), channel)

    def publish(self, event: Json) -> Delivery | None:
        """Deliver any event under an id of its own; None where the app did not subscribe to it."""
        kind = event["type"]
        if kind != "message" and kind not in self.subscriptions:
            return None
        payload = callback(self.identity, event, self.workspace.new_id("Ev"))
        return self.courier.send(EnvelopeKind.EVENT, payload)

    def _publish_message(self, event: Json, channel: Channel) -> None:
        if self._can_see(channel) and subscription(channel) in self.subscriptions:
            self.publish(event)

    def _can_see(self, channel: Channel) -> bool:
        return self.identity.bot_user_id in channel.members
