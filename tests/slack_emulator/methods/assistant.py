"""assistant.threads.*: status, title and suggested prompts."""

from __future__ import annotations

from typing import cast

from tests.slack_emulator.arguments import Arguments
from tests.slack_emulator.backend import Backend
from tests.slack_emulator.errors import SlackError
from tests.slack_emulator.limits import LOADING_MESSAGES, SUGGESTED_PROMPTS
from tests.slack_emulator.payload import Json


def set_status(backend: Backend, arguments: Arguments) -> Json:
    """assistant.threads.setStatus."""
    channel = backend.joined_channel(arguments.required("channel_id"))
    thread_ts = arguments.required("thread_ts")
    if "status" not in arguments:
        raise SlackError("invalid_arguments", ["missing required field: status"])
    loading = arguments.values.get("loading_messages")
    if isinstance(loading, list) and len(cast("list[object]", loading)) > LOADING_MESSAGES:
        reason = f"no more than {LOADING_MESSAGES} items allowed [json-pointer:/loading_messages]"
        raise SlackError("invalid_arguments", [reason])
    backend.assistant.set_status(channel.id, thread_ts, arguments.text("status"))
    backend.changes.announce()
    return {}


def set_title(backend: Backend, arguments: Arguments) -> Json:
    """assistant.threads.setTitle."""
    channel = backend.joined_channel(arguments.required("channel_id"))
    thread_ts, title = arguments.required("thread_ts"), arguments.required("title")
    backend.assistant.titles[channel.id, thread_ts] = title
    return {}


def set_suggested_prompts(backend: Backend, arguments: Arguments) -> Json:
    """assistant.threads.setSuggestedPrompts: with a thread_ts an app with agent_view is told ok and shows nothing."""
    channel = backend.joined_channel(arguments.required("channel_id"))
    prompts = arguments.objects("prompts")
    if not prompts:
        raise SlackError("invalid_arguments", ["missing required field: prompts"])
    if len(prompts) > SUGGESTED_PROMPTS:
        reason = f"no more than {SUGGESTED_PROMPTS} items allowed [json-pointer:/prompts]"
        raise SlackError("invalid_arguments", [reason])
    for index, prompt in enumerate(prompts):
        if not (prompt.get("title") and prompt.get("message")):
            raise SlackError("invalid_arguments", [f"title and message are required [json-pointer:/prompts/{index}]"])
    if "thread_ts" not in arguments:
        backend.assistant.prompts[channel.id] = prompts
    return {}
