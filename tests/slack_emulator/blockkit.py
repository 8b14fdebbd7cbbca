"""What Slack says about blocks that it does not accept: each reason with a pointer to the culprit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, cast

from tests.slack_emulator.block_elements import (
    INTERACTIVE,
    Check,
    button,
    elements,
    feedback_buttons,
    image,
    length,
    text_object,
)
from tests.slack_emulator.errors import SlackError
from tests.slack_emulator.limits import MARKDOWN_CHARS, MESSAGE_BLOCKS
from tests.slack_emulator.payload import Json, mapping, objects, string, walk

_BLOCK_ID_CHARS: Final = 255
_INLINE: Final = frozenset(
    {"text", "link", "user", "usergroup", "broadcast", "channel", "emoji", "date", "color", "citation", "team"}
)
_RICH_CONTAINERS: Final = frozenset(
    {"rich_text_section", "rich_text_list", "rich_text_quote", "rich_text_preformatted"}
)


def check_blocks(blocks: list[Json], *, most: int = MESSAGE_BLOCKS, modal: bool = False) -> None:
    """Raise SlackError when Slack would refuse these blocks."""
    reasons = list(_reasons(blocks, most=most, modal=modal))
    if reasons:
        raise SlackError("invalid_blocks", reasons)
    markdown = sum(len(string(node.get("text"))) for node in walk(blocks) if node.get("type") == "markdown")
    if markdown > MARKDOWN_CHARS:
        raise SlackError("msg_blocks_too_long")


def _reasons(blocks: list[Json], *, most: int, modal: bool) -> Iterator[str]:
    if len(blocks) > most:
        yield f"no more than {most} items allowed [json-pointer:/blocks]"
    seen: set[str] = set()
    for index, block in enumerate(blocks):
        at = f"/blocks/{index}"
        kind = string(block.get("type"))
        if kind not in BLOCKS or (kind == "input" and not modal):
            yield f"unsupported type: {kind} [json-pointer:{at}/type]"
            continue
        block_id = string(block.get("block_id"))
        yield from length(block_id, f"{at}/block_id", most=_BLOCK_ID_CHARS, least=0)
        if block_id and block_id in seen:
            yield f"`block_id` {block_id} already exists [json-pointer:{at}/block_id]"
        seen.add(block_id)
        yield from BLOCKS[kind](block, at)


def _section(block: Json, at: str) -> Iterator[str]:
    fields = objects(block.get("fields"))
    if "text" not in block and not fields:
        yield f"must define either `text` or `fields` [json-pointer:{at}]"
    if "text" in block:
        yield from text_object(block["text"], f"{at}/text", most=3_000)
    if len(fields) > 10:
        yield f"no more than 10 items allowed [json-pointer:{at}/fields]"
    for index, item in enumerate(fields):
        yield from text_object(item, f"{at}/fields/{index}", most=2_000)
    if "accessory" in block:
        yield from _accessory(mapping(block["accessory"]), f"{at}/accessory")


def _accessory(element: Json, at: str) -> Iterator[str]:
    checks = {**INTERACTIVE, "image": image}
    kind = string(element.get("type"))
    yield from checks[kind](element, at) if kind in checks else iter([f"unsupported type: {kind} [json-pointer:{at}]"])


def _header(block: Json, at: str) -> Iterator[str]:
    yield from text_object(block.get("text"), f"{at}/text", most=150, plain=True)


def _markdown(block: Json, at: str) -> Iterator[str]:
    # Longer texts are refused as msg_blocks_too_long, for all markdown blocks of the message together.
    yield from length(block.get("text"), f"{at}/text", most=1_000_000)


def _context(block: Json, at: str) -> Iterator[str]:
    def text(element: Json, place: str) -> Iterator[str]:
        yield from text_object(element, place, most=3_000)

    yield from elements(block, at, most=10, checks={"plain_text": text, "mrkdwn": text, "image": image})


def _actions(block: Json, at: str) -> Iterator[str]:
    yield from elements(block, at, most=25, checks=INTERACTIVE)


def _context_actions(block: Json, at: str) -> Iterator[str]:
    checks: dict[str, Check] = {"feedback_buttons": feedback_buttons, "icon_button": button}
    yield from elements(block, at, most=5, checks=checks)


def _rich_text(block: Json, at: str) -> Iterator[str]:
    containers = dict.fromkeys(_RICH_CONTAINERS, _rich_container)
    yield from elements(block, at, most=1_000, checks=containers)


def _rich_container(container: Json, at: str) -> Iterator[str]:
    if container["type"] == "rich_text_list":
        yield from elements(container, at, most=1_000, checks={"rich_text_section": _rich_container})
        return
    yield from elements(container, at, most=10_000, checks=dict.fromkeys(_INLINE, _rich_inline))


def _rich_inline(element: Json, at: str) -> Iterator[str]:
    required = {"text": "text", "link": "url", "user": "user_id", "citation": "url", "broadcast": "range"}
    kind = string(element["type"])
    if kind in required:
        yield from length(element.get(required[kind]), f"{at}/{required[kind]}", most=40_000)


def _table(block: Json, at: str) -> Iterator[str]:
    rows = cast("list[object]", block["rows"]) if isinstance(block.get("rows"), list) else []
    if not 0 < len(rows) <= 100:
        yield f"must have between 1 and 100 rows [json-pointer:{at}/rows]"
    for index, row in enumerate(rows):
        if len(objects(row)) > 20:
            yield f"no more than 20 items allowed [json-pointer:{at}/rows/{index}]"


def _card(block: Json, at: str) -> Iterator[str]:
    for name, most in (("title", 150), ("subtitle", 150), ("body", 200)):
        if name in block:
            yield from text_object(block[name], f"{at}/{name}", most=most)


def _carousel(block: Json, at: str) -> Iterator[str]:
    yield from elements(block, at, most=10, checks={"card": _card})


def _input(block: Json, at: str) -> Iterator[str]:
    yield from text_object(block.get("label"), f"{at}/label", most=2_000, plain=True)
    if not mapping(block.get("element")):
        yield f"missing required field: element [json-pointer:{at}]"


def _unchecked(_block: Json, _at: str) -> Iterator[str]:
    """Blocks that the product does not use are let through."""
    return iter(())


BLOCKS: Final[Mapping[str, Check]] = MappingProxyType(
    {
        "actions": _actions,
        "alert": _unchecked,
        "card": _card,
        "carousel": _carousel,
        "context": _context,
        "context_actions": _context_actions,
        "divider": _unchecked,
        "file": _unchecked,
        "header": _header,
        "image": image,
        "input": _input,
        "markdown": _markdown,
        "plan": _unchecked,
        "rich_text": _rich_text,
        "section": _section,
        "table": _table,
        "task_card": _unchecked,
        "video": _unchecked,
    }
)
