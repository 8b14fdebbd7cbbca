"""What an OpenAI-compatible server streams, read leniently: no two of them send quite the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pydantic import BaseModel, ConfigDict

from rag.llm.base import Finished, FinishReason, Reasoning
from rag.llm.thinking import ThinkingSplitter
from rag.types.answers import Delta, Usage

REASONS: Final[Mapping[str, FinishReason]] = {reason.value: reason for reason in FinishReason}


class _Wire(BaseModel):
    """Every field may be missing or null; those that we do not know are passed over."""

    model_config = ConfigDict(from_attributes=True, frozen=True)


class _Piece(_Wire):
    content: str | None = None
    refusal: str | None = None  # words to the reader, too: why the model will not answer
    reasoning_content: str | None = None  # DeepSeek, llama.cpp and others
    reasoning: str | None = None  # OpenRouter, Ollama and others


class _Choice(_Wire):
    delta: _Piece | None = None
    finish_reason: str | None = None


class _Tokens(_Wire):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Chunk(_Wire):
    model: str | None = None
    choices: list[_Choice] | None = None
    usage: _Tokens | None = None


class Transcript:
    """One answer as it arrives, chunk by chunk."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._usage = Usage()
        self._reason: FinishReason | None = None
        self._splitter = ThinkingSplitter()
        self._began = False
        self._half = ""

    @property
    def is_complete(self) -> bool:
        """Whether the model has said why it stopped: no more text will come, at most a count of tokens."""
        return self._reason is not None

    @property
    def is_empty(self) -> bool:
        """Whether nothing that belongs to an answer has come."""
        return not self._began and self._reason is None

    def feed(self, chunk: object) -> list[Delta | Reasoning]:
        """The pieces of text in this chunk. Raises ValueError when it cannot be read as one."""
        read = _Chunk.model_validate(chunk)
        self._model = read.model or self._model
        if read.usage is not None:  # some servers send it once, at the end; some with every chunk, growing
            self._usage = Usage(read.usage.prompt_tokens or 0, read.usage.completion_tokens or 0)
        if not read.choices:  # the count of tokens comes without a choice; Azure begins with such a chunk
            return []
        choice = read.choices[0]
        if choice.finish_reason is not None:
            self._reason = REASONS.get(choice.finish_reason, FinishReason.UNKNOWN)
        return self._pieces(choice.delta or _Piece())

    def close(self) -> list[Delta | Reasoning | Finished]:
        """What was held back, and the end."""
        return [*self._splitter.close(), Finished(self._usage, self._reason or FinishReason.UNKNOWN, self._model)]

    def _characters(self, text: str) -> str:
        """The text with half characters made whole: some servers cut an emoji between its two UTF-16 units.

        A first half waits for the next piece; a half that stays alone becomes U+FFFD.
        """
        text = self._half + text
        self._half = text[-1] if text and "\ud800" <= text[-1] <= "\udbff" else ""
        whole = text[: len(text) - len(self._half)]
        return whole.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    def _pieces(self, piece: _Piece) -> list[Delta | Reasoning]:
        thought = piece.reasoning_content or piece.reasoning
        text = self._characters(piece.content or piece.refusal or "")
        self._began = self._began or bool(thought or text)
        return ([Reasoning(thought)] if thought else []) + (self._splitter.feed(text) if text else [])
