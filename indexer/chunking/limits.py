"""How much text fits into one chunk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from indexer.chunking.base import Ruler
from rag.errors import ConfigurationError
from rag.types.chunks import context_line

_CONTEXT_SHARE: Final = 0.5
"""Headings give way, outermost first, where title and headings would take more than this of what a model reads."""
_CAREFUL_ROUNDS: Final = 4
_OVERLAP_SHARE: Final = 6
"""Where a size is set that the usual overlap does not suit, the overlap is one part in so many of it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The size of a chunk, and the model's window with title and headings in front."""

    size: int
    """In characters."""
    ruler: Ruler
    title: str
    tokens: int | None = None
    """The size in tokens of the text alone, where it is set so; `size` is then no more than a rein."""

    def headings(self, path: Sequence[str]) -> tuple[str, ...]:
        """As much of the path, from its end, as leaves room for text."""
        kept = tuple(path)
        while kept and self.length(context_line(self.title, kept)) > _CONTEXT_SHARE * self.ruler.max_tokens:
            kept = kept[1:]
        return kept

    def with_columns(self, headings: Sequence[str], columns: str) -> tuple[str, ...]:
        """The headings and, behind them, the names of a table's columns if there is room for them."""
        if not columns or columns not in context_line(self.title, [columns]):
            return tuple(headings)
        wanted = (*headings, columns)
        return wanted if self.headings(wanted) == wanted else tuple(headings)

    def fits(self, text: str, headings: Sequence[str]) -> bool:
        """Whether the text is no longer than a chunk may be."""
        if len(text) > self.size:
            return False
        return self.length(f"{context_line(self.title, headings)}\n{text}") <= self._room(headings)

    def longest(self, text: str, start: int, end: int, headings: Sequence[str]) -> int:
        """The largest `end` found, at most the one given, with which text[start:end] is not too many tokens.

        Cutting a word can make more tokens of it, so each proposal is measured again.
        """
        context = f"{context_line(self.title, headings)}\n"
        room = self._room(headings)
        rounds = 0
        while end - start > 1:
            ends = self.ruler.ends(context + text[start:end])
            if len(ends) <= room:
                return end
            proposed = start + ends[room - 1] - len(context)
            rounds += 1
            if rounds > _CAREFUL_ROUNDS:
                proposed = min(proposed, start + (end - start) // 2)
            end = max(start + 1, min(proposed, end - 1))
        return end

    def back(self, text: str, start: int, end: int, overlap: int) -> int:
        """How far before `end` the next chunk may begin, `overlap` being in the unit of the size.

        A chunk of text[start:end] that is smaller than its size is overlapped by less.
        """
        if self.tokens is None:
            return end - min(overlap, overlap * (end - start) // self.size)
        ends = self.ruler.ends(text[start:end])
        shared = min(overlap, overlap * len(ends) // self.tokens)
        return start + ends[-shared - 1] if 0 < shared < len(ends) else end

    def length(self, text: str) -> int:
        """In tokens."""
        return len(self.ruler.ends(text))

    def _room(self, headings: Sequence[str]) -> int:
        """The tokens that context and text may have together."""
        if self.tokens is None:
            return self.ruler.max_tokens
        return min(self.ruler.max_tokens, self.tokens + self.length(context_line(self.title, headings)))


def checked_overlap(size: int, overlap: int | None, *, usual: int) -> int:
    """The overlap that was asked for, else the usual one or less. Raises ConfigurationError."""
    wanted = min(usual, size // _OVERLAP_SHARE) if overlap is None else overlap
    if size < 1 or not 0 <= wanted < size:
        raise ConfigurationError(
            f"FOOTNOTE_CHUNK_SIZE ({size}) must be 1 at least, and more than FOOTNOTE_CHUNK_OVERLAP ({wanted}), "
            "which must not be negative"
        )
    return wanted
