"""What the app is told, as Slack words it."""

from __future__ import annotations

import time
from typing import Final

from tests.slack_emulator.identity import Identity
from tests.slack_emulator.message import Message
from tests.slack_emulator.payload import Json
from tests.slack_emulator.workspace import Channel, User

_SUBSCRIPTION: Final = {"channel": "channels", "group": "groups", "im": "im", "mpim": "mpim"}


def subscription(channel: Channel) -> str:
    """The name of the subscription under which messages of this channel arrive."""
    return f"message.{_SUBSCRIPTION[channel.kind]}"


def callback(identity: Identity, event: Json, event_id: str) -> Json:
    """The envelope's payload around an event."""
    authorization = {
        "enterprise_id": None,
        "team_id": identity.team_id,
        "user_id": identity.bot_user_id,
        "is_bot": True,
        "is_enterprise_install": False,
    }
    return {
        "token": identity.verification_token,
        "team_id": identity.team_id,
        "api_app_id": identity.app_id,
        "event": event,
        "type": "event_callback",
        "event_id": event_id,
        "event_time": int(time.time()),
        "authorizations": [authorization],
        "is_ext_shared_channel": False,
        "event_context": f"4-{event_id}",
    }


def message_event(message: Message, channel: Channel, identity: Identity) -> Json:
    """A new message, whoever wrote it."""
    event = message.payload() | {
        "team": identity.team_id,
        "channel": channel.id,
        "channel_type": channel.kind,
        "event_ts": message.ts,
    }
    if message.from_app:
        return event | {"app_id": identity.app_id, "bot_profile": {"id": message.bot_id, "name": identity.bot_name}}
    return event | {"client_msg_id": f"client-{message.ts}"}


def mention_event(message: Message, identity: Identity) -> Json:
    """The same message once more, because it names the app."""
    return message.payload() | {
        "type": "app_mention",
        "team": identity.team_id,
        "channel": message.channel,
        "event_ts": message.ts,
        "client_msg_id": f"client-{message.ts}",
    }


def changed_event(now: Message, before: Message, channel: Channel, ts: str) -> Json:
    """A message has another text than before."""
    return {
        "type": "message",
        "subtype": "message_changed",
        "hidden": True,
        "message": now.payload(),
        "previous_message": before.payload(),
        "channel": channel.id,
        "channel_type": channel.kind,
        "ts": ts,
        "event_ts": ts,
    }


def deleted_event(before: Message, channel: Channel, ts: str) -> Json:
    """A message is gone."""
    return {
        "type": "message",
        "subtype": "message_deleted",
        "hidden": True,
        "deleted_ts": before.ts,
        "previous_message": before.payload(),
        "channel": channel.id,
        "channel_type": channel.kind,
        "ts": ts,
        "event_ts": ts,
    }


def slash_payload(command: str, text: str, user: User, channel: Channel, identity: Identity) -> Json:
    """A slash command, without its trigger and response URL."""
    return {
        "token": identity.verification_token,
        "team_id": identity.team_id,
        "team_domain": identity.team_domain,
        "channel_id": channel.id,
        "channel_name": channel.name,
        "user_id": user.id,
        "user_name": user.name,
        "command": command,
        "text": text,
        "api_app_id": identity.app_id,
        "is_enterprise_install": "false",
    }


def interaction_payload(kind: str, user: User, identity: Identity) -> Json:
    """What every interaction has in common."""
    return {
        "type": kind,
        "token": identity.verification_token,
        "api_app_id": identity.app_id,
        "team": {"id": identity.team_id, "domain": identity.team_domain},
        "user": {"id": user.id, "username": user.name, "name": user.name, "team_id": identity.team_id},
        "enterprise": None,
        "is_enterprise_install": False,
    }


def click_payload(message: Message, action: Json, user: User, channel: Channel, identity: Identity) -> Json:
    """A press on a button of `message`."""
    container = {
        "type": "message",
        "message_ts": message.ts,
        "channel_id": channel.id,
        "is_ephemeral": message.ephemeral_to is not None,
    }
    return interaction_payload("block_actions", user, identity) | {
        "container": container,
        "channel": {"id": channel.id, "name": channel.name},
        "message": message.payload(),
        "actions": [action],
    }


def shortcut_payload(callback_id: str, message: Message, user: User, channel: Channel, identity: Identity) -> Json:
    """A message shortcut."""
    return interaction_payload("message_action", user, identity) | {
        "callback_id": callback_id,
        "message_ts": message.ts,
        "message": message.payload(),
        "channel": {"id": channel.id, "name": channel.name},
        "action_ts": message.ts,
    }
