"""What a call through the SDK came to: its answer, or its refusal."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from tests.slack_emulator.payload import Json, mapping


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refused call."""

    error: str
    reasons: tuple[str, ...]
    status: int
    retry_after: str | None


async def answer(call: Awaitable[AsyncSlackResponse]) -> Json:
    """The body of what `call` was answered with."""
    return mapping((await call).data)


async def refusal(call: Awaitable[object]) -> Refusal:
    """How `call` was refused; the test fails when it was not."""
    with pytest.raises(SlackApiError) as caught:
        await call
    response = caught.value.response
    data: Json = mapping(response.data)
    metadata = mapping(data.get("response_metadata"))
    reasons = tuple(str(reason) for reason in metadata.get("messages", []))
    return Refusal(str(data["error"]), reasons, int(response.status_code), response.headers.get("Retry-After"))
