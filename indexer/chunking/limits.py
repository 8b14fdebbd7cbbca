"""How much text fits into one chunk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from indexer.chunking.base import Ruler
from rag.types import context_line

_CONTEXT_SHARE: Final = 0.5
"""Headings give way, outermost first, where title and headings would take more than this of what a model reads."""
_CAREFUL_ROUNDS: Final = 4


@dataclass(frozen=True, slots=True)
class Limits:
    """The size in characters, and the model's window with title and headings in front."""

    size: int
    ruler: Ruler
    title: str

    def headings(self, path: Sequence[str]) -> tuple[str, ...]:
        """As much of the path, from its end, as leaves room for text."""
        kept = tuple(path)
        while kept and self._tokens(context_line(self.title, kept)) > _CONTEXT_SHARE * self.ruler.max_tokens:
            kept = kept[1:]
        return kept

    def fits(self, text: str, headings: Sequence[str]) -> bool:
        """Whether the text is no longer than a chunk may be."""
        if len(text) > self.size:
            return False
        return self._tokens(f"{context_line(self.title, headings)}\n{text}") <= self.ruler.max_tokens

    def longest(self, text: str, start: int, end: int, headings: Sequence[str]) -> int:
        """The largest `end` found, at most the one given, with which text[start:end] fits a model's window.

        Cutting a word can make more tokens of it, so each proposal is measured again.
        """
        context = f"{context_line(self.title, headings)}\n"
        rounds = 0
        while end - start > 1:
            ends = self.ruler.ends(context + text[start:end])
            if len(ends) <= self.ruler.max_tokens:
                return end
            proposed = start + ends[self.ruler.max_tokens - 1] - len(context)
            rounds += 1
            if rounds > _CAREFUL_ROUNDS:
                proposed = min(proposed, start + (end - start) // 2)
            end = max(start + 1, min(proposed, end - 1))
        return end

    def _tokens(self, text: str) -> int:
        return len(self.ruler.ends(text))
