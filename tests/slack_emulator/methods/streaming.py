"""chat.startStream, chat.appendStream and chat.stopStream."""

from __future__ import annotations

from dataclasses import replace

from tests.slack_emulator.arguments import Arguments
from tests.slack_emulator.backend import Backend
from tests.slack_emulator.blockkit import check_blocks
from tests.slack_emulator.errors import SlackError
from tests.slack_emulator.message import Message, StreamState
from tests.slack_emulator.payload import Json
from tests.slack_emulator.streams import appended, ended


def start(backend: Backend, arguments: Arguments) -> Json:
    """chat.startStream: always a reply, and in channels addressed to one member."""
    channel = backend.joined_channel(arguments.required("channel"))
    thread_ts = backend.thread_root(channel, arguments.required("thread_ts"))
    if not channel.is_direct:
        for name in ("recipient_user_id", "recipient_team_id"):
            if name not in arguments:
                raise SlackError(f"missing_{name}")
    recipient = arguments.text("recipient_user_id")
    if recipient and recipient not in backend.workspace.users:
        raise SlackError("user_not_found")
    if arguments.text("recipient_team_id") not in {"", backend.identity.team_id}:
        raise SlackError("team_not_found")
    draft = _grown(backend.draft(channel, thread_ts), arguments)
    message = backend.say(backend.streams.opened(draft, recipient))
    return {"channel": channel.id, "ts": message.ts}


def append(backend: Backend, arguments: Arguments) -> Json:
    """chat.appendStream."""
    before = _open_stream(backend, arguments)
    if "markdown_text" not in arguments and "chunks" not in arguments:
        raise SlackError("no_text")
    message = backend.timeline.streamed(before, _grown(before, arguments))
    return {"channel": message.channel, "ts": message.ts}


def stop(backend: Backend, arguments: Arguments) -> Json:
    """chat.stopStream: the last text, and blocks that stand below it."""
    before = _open_stream(backend, arguments)
    blocks = arguments.objects("blocks", otherwise="invalid_blocks_format")
    grown = _grown(before, arguments)
    grown = replace(grown, blocks=(*grown.blocks, *blocks), metadata=arguments.object("metadata") or None)
    check_blocks(list(grown.blocks))
    message = backend.timeline.changed(before, ended(grown, StreamState.STOPPED))
    return {"channel": message.channel, "ts": message.ts, "message": message.payload()}


def _open_stream(backend: Backend, arguments: Arguments) -> Message:
    channel = backend.joined_channel(arguments.required("channel"))
    message = backend.public_message(channel.id, arguments.required("ts"))
    if message is not None and message.bot_id != backend.identity.bot_id:
        raise SlackError("message_not_owned_by_app")
    return backend.streams.require_open(message)


def _grown(message: Message, arguments: Arguments) -> Message:
    chunks = arguments.objects("chunks", otherwise="invalid_chunks")
    grown = appended(message, arguments.text("markdown_text"), chunks)
    check_blocks(list(grown.blocks))
    return grown
