"""Windows of equal size that overlap, measured in the tokens of the model that reads them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from indexer.chunking.base import Piece, Ruler
from indexer.chunking.fixed import windows_of
from indexer.chunking.limits import Limits, checked_overlap
from rag.types.documents import Page

SIZE: Final = 500
OVERLAP: Final = 50
_LONGEST_TOKEN: Final = 8
"""Characters of a token on average, beyond what any language needs: some models read a word of a million characters
as one token, and nobody would want that as one chunk."""


class TokenChunker:
    """Cuts each page into windows of at most `size` tokens, title and headings not counted.

    They end at a sentence or a word where one is near. No window is longer than the model reads, title and headings
    counted: a larger size is brought down to that, and the overlap with it.
    """

    def __init__(self, ruler: Ruler, *, size: int = SIZE, overlap: int | None = None) -> None:
        wanted = checked_overlap(size, overlap, usual=OVERLAP)
        self._ruler = ruler
        self._size = min(size, ruler.max_tokens)
        self._overlap = wanted * self._size // size

    @property
    def recipe(self) -> str:
        """Changes with every parameter."""
        return f"tokens-1/{self._size}/{self._overlap}/{self._ruler.max_tokens}"

    def cut(self, pages: Sequence[Page], *, title: str) -> list[Piece]:
        """The windows in reading order, with the headings in force where each begins."""
        limits = Limits(_LONGEST_TOKEN * self._size, self._ruler, title, tokens=self._size)
        return [piece for page in pages for piece in windows_of(page, limits, self._overlap)]
