"""What members of the workspace do: they write, press, open and stop; the app is told as Slack tells it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from tests.slack_emulator.arguments import Arguments
from tests.slack_emulator.backend import Backend
from tests.slack_emulator.buttons import pressed
from tests.slack_emulator.delivery import Delivery, EnvelopeKind
from tests.slack_emulator.events import click_payload, interaction_payload, shortcut_payload, slash_payload
from tests.slack_emulator.interactions import ResponseUrl, View
from tests.slack_emulator.markup import typed
from tests.slack_emulator.message import Message, StreamState
from tests.slack_emulator.payload import Json
from tests.slack_emulator.responses import respond
from tests.slack_emulator.streams import ended

_SLACKBOT = "USLACKBOT"


class Members:
    """The hands of the people; channels and users are named by their ids."""

    backend: Backend

    async def mention(self, channel: str, user: str, text: str, thread_ts: str | None = None) -> Message:
        """Write to the app: its name stands in front unless `text` has it already."""
        name = f"<@{self.backend.identity.bot_user_id}>"
        return await self.post(channel, user, text if name in text else f"{name} {text}", thread_ts)

    async def direct_message(self, user: str, text: str, thread_ts: str | None = None) -> Message:
        """Write to the app in private."""
        channel = self.backend.workspace.direct_channel(user, self.backend.identity.bot_user_id)
        return await self.post(channel.id, user, text, thread_ts)

    async def post(self, channel: str, user: str, text: str, thread_ts: str | None = None) -> Message:
        """Write `text` as typed on a keyboard; `<@U…>` and the like stand for what the picker inserts."""
        workspace = self.backend.workspace
        author = workspace.users[user]
        if user not in workspace.channels[channel].members:
            workspace.join(channel, user)
        message = Message(channel, workspace.new_ts(), author.id, text=typed(text), thread_ts=thread_ts)
        return self.backend.timeline.posted(message)

    async def edit(self, message: Message, text: str) -> Message:
        """Change what a member wrote."""
        before = self._current(message)
        now = replace(before, text=typed(text), edited_ts=self.backend.workspace.new_ts())
        return self.backend.timeline.changed(before, now)

    async def delete(self, message: Message) -> None:
        """Delete a message."""
        self.backend.timeline.deleted(self._current(message))

    async def slash(self, command: str, channel: str, user: str, text: str) -> Delivery:
        """Use a slash command; the member sees what comes back with the acknowledgement, or that none came."""
        backend = self.backend
        payload = slash_payload(
            command, typed(text), backend.workspace.users[user], backend.workspace.channels[channel], backend.identity
        )
        permission = self._with_permissions(payload, channel, user)
        delivery = await backend.courier.finished(backend.courier.send(EnvelopeKind.SLASH_COMMAND, payload))
        if not delivery.acknowledged:
            failure = f'{command} failed with the error "operation_timeout"'
            message = Message(channel, backend.workspace.new_ts(), _SLACKBOT, text=failure, ephemeral_to=user)
            backend.timeline.posted(message)
        elif delivery.response:
            respond(backend, permission, Arguments(delivery.response))
        return delivery

    async def click(self, message: Message, action_id: str, user: str, *, value: str | None = None) -> Delivery:
        """Press a button; `value` tells apart buttons that share an action id. LookupError where there is none."""
        backend = self.backend
        message = self._current(message)
        action = pressed(message, action_id, value)
        payload = click_payload(
            message,
            action,
            backend.workspace.users[user],
            backend.workspace.channels[message.channel],
            backend.identity,
        )
        self._with_permissions(payload, message.channel, user, message)
        return await self._interact(payload)

    async def shortcut(self, callback_id: str, message: Message, user: str) -> Delivery:
        """Choose a message shortcut."""
        backend = self.backend
        message = self._current(message)
        payload = shortcut_payload(
            callback_id,
            message,
            backend.workspace.users[user],
            backend.workspace.channels[message.channel],
            backend.identity,
        )
        self._with_permissions(payload, message.channel, user, message)
        return await self._interact(payload)

    async def submit(self, view: View, values: dict[str, dict[str, Any]]) -> Delivery:
        """Submit a modal with `values` (block id → action id → state); it closes unless the app answers otherwise."""
        backend = self.backend
        payload = interaction_payload("view_submission", backend.workspace.users[view.user], backend.identity)
        payload["view"] = view.payload(backend.identity.team_id) | {"state": {"values": values}}
        payload["trigger_id"] = backend.interactions.trigger(view.user)
        delivery = await self._interact(payload)
        if delivery.acknowledged and (delivery.response or {}).get("response_action", "clear") == "clear":
            backend.interactions.views.pop(view.id, None)
        return delivery

    async def open_app(self, user: str, tab: Literal["home", "messages"] = "messages") -> None:
        """Open the app's home or messages tab."""
        channel = self.backend.workspace.direct_channel(user, self.backend.identity.bot_user_id)
        ts = self.backend.workspace.new_ts()
        event = {"type": "app_home_opened", "user": user, "channel": channel.id, "tab": tab, "event_ts": ts}
        self.backend.timeline.publish(event)

    async def stop_stream(self, message: Message) -> None:
        """Press the stop button of a streamed message: further calls on its stream are refused."""
        backend = self.backend
        before = self._current(message)
        backend.timeline.changed(before, ended(before, StreamState.STOPPED_BY_USER))
        event = {"type": "agent_session_stopped", "channel": before.channel, "thread_ts": before.thread}
        backend.timeline.publish(event | {"message_ts": before.ts, "event_ts": backend.workspace.new_ts()})

    async def _interact(self, payload: Json) -> Delivery:
        return await self.backend.courier.finished(self.backend.courier.send(EnvelopeKind.INTERACTION, payload))

    def _with_permissions(self, payload: Json, channel: str, user: str, message: Message | None = None) -> ResponseUrl:
        """Add a trigger id and a response URL to what the app will be told."""
        interactions = self.backend.interactions
        message_ts, thread_ts = (message.ts, message.thread_ts) if message else (None, None)
        key, permission = interactions.response_url(channel, user, message_ts=message_ts, thread_ts=thread_ts)
        payload["trigger_id"] = interactions.trigger(user)
        payload["response_url"] = f"{self.backend.root}/response/{key}"
        return permission

    def _current(self, message: Message) -> Message:
        """The latest revision; KeyError where the message is gone."""
        current = self.backend.workspace.message(message.channel, message.ts)
        if current is None:
            raise KeyError(message.ts)
        return current
