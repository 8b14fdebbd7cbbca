"""What a provider's refusal means, in our words: theirs may quote the key or the prompt and are never passed on."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from rag.errors import ProviderError, ProviderRefused, RequestRefused

_Meaning = tuple[type[ProviderError], str]

CODES: Final[Mapping[str, _Meaning]] = {
    "content_filter": (RequestRefused, "its content filter stopped the prompt"),
    "context_length_exceeded": (RequestRefused, "the prompt is longer than the model can read"),
    "insufficient_quota": (ProviderRefused, "the account has no credit left"),
    "invalid_api_key": (ProviderRefused, "the API key is not accepted"),
    "model_not_found": (ProviderRefused, "the model does not exist, or the key may not use it"),
    "unsupported_parameter": (ProviderRefused, "the model does not take a parameter that we send"),
    "unsupported_value": (ProviderRefused, "the model does not take a parameter's value that we send"),
}
"""By the code in the body of the error, which says more than the status."""

STATUSES: Final[Mapping[int, _Meaning]] = {
    400: (RequestRefused, "the request is not accepted"),
    401: (ProviderRefused, "the API key is missing or not accepted"),
    402: (ProviderRefused, "the account has no credit left"),
    403: (ProviderRefused, "the API key may not use this model"),
    404: (ProviderRefused, "the model or the address does not exist"),
    408: (ProviderError, "the provider gave up waiting"),
    413: (RequestRefused, "the prompt is longer than the provider takes"),
    422: (RequestRefused, "the request is not accepted"),
    429: (ProviderError, "too many requests"),
    503: (ProviderError, "the provider is overloaded or down"),
    529: (ProviderError, "the provider is overloaded"),
}

SENT: Final = frozenset({"max_tokens", "max_completion_tokens", "temperature", "stream_options"})
"""The parameters that settings decide on: worth naming when one is refused."""


def refusal(provider: str, *, status: int | None, code: str | None, param: str | None) -> ProviderError:
    """The error for an HTTP status, or for an error sent inside a stream, which has no status but may name one."""
    status = status or _status_in(code)
    kind, meaning = CODES.get(code or "") or STATUSES.get(status or 0) or _unlisted(status)
    named = f": {param}" if param in SENT else ""
    return kind(provider, f"{meaning}{named} (HTTP {status})" if status else f"{meaning}{named}")


def _status_in(code: str | None) -> int | None:
    """Routers in front of several providers send the HTTP status of the one that failed as the code."""
    return int(code) if code in {str(status.value) for status in HTTPStatus} else None


def _unlisted(status: int | None) -> _Meaning:
    if status is not None and status < HTTPStatus.INTERNAL_SERVER_ERROR:
        return ProviderRefused, "the request is not accepted"
    return ProviderError, "the provider failed"
