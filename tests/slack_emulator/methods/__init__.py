"""The methods of the Web API that the stand-in answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from tests.slack_emulator.arguments import Arguments
from tests.slack_emulator.backend import Backend
from tests.slack_emulator.methods import app, assistant, chat, conversations, files, reactions, streaming, views
from tests.slack_emulator.payload import Json

Handler: TypeAlias = Callable[[Backend, Arguments], Json]
"""Gives what is answered beside `ok: true`; raises SlackError to refuse."""


@dataclass(frozen=True, slots=True)
class Method:
    """A method and the kind of token that it wants."""

    handler: Handler
    kind: Literal["bot", "app"] = "bot"


METHODS: Final[Mapping[str, Method]] = MappingProxyType(
    {
        "apps.connections.open": Method(app.open_connection, kind="app"),
        "assistant.threads.setStatus": Method(assistant.set_status),
        "assistant.threads.setSuggestedPrompts": Method(assistant.set_suggested_prompts),
        "assistant.threads.setTitle": Method(assistant.set_title),
        "auth.test": Method(app.auth_test),
        "chat.appendStream": Method(streaming.append),
        "chat.delete": Method(chat.delete),
        "chat.getPermalink": Method(chat.get_permalink),
        "chat.postEphemeral": Method(chat.post_ephemeral),
        "chat.postMessage": Method(chat.post_message),
        "chat.startStream": Method(streaming.start),
        "chat.stopStream": Method(streaming.stop),
        "chat.update": Method(chat.update),
        "conversations.history": Method(conversations.history),
        "conversations.info": Method(conversations.info),
        "conversations.members": Method(conversations.members),
        "conversations.open": Method(conversations.open_direct),
        "conversations.replies": Method(conversations.replies),
        "files.completeUploadExternal": Method(files.complete_upload),
        "files.getUploadURLExternal": Method(files.get_upload_url),
        "reactions.add": Method(reactions.add),
        "reactions.remove": Method(reactions.remove),
        "users.info": Method(conversations.user_info),
        "views.open": Method(views.open_view),
        "views.publish": Method(views.publish),
        "views.update": Method(views.update),
    }
)
