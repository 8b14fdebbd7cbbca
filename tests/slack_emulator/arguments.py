"""A call's arguments: from the query, a form, several parts or JSON, all read the same way."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from tests.slack_emulator.errors import SlackError
from tests.slack_emulator.payload import Json, mapping, objects


@dataclass(frozen=True, slots=True)
class Arguments:
    """Typed access to what nobody has checked."""

    values: Mapping[str, Any]

    def __contains__(self, name: str) -> bool:
        return self.values.get(name) is not None

    def text(self, name: str) -> str:
        """A string argument, empty where it is missing."""
        value = self.values.get(name)
        return "" if value is None else str(value)

    def optional(self, name: str) -> str | None:
        """A string argument, None where it is missing or empty."""
        return self.text(name) or None

    def required(self, name: str) -> str:
        """A string argument; raise SlackError where it is missing."""
        value = self.text(name)
        if not value:
            raise SlackError("invalid_arguments", [f"missing required field: {name}"])
        return value

    def flag(self, name: str, *, default: bool) -> bool:
        """A boolean argument: forms carry it as 0 and 1."""
        value = self.text(name).lower()
        return default if not value else value in {"1", "true"}

    def number(self, name: str, *, default: int) -> int:
        """A whole number."""
        value = self.text(name)
        if value and not value.isdecimal():
            raise SlackError("invalid_arguments", [f"must be a number: {name}"])
        return int(value) if value else default

    def objects(self, name: str, *, otherwise: str = "invalid_arguments") -> list[Json]:
        """A list of objects, given as such or as JSON text; raise SlackError with `otherwise` where it is neither."""
        value = self._decoded(name, otherwise)
        if value is None:
            return []
        if not isinstance(value, list):
            raise SlackError(otherwise, [f"must be an array: {name}"])
        return objects(value)

    def object(self, name: str) -> Json:
        """An object, given as such or as JSON text; empty where it is missing."""
        return mapping(self._decoded(name, "invalid_arguments"))

    def _decoded(self, name: str, otherwise: str) -> object:
        value: object = self.values.get(name)
        if not isinstance(value, str):
            return value
        try:
            return json.loads(value) if value else None
        except json.JSONDecodeError as error:
            raise SlackError(otherwise, [f"must be valid JSON: {name}"]) from error


async def read_arguments(request: web.Request) -> Arguments:
    """Everything that a request carries; raise SlackError where its body is no JSON though it says so."""
    values: dict[str, Any] = dict(request.query)
    if request.content_type == "application/json":
        body = await request.text()
        try:
            values |= mapping(json.loads(body)) if body else {}
        except json.JSONDecodeError as error:
            raise SlackError("invalid_json") from error
    else:
        values |= dict(await request.post())
    return Arguments(values)
