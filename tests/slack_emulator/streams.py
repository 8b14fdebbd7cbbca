"""Streamed messages: what may be appended, until when, and how the pieces add up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tests.slack_emulator.clock import Clock, Timing
from tests.slack_emulator.errors import SlackError
from tests.slack_emulator.limits import MARKDOWN_CHARS, TASK_TEXT_CHARS
from tests.slack_emulator.message import Message, Stream, StreamState
from tests.slack_emulator.payload import Json, objects, string

_TASK_STATUSES = frozenset({"pending", "in_progress", "complete", "error"})


@dataclass(frozen=True, slots=True)
class Streams:
    """The life of streams."""

    clock: Clock
    timing: Timing

    def opened(self, message: Message, recipient: str) -> Message:
        """The message with an open stream."""
        return replace(message, stream=Stream(StreamState.OPEN, self.clock.now(), recipient))

    def seen_now(self, message: Message) -> Message:
        """The message with its stream expired where its time is up."""
        if message.stream is None or not message.streaming:
            return message
        expired = self.clock.now() >= message.stream.opened_at + self.timing.stream
        return ended(message, StreamState.EXPIRED) if expired else message

    def require_open(self, message: Message | None) -> Message:
        """The message; raise SlackError unless it is being streamed."""
        if message is None:
            raise SlackError("message_not_found")
        stream = self.seen_now(message).stream
        match None if stream is None else stream.state:
            case StreamState.OPEN:
                return message
            case StreamState.STOPPED_BY_USER:
                raise SlackError("stopped_by_user")
            case _:
                raise SlackError("message_not_in_streaming_state")


def ended(message: Message, state: StreamState) -> Message:
    """The message with its stream in a final state."""
    assert message.stream is not None
    return replace(message, stream=replace(message.stream, state=state))


def appended(message: Message, markdown_text: str, chunks: Sequence[Json]) -> Message:
    """The message with one call's text and chunks added; raise SlackError where Slack refuses them."""
    if markdown_text and chunks:
        raise SlackError("invalid_arguments", ["markdown_text and chunks exclude each other"])
    texts = [markdown_text, *(string(chunk.get("text")) for chunk in chunks if chunk.get("type") == "markdown_text")]
    if sum(map(len, texts)) > MARKDOWN_CHARS:
        raise SlackError("msg_too_long")
    message = replace(message, markdown=message.markdown + markdown_text)
    for index, chunk in enumerate(chunks):
        message = _with_chunk(message, chunk, f"/chunks/{index}")
    return message


def _with_chunk(message: Message, chunk: Json, at: str) -> Message:
    match chunk:
        case {"type": "markdown_text", "text": str(text)}:
            return replace(message, markdown=message.markdown + text)
        case {"type": "plan_update", "title": str(title)}:
            return replace(message, plan=title)
        case {"type": "task_update", "id": str(), "title": str(), "status": str(status)} if status in _TASK_STATUSES:
            return _with_task(message, chunk, at)
        case {"type": "blocks", "blocks": list()}:
            return replace(message, blocks=(*message.blocks, *objects(chunk["blocks"])))
        case _:
            raise SlackError("invalid_chunks", [f"failed to match all allowed schemas [json-pointer:{at}]"])


def _with_task(message: Message, task: Json, at: str) -> Message:
    """The message with a task added, or its later state in the place of the earlier one."""
    for name in ("title", "details", "output"):
        if len(string(task.get(name))) > TASK_TEXT_CHARS:
            reason = f"must be less than {TASK_TEXT_CHARS + 1} characters [json-pointer:{at}/{name}]"
            raise SlackError("invalid_chunks", [reason])
    tasks = {known["id"]: known for known in message.tasks}
    tasks[task["id"]] = {**tasks.get(task["id"], {}), **task}
    return replace(message, tasks=tuple(tasks.values()))
