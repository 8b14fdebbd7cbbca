"""Answers that do not go through the Web API: to a response URL, or along with an acknowledgement."""

from __future__ import annotations

from dataclasses import replace

from aiohttp import web

from tests.slack_emulator.arguments import Arguments, read_arguments
from tests.slack_emulator.backend import Backend
from tests.slack_emulator.content import read_content
from tests.slack_emulator.errors import SlackError
from tests.slack_emulator.interactions import ResponseUrl


async def handle_response(backend: Backend, request: web.Request) -> web.Response:
    """Serve a response URL."""
    try:
        arguments = await read_arguments(request)
        respond(backend, backend.interactions.respond(request.match_info["key"]), arguments)
    except SlackError as error:
        gone = error.code in {"no_such_url", "expired_url", "used_url"}
        return web.Response(text=error.code, status=404 if gone else 400)
    return web.Response(text="ok")


def respond(backend: Backend, permission: ResponseUrl, arguments: Arguments) -> None:
    """Post, replace or delete, as the answer asks; for the member alone unless it says otherwise."""
    original = backend.workspace.message(permission.channel, permission.message_ts or "")
    if arguments.flag("delete_original", default=False) and original is not None:
        backend.timeline.deleted(original)
        return
    content = read_content(arguments)
    if arguments.flag("replace_original", default=False) and original is not None:
        backend.timeline.changed(original, content.updating(original, backend.workspace.new_ts()))
        return
    channel = backend.workspace.channels[permission.channel]
    thread_ts = arguments.optional("thread_ts") or permission.thread_ts
    draft = content.posted_as(backend.draft(channel, thread_ts))
    everyone = arguments.text("response_type") == "in_channel"
    backend.timeline.posted(draft if everyone else replace(draft, ephemeral_to=permission.user))
