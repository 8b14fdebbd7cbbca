"""conversations.* and users.info: who and what is there."""

from __future__ import annotations

from typing import Final, TypeVar

from tests.slack_emulator.arguments import Arguments
from tests.slack_emulator.backend import Backend
from tests.slack_emulator.errors import SlackError
from tests.slack_emulator.message import Message
from tests.slack_emulator.payload import Json

_Item = TypeVar("_Item")

_CURSOR: Final = "after:"
_MOST: Final = 1_000


def replies(backend: Backend, arguments: Arguments) -> Json:
    """conversations.replies: the first message of the thread, then its replies, oldest first."""
    channel = backend.joined_channel(arguments.required("channel"))
    ts = arguments.required("ts")
    root = backend.public_message(channel.id, ts)
    if root is None:
        raise SlackError("thread_not_found")
    thread = backend.workspace.thread(channel.id, ts) or [root]
    return _messages(backend, arguments, [root, *_between(thread[1:], arguments)])


def history(backend: Backend, arguments: Arguments) -> Json:
    """conversations.history: newest first, threads not opened."""
    channel = backend.joined_channel(arguments.required("channel"))
    newest_first = backend.workspace.history(channel.id)[::-1]
    return _messages(backend, arguments, _between(newest_first, arguments))


def info(backend: Backend, arguments: Arguments) -> Json:
    """conversations.info."""
    channel = backend.visible_channel(arguments.required("channel"))
    return {"channel": channel.payload(backend.identity.bot_user_id)}


def members(backend: Backend, arguments: Arguments) -> Json:
    """conversations.members."""
    channel = backend.visible_channel(arguments.required("channel"))
    page, metadata = _page(sorted(channel.members), arguments)
    return {"members": page, "response_metadata": metadata}


def open_direct(backend: Backend, arguments: Arguments) -> Json:
    """conversations.open, for one member."""
    user = arguments.text("users") or arguments.required("channel")
    if user in backend.workspace.channels:
        channel = backend.joined_channel(user)
    elif user in backend.workspace.users:
        channel = backend.workspace.direct_channel(user, backend.identity.bot_user_id)
    else:
        raise SlackError("user_not_found")
    shown = channel.payload(backend.identity.bot_user_id)
    return {"channel": shown if arguments.flag("return_im", default=False) else {"id": channel.id}}


def user_info(backend: Backend, arguments: Arguments) -> Json:
    """users.info."""
    user = backend.workspace.users.get(arguments.required("user"))
    if user is None:
        raise SlackError("user_not_found")
    return {"user": user.payload(backend.identity.team_id)}


def _between(messages: list[Message], arguments: Arguments) -> list[Message]:
    """The messages after `oldest` and before `latest`; those two themselves with `inclusive`."""
    oldest, latest = arguments.text("oldest") or "0", arguments.text("latest") or "9"
    ends = {oldest, latest} if arguments.flag("inclusive", default=False) else set[str]()
    return [message for message in messages if oldest < message.ts < latest or message.ts in ends]


def _messages(backend: Backend, arguments: Arguments, messages: list[Message]) -> Json:
    page, metadata = _page(messages, arguments)
    shown = [backend.workspace.payload(message) for message in page]
    return {"messages": shown, "has_more": bool(metadata["next_cursor"]), "response_metadata": metadata}


def _page(items: list[_Item], arguments: Arguments) -> tuple[list[_Item], dict[str, str]]:
    """The part that `cursor` and `limit` ask for, and where the next one begins."""
    cursor = arguments.text("cursor")
    if cursor and not (cursor.startswith(_CURSOR) and cursor.removeprefix(_CURSOR).isdecimal()):
        raise SlackError("invalid_cursor")
    start = int(cursor.removeprefix(_CURSOR) or 0)
    limit = arguments.number("limit", default=_MOST)
    if not 0 < limit <= _MOST:
        raise SlackError("invalid_limit")
    end = start + limit
    return items[start:end], {"next_cursor": f"{_CURSOR}{end}" if end < len(items) else ""}
