"""chat.*: posting, updating and deleting messages."""

from __future__ import annotations

from dataclasses import replace

from tests.slack_emulator.arguments import Arguments
from tests.slack_emulator.backend import Backend
from tests.slack_emulator.content import read_content
from tests.slack_emulator.errors import SlackError
from tests.slack_emulator.payload import Json


def post_message(backend: Backend, arguments: Arguments) -> Json:
    """chat.postMessage."""
    channel = backend.joined_channel(arguments.required("channel"))
    thread_ts = backend.thread_root(channel, arguments.optional("thread_ts"))
    content = read_content(arguments)
    message = backend.say(content.posted_as(backend.draft(channel, thread_ts)))
    return {"channel": channel.id, "ts": message.ts, "message": message.payload()}


def post_ephemeral(backend: Backend, arguments: Arguments) -> Json:
    """chat.postEphemeral."""
    channel = backend.joined_channel(arguments.required("channel"))
    user = arguments.required("user")
    if user not in channel.members:
        raise SlackError("user_not_in_channel")
    thread_ts = backend.thread_root(channel, arguments.optional("thread_ts"))
    content = read_content(arguments)
    draft = replace(backend.draft(channel, thread_ts), ephemeral_to=user)
    message = backend.timeline.posted(content.posted_as(draft))
    return {"message_ts": message.ts}


def update(backend: Backend, arguments: Arguments) -> Json:
    """chat.update."""
    channel_id, ts = arguments.required("channel"), arguments.required("ts")
    before = backend.own_message(channel_id, ts, otherwise="cant_update_message")
    if before.streaming:
        raise SlackError("streaming_state_conflict")
    now = read_content(arguments).updating(before, backend.workspace.new_ts())
    message = backend.timeline.changed(before, now)
    return {"channel": message.channel, "ts": ts, "text": message.body, "message": message.payload()}


def delete(backend: Backend, arguments: Arguments) -> Json:
    """chat.delete."""
    channel_id, ts = arguments.required("channel"), arguments.required("ts")
    message = backend.own_message(channel_id, ts, otherwise="cant_delete_message")
    if message.streaming:
        raise SlackError("cant_delete_message")
    backend.timeline.deleted(message)
    return {"channel": message.channel, "ts": ts}


def get_permalink(backend: Backend, arguments: Arguments) -> Json:
    """chat.getPermalink."""
    channel = backend.visible_channel(arguments.required("channel"))
    message = backend.public_message(channel.id, arguments.required("message_ts"))
    if message is None:
        raise SlackError("message_not_found")
    host = f"https://{backend.identity.team_domain}.slack.com"
    thread = f"?thread_ts={message.thread_ts}&cid={channel.id}" if message.thread_ts else ""
    link = f"{host}/archives/{channel.id}/p{message.ts.replace('.', '')}{thread}"
    return {"channel": channel.id, "permalink": link}
