"""A thread as plain text: what a member would see."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial

from tests.slack_emulator.markup import shown, shown_markdown
from tests.slack_emulator.message import Message, StreamState
from tests.slack_emulator.payload import Json, mapping, objects, string
from tests.slack_emulator.workspace import Workspace

_TASK_SIGNS = {"pending": "○", "in_progress": "◐", "complete": "●", "error": "✗"}


def render_thread(messages: Sequence[Message], workspace: Workspace) -> str:
    """Each message with its author and time (UTC), replies indented."""
    return "\n\n".join(textwrap.indent(render(message, workspace), _margin(message)) for message in messages)


def render(message: Message, workspace: Workspace) -> str:
    """One message: author, time, text, blocks, files and reactions."""
    author = workspace.users[message.user].real_name if message.user in workspace.users else message.user
    time = datetime.fromtimestamp(float(message.ts), UTC)
    marks = [
        "  APP" if message.from_app else "",
        "  (edited)" if message.edited_ts else "",
        "  (only visible to you)" if message.ephemeral_to else "",
    ]
    body = [line for line in _body(message, workspace.name_of) if line]
    return "\n".join([f"{author}{''.join(marks)}  {time:%H:%M}", *body])


def _margin(message: Message) -> str:
    return "" if message.thread_ts in (None, message.ts) else "    "


def _body(message: Message, name_of: Callable[[str], str]) -> Iterator[str]:
    mrkdwn, markdown = partial(shown, name_of=name_of), partial(shown_markdown, name_of=name_of)
    yield message.plan
    for task in message.tasks:
        yield f"{_TASK_SIGNS[task['status']]} {task['title']}"
    yield markdown(message.markdown)
    if not message.blocks:  # text behind blocks is for notifications only
        yield mrkdwn(message.text)
    for block in message.blocks:
        yield from _block(block, mrkdwn, markdown)
    for file in message.files:
        yield f"[file: {file['title']}]"
    yield "  ".join(f":{reaction.name}:" for reaction in message.reactions)
    if message.streaming:
        yield "…"
    if message.stream is not None and message.stream.state is StreamState.EXPIRED:
        yield "(Something went wrong: the stream ended.)"


def _block(block: Json, mrkdwn: Callable[[str], str], markdown: Callable[[str], str]) -> Iterator[str]:
    match block["type"]:
        case "markdown":
            yield markdown(string(block.get("text")))
        case "divider":
            yield "─" * 24
        case "section" | "header":
            yield _text(block.get("text"), mrkdwn)
            yield from (_text(item, mrkdwn) for item in objects(block.get("fields")))
            yield _element(mapping(block.get("accessory")), mrkdwn)
        case "context" | "actions" | "context_actions":
            yield "  ".join(_element(element, mrkdwn) for element in objects(block.get("elements")))
        case "rich_text":
            yield from (_rich(container) for container in objects(block.get("elements")))
        case other:
            yield f"[{other}]"


def _text(text: object, mrkdwn: Callable[[str], str]) -> str:
    content = string(mapping(text).get("text"))
    return mrkdwn(content) if mapping(text).get("type") == "mrkdwn" else content


def _element(element: Json, mrkdwn: Callable[[str], str]) -> str:
    match element.get("type"):
        case None:
            return ""
        case "mrkdwn" | "plain_text":
            return _text(element, mrkdwn)
        case "button" | "icon_button":
            link = f" ({element['url']})" if "url" in element else ""
            return f"[ {_text(element.get('text'), mrkdwn)} ]{link}"
        case "feedback_buttons":
            pair = (mapping(element.get(name)) for name in ("positive_button", "negative_button"))
            return " ".join(f"[ {_text(button.get('text'), mrkdwn)} ]" for button in pair)
        case other:
            return f"[{other}]"


def _rich(element: Json) -> str:
    """The text of a rich_text element and of all inside it."""
    match element:
        case {"type": "rich_text_list"}:
            return "\n".join(f"• {_rich(item)}" for item in objects(element.get("elements")))
        case {"type": "link" | "citation", "url": str(url)}:
            label = string(element.get("text"))
            return f"{label} ({url})" if label else url
        case {"type": "user", "user_id": str(user)}:
            return f"@{user}"
        case {"type": "broadcast", "range": str(reach)}:
            return f"@{reach}"
        case {"type": "emoji", "name": str(name)}:
            return f":{name}:"
        case _:
            return string(element.get("text")) + "".join(_rich(inner) for inner in objects(element.get("elements")))
