"""What servers send that no specification foresees."""

from __future__ import annotations

import pytest

from rag.llm.base import Finished, FinishReason
from rag.llm.wire import Transcript
from rag.types.answers import Delta, Usage


def transcript_of(*chunks: object) -> Transcript:
    transcript = Transcript("asked")
    for chunk in chunks:
        transcript.feed(chunk)
    return transcript


@pytest.mark.parametrize(
    "chunk", [{}, {"choices": None}, {"choices": []}, {"choices": [{}]}, {"choices": [{"delta": None}]}]
)
def test_a_chunk_without_text_says_nothing(chunk: object):
    transcript = Transcript("asked")
    assert transcript.feed(chunk) == []
    assert transcript.is_empty and not transcript.is_complete


@pytest.mark.parametrize("chunk", [3, "text", None, [], {"choices": "x"}, {"choices": [{"delta": "x"}]}])
def test_what_is_no_chunk_cannot_be_read(chunk: object):
    with pytest.raises(ValueError, match="validation error"):
        Transcript("asked").feed(chunk)


def test_usage_that_grows_with_every_chunk_counts_once():
    tokens = [{"usage": {"prompt_tokens": 7, "completion_tokens": n}} for n in (1, 2, 3)]
    assert transcript_of(*tokens).close() == [Finished(Usage(7, 3), FinishReason.UNKNOWN, "asked")]


def test_usage_beside_the_last_words_is_counted():
    chunk = {
        "choices": [{"delta": {"content": "Yes."}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 7, "completion_tokens": None},
    }
    transcript = Transcript("asked")
    assert transcript.feed(chunk) == [Delta("Yes.")]
    assert transcript.close() == [Finished(Usage(7, 0), FinishReason.STOP, "asked")]


def test_the_model_is_the_one_that_the_provider_names():
    assert transcript_of({"model": "asked-2026-01-01"}, {"model": ""}).close()[-1] == Finished(
        Usage(), FinishReason.UNKNOWN, "asked-2026-01-01"
    )


def test_a_refusal_is_read_to_the_asker():
    transcript = Transcript("asked")
    assert transcript.feed({"choices": [{"delta": {"refusal": "I cannot."}}]}) == [Delta("I cannot.")]


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        ("stop", FinishReason.STOP),
        ("length", FinishReason.LENGTH),
        ("content_filter", FinishReason.CONTENT_FILTER),
        ("tool_calls", FinishReason.UNKNOWN),
    ],
)
def test_the_reason_for_the_end_is_one_that_we_know(sent: str, reason: FinishReason):
    transcript = transcript_of({"choices": [{"finish_reason": sent}]})
    assert transcript.is_complete
    assert transcript.close() == [Finished(Usage(), reason, "asked")]
