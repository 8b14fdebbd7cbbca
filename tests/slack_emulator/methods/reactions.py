"""reactions.add and reactions.remove."""

from __future__ import annotations

import re
from dataclasses import replace

from tests.slack_emulator.arguments import Arguments
from tests.slack_emulator.backend import Backend
from tests.slack_emulator.errors import SlackError
from tests.slack_emulator.message import Message, Reaction
from tests.slack_emulator.payload import Json

_NAME = re.compile(r"[a-z0-9_+\-]+(::skin-tone-[2-6])?")


def add(backend: Backend, arguments: Arguments) -> Json:
    """reactions.add."""
    message, reaction = _target(backend, arguments)
    if reaction in message.reactions:
        raise SlackError("already_reacted")
    backend.workspace.put(replace(message, reactions=(*message.reactions, reaction)))
    return {}


def remove(backend: Backend, arguments: Arguments) -> Json:
    """reactions.remove."""
    message, reaction = _target(backend, arguments)
    if reaction not in message.reactions:
        raise SlackError("no_reaction")
    left = tuple(known for known in message.reactions if known != reaction)
    backend.workspace.put(replace(message, reactions=left))
    return {}


def _target(backend: Backend, arguments: Arguments) -> tuple[Message, Reaction]:
    channel = backend.joined_channel(arguments.required("channel"))
    name = arguments.required("name")
    if not _NAME.fullmatch(name):
        raise SlackError("invalid_name")
    message = backend.public_message(channel.id, arguments.required("timestamp"))
    if message is None:
        raise SlackError("message_not_found")
    return message, Reaction(name, backend.identity.bot_user_id)
