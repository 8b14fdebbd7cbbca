"""Reasoning that a model writes into its text, as <think>…</think> before the answer, taken apart while it streams."""

from __future__ import annotations

from typing import Final

from rag.llm.base import Reasoning
from rag.types.answers import Delta

_OPEN: Final = "<think>"
_CLOSE: Final = "</think>"


class ThinkingSplitter:
    """Feeds on the pieces of one text, cut anywhere.

    Only what stands at the very beginning is reasoning: an answer may quote the tags. What cannot be told yet is held
    back, and nothing that was given out is ever taken back.
    """

    def __init__(self) -> None:
        self._held = ""
        self._step = self._before

    def feed(self, piece: str) -> list[Delta | Reasoning]:
        """What this piece settles, in order; no piece is empty."""
        self._held += piece
        settled: list[Delta | Reasoning] = []
        step = None
        while step != self._step:
            step = self._step
            settled += step()
        return [event for event in settled if event.text]

    def close(self) -> list[Delta | Reasoning]:
        """What was still held back when the text ended."""
        held, self._held = self._held, ""
        if not held:
            return []
        return [Reasoning(held) if self._step == self._inside else Delta(held)]

    def _before(self) -> list[Delta | Reasoning]:
        """Nothing but white space, or the beginning of a tag, has come."""
        text = self._held.lstrip()
        if text.startswith(_OPEN):
            self._held = text[len(_OPEN) :]
            self._step = self._inside
        elif not _OPEN.startswith(text):
            self._step = self._answering
        return []

    def _inside(self) -> list[Delta | Reasoning]:
        thought, closed, rest = self._held.partition(_CLOSE)
        if closed:
            self._held = rest
            self._step = self._behind
            return [Reasoning(thought)]
        end = len(self._held) - _unfinished(self._held)
        thought, self._held = self._held[:end], self._held[end:]
        return [Reasoning(thought)]

    def _behind(self) -> list[Delta | Reasoning]:
        """The blank lines between reasoning and answer belong to neither."""
        self._held = self._held.lstrip()
        if self._held:
            self._step = self._answering
        return []

    def _answering(self) -> list[Delta | Reasoning]:
        text, self._held = self._held, ""
        return [Delta(text)]


def _unfinished(text: str) -> int:
    """How many characters at the end of `text` may be the beginning of the closing tag."""
    return next((n for n in range(len(_CLOSE) - 1, 0, -1) if text.endswith(_CLOSE[:n])), 0)
