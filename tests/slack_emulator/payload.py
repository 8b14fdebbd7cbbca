"""JSON as it travels between Slack and an app, and how to read what nobody has checked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias, cast

Json: TypeAlias = dict[str, Any]


def objects(value: object) -> list[Json]:
    """The objects in a list; nothing where `value` is no list."""
    if not isinstance(value, list):
        return []
    return [cast("Json", item) for item in cast("list[object]", value) if isinstance(item, dict)]


def mapping(value: object) -> Json:
    """`value` where it is an object, else an empty one."""
    return cast("Json", value) if isinstance(value, dict) else {}


def string(value: object) -> str:
    """`value` where it is a string, else an empty one."""
    return value if isinstance(value, str) else ""


def walk(value: object) -> Iterator[Json]:
    """Every object inside `value`, itself included, in reading order."""
    if isinstance(value, dict):
        node = cast("Json", value)
        yield node
        for inner in node.values():
            yield from walk(inner)
    elif isinstance(value, list | tuple):
        for inner in cast("list[object]", value):
            yield from walk(inner)
