"""Slack's Web API as this program calls it: what waits out a rate limit, and what does not."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final
from weakref import WeakValueDictionary

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.async_handler import AsyncRetryHandler
from slack_sdk.http_retry.builtin_async_handlers import (
    AsyncConnectionErrorRetryHandler,
    AsyncRateLimitErrorRetryHandler,
    AsyncServerErrorRetryHandler,
)
from slack_sdk.web.async_client import AsyncWebClient

UNREACHABLE: Final = (aiohttp.ClientError, TimeoutError)
"""How a call fails that never came to Slack, or whose answer never came back."""

REFUSALS: Final = (SlackApiError, *UNREACHABLE)
"""How a call to Slack fails."""

RATE_LIMITED: Final = "ratelimited"
_RATE_LIMIT_RETRIES: Final = 10


@dataclass(frozen=True, slots=True)
class Web:
    """One workspace through two clients."""

    patient: AsyncWebClient
    """For what must arrive: it waits as long as Slack says after a rate limit."""
    hasty: AsyncWebClient
    """For what is overtaken by the next call, or has another way: it does not wait."""
    _turns: WeakValueDictionary[str, asyncio.Lock] = field(
        default_factory=WeakValueDictionary[str, asyncio.Lock], init=False, repr=False, compare=False
    )

    @classmethod
    def of(cls, token: str, *, base_url: str, session: aiohttp.ClientSession | None = None) -> Web:
        """Both clients for a bot's token; they share the session."""

        def client(handlers: list[AsyncRetryHandler]) -> AsyncWebClient:
            return AsyncWebClient(token=token, base_url=base_url, session=session, retry_handlers=handlers)

        # The hasty one does not even repeat a call whose answer was lost: text would be appended twice.
        return cls(patient=client(patience()), hasty=client([]))

    def turn(self, channel: str) -> asyncio.Lock:
        """The place in line of a message that must arrive in the channel, to be held while it is posted.

        Slack takes about one message a second: of forty that tried again each by itself, some would never get through.
        """
        return self._turns.setdefault(channel, asyncio.Lock())


def patience() -> list[AsyncRetryHandler]:
    """The handlers that try again: after a rate limit when Slack says, after a broken connection or server soon."""
    return [
        AsyncConnectionErrorRetryHandler(),
        AsyncRateLimitErrorRetryHandler(max_retry_count=_RATE_LIMIT_RETRIES),
        AsyncServerErrorRetryHandler(),
    ]


def cause(error: BaseException) -> str:
    """Slack's code for a refusal ("not_in_channel"), or the name of the failure."""
    match error:
        case SlackApiError(response=response) if getattr(response, "status_code", 0) == HTTPStatus.TOO_MANY_REQUESTS:
            return RATE_LIMITED
        case SlackApiError(response=response) if isinstance(code := _data(response).get("error"), str):
            return code
        case _:
            return type(error).__name__


def _data(response: Any) -> dict[str, Any]:
    data = getattr(response, "data", response)
    return data if isinstance(data, dict) else {}
