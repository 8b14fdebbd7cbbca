"""files.getUploadURLExternal and files.completeUploadExternal."""

from __future__ import annotations

from dataclasses import replace

from tests.slack_emulator.arguments import Arguments
from tests.slack_emulator.backend import Backend, Upload
from tests.slack_emulator.errors import SlackError
from tests.slack_emulator.payload import Json, string


def get_upload_url(backend: Backend, arguments: Arguments) -> Json:
    """files.getUploadURLExternal: an address that takes exactly `length` bytes."""
    name = arguments.required("filename")
    length = arguments.number("length", default=0)
    if not length:
        raise SlackError("invalid_arguments", ["missing required field: length"])
    upload = Upload(backend.workspace.new_id("F"), name, length)
    backend.uploads[upload.id] = upload
    return {"upload_url": f"{backend.root}/upload/{upload.id}", "file_id": upload.id}


def complete_upload(backend: Backend, arguments: Arguments) -> Json:
    """files.completeUploadExternal: the files appear in a channel where one is named."""
    files = [_shown(backend, requested) for requested in arguments.objects("files")]
    if not files:
        raise SlackError("invalid_arguments", ["missing required field: files"])
    if "channel_id" in arguments:
        channel = backend.joined_channel(arguments.text("channel_id"))
        thread_ts = backend.thread_root(channel, arguments.optional("thread_ts"))
        draft = backend.draft(channel, thread_ts)
        backend.say(replace(draft, text=arguments.text("initial_comment"), files=tuple(files)))
    return {"files": files}


def _shown(backend: Backend, requested: Json) -> Json:
    upload = backend.uploads.get(string(requested.get("id")))
    if upload is None or upload.content is None:
        raise SlackError("file_not_found")
    return {"id": upload.id, "name": upload.name, "title": requested.get("title") or upload.name, "size": upload.length}
