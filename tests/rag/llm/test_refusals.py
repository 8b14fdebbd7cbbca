"""What a refusal means, and whether it will pass."""

from __future__ import annotations

import pytest

from rag.errors import ProviderError, ProviderRefused, RequestRefused
from rag.llm.refusals import refusal


@pytest.mark.parametrize(
    ("status", "code", "kind", "reason"),
    [
        (400, None, RequestRefused, "the request is not accepted (HTTP 400)"),
        (400, "context_length_exceeded", RequestRefused, "the prompt is longer than the model can read (HTTP 400)"),
        (401, None, ProviderRefused, "the API key is missing or not accepted (HTTP 401)"),
        (403, None, ProviderRefused, "the API key may not use this model (HTTP 403)"),
        (404, None, ProviderRefused, "the model or the address does not exist (HTTP 404)"),
        (404, "model_not_found", ProviderRefused, "the model does not exist, or the key may not use it (HTTP 404)"),
        (418, None, ProviderRefused, "the request is not accepted (HTTP 418)"),
        (429, "insufficient_quota", ProviderRefused, "the account has no credit left (HTTP 429)"),
        (429, "rate_limit_exceeded", ProviderError, "too many requests (HTTP 429)"),
        (500, None, ProviderError, "the provider failed (HTTP 500)"),
        (503, None, ProviderError, "the provider is overloaded or down (HTTP 503)"),
        (None, "429", ProviderError, "too many requests (HTTP 429)"),
        (None, "no such code", ProviderError, "the provider failed"),
        (None, None, ProviderError, "the provider failed"),
    ],
)
def test_a_refusal_says_what_is_wrong_and_its_kind_whether_it_will_pass(
    status: int | None, code: str | None, kind: type[ProviderError], reason: str
):
    error = refusal("main", status=status, code=code, param=None)
    assert type(error) is kind
    assert (error.provider, error.reason) == ("main", reason)


@pytest.mark.parametrize("theirs", ["messages[1].content: What do you earn?", "sk-very-secret"])
def test_words_of_theirs_are_never_passed_on(theirs: str):
    assert theirs not in str(refusal("main", status=400, code=theirs, param=theirs))


def test_a_parameter_that_settings_decide_on_is_named():
    error = refusal("main", status=400, code="unsupported_value", param="temperature")
    assert "temperature" in error.reason
