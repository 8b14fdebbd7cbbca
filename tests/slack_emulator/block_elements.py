"""What Slack says about the parts of a block: texts, images and what can be pressed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from tests.slack_emulator.payload import Json, mapping, objects, string

Check: TypeAlias = Callable[[Json, str], Iterator[str]]
"""Yields the reasons against one object, given its place in the document."""

_NOT_EMPTY: Final = "must be more than 0 characters"
_ACTION_ID_CHARS: Final = 255
_BUTTON_TEXT_CHARS: Final = 75
_BUTTON_VALUE_CHARS: Final = 2_000
_URL_CHARS: Final = 3_000
_TEXT_TYPES: Final = frozenset({"plain_text", "mrkdwn"})


def length(value: object, at: str, *, most: int, least: int = 1) -> Iterator[str]:
    """Reasons against a string: its length in characters."""
    if not isinstance(value, str):
        yield f"must be a string [json-pointer:{at}]"
    elif len(value) < least:
        yield f"{_NOT_EMPTY} [json-pointer:{at}]"
    elif len(value) > most:
        yield f"must be less than {most + 1} characters [json-pointer:{at}]"


def text_object(value: object, at: str, *, most: int, plain: bool = False) -> Iterator[str]:
    """Reasons against a text object; `plain` forbids mrkdwn."""
    text = mapping(value)
    if text.get("type") not in ({"plain_text"} if plain else _TEXT_TYPES):
        yield f"failed to match all allowed schemas [json-pointer:{at}]"
        return
    yield from length(text.get("text"), f"{at}/text", most=most)


def elements(holder: Json, at: str, *, most: int, checks: Mapping[str, Check]) -> Iterator[str]:
    """Reasons against a list of elements, of which only those in `checks` may stand there."""
    held = objects(holder.get("elements"))
    if not held:
        yield f"no fewer than 1 item allowed [json-pointer:{at}/elements]"
    if len(held) > most:
        yield f"no more than {most} items allowed [json-pointer:{at}/elements]"
    for index, element in enumerate(held):
        kind, place = string(element.get("type")), f"{at}/elements/{index}"
        if kind in checks:
            yield from checks[kind](element, place)
        else:
            yield f"unsupported type: {kind} [json-pointer:{place}/type]"


def image(block: Json, at: str) -> Iterator[str]:
    """Reasons against an image, as a block or as an element."""
    yield from length(block.get("alt_text"), f"{at}/alt_text", most=2_000)
    if "slack_file" not in block:
        yield from length(block.get("image_url"), f"{at}/image_url", most=_URL_CHARS)


def button(element: Json, at: str) -> Iterator[str]:
    """Reasons against a button."""
    yield from text_object(element.get("text"), f"{at}/text", most=_BUTTON_TEXT_CHARS, plain=True)
    yield from length(element.get("value", ""), f"{at}/value", most=_BUTTON_VALUE_CHARS, least=0)
    yield from length(element.get("url", ""), f"{at}/url", most=_URL_CHARS, least=0)
    yield from action_id(element, at)
    if element.get("style") not in {None, "primary", "danger"}:
        yield f"must be a valid enum value [json-pointer:{at}/style]"


def feedback_buttons(element: Json, at: str) -> Iterator[str]:
    yield from action_id(element, at)
    for name in ("positive_button", "negative_button"):
        yield from button(mapping(element.get(name)), f"{at}/{name}")


def action_id(element: Json, at: str) -> Iterator[str]:
    yield from length(element.get("action_id", ""), f"{at}/action_id", most=_ACTION_ID_CHARS, least=0)


_SELECTORS: Final = (
    "checkboxes",
    "conversations_select",
    "datepicker",
    "multi_static_select",
    "overflow",
    "radio_buttons",
    "static_select",
    "users_select",
)

INTERACTIVE: Final[Mapping[str, Check]] = MappingProxyType(
    {"button": button, **dict.fromkeys(_SELECTORS, action_id)},
)
"""What may stand in an actions block or beside a section."""
