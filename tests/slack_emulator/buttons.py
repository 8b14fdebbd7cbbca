"""Finding the button that a member presses."""

from __future__ import annotations

from collections.abc import Iterator

from tests.slack_emulator.message import Message
from tests.slack_emulator.payload import Json, mapping, string, walk

_PRESSABLE = frozenset({"button", "icon_button", "feedback_buttons"})


def pressed(message: Message, action_id: str, value: str | None) -> Json:
    """The action that Slack reports; LookupError where the message has no such button."""
    offered = [action for action in _actions(message) if action["action_id"] == action_id]
    for action in offered:
        if value is None or action["value"] == value:
            return action | {"action_ts": message.ts}
    raise LookupError(f"no button {action_id!r} with value {value!r}; the message offers {list(_actions(message))}")


def _actions(message: Message) -> Iterator[Json]:
    for number, block in enumerate(message.blocks):
        block_id = string(block.get("block_id")) or f"block-{number}"
        for element in walk(block):
            if element.get("type") in _PRESSABLE and "action_id" in element:
                yield from _choices(element, block_id)


def _choices(element: Json, block_id: str) -> Iterator[Json]:
    """What pressing the element may report: a pair of feedback buttons has two values."""
    action: Json = {"type": element["type"], "action_id": element["action_id"], "block_id": block_id}
    if element["type"] == "feedback_buttons":
        for name in ("positive_button", "negative_button"):
            yield action | {"value": string(mapping(element.get(name)).get("value"))}
    else:
        yield action | {"value": string(element.get("value")), "text": element.get("text")}
