"""Windows of equal size that overlap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from indexer.chunking.base import Piece, Ruler
from indexer.chunking.limits import Limits, checked_overlap
from indexer.chunking.outline import Outline
from indexer.chunking.windows import Windows
from rag.types.documents import Page

OVERLAP: Final = 150


class FixedChunker:
    """Cuts each page into windows of `size` characters that end at a sentence or a word where one is near.

    What is left at the end of a page joins the window before it when it is shorter than `minimum`; nothing is dropped.
    """

    def __init__(self, ruler: Ruler, *, size: int = 900, overlap: int | None = None, minimum: int = 120) -> None:
        self._ruler = ruler
        self._size = size
        self._overlap = checked_overlap(size, overlap, usual=OVERLAP)
        self._minimum = max(0, min(minimum, size - 1))

    @property
    def recipe(self) -> str:
        """Changes with every parameter."""
        return f"fixed-2/{self._size}/{self._overlap}/{self._minimum}/{self._ruler.max_tokens}"

    def cut(self, pages: Sequence[Page], *, title: str) -> list[Piece]:
        """The windows in reading order, with the headings in force where each begins."""
        limits = Limits(self._size, self._ruler, title)
        return [piece for page in pages for piece in windows_of(page, limits, self._overlap, self._minimum)]


def windows_of(page: Page, limits: Limits, overlap: int, minimum: int = 0) -> Iterator[Piece]:
    """A page cut into windows, whatever its structure."""
    outline = Outline.of(page, limits)
    windows = Windows(page.text, limits, overlap, outline.headings_at, minimum=minimum)
    for start, end in windows.of(0, len(page.text)):
        yield Piece(page, start, end, outline.headings_at(start))
