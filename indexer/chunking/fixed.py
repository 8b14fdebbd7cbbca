"""Windows of equal size that overlap."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from indexer.chunking.base import Piece, Ruler
from indexer.chunking.limits import Limits
from indexer.chunking.structure import sections_of
from indexer.chunking.windows import Windows
from rag.errors import ConfigurationError
from rag.types import Page


class FixedChunker:
    """Cuts each page into windows of `size` characters that end at a sentence or a word where one is near.

    What is left at the end of a page joins the window before it when it is shorter than `minimum`; nothing is dropped.
    """

    def __init__(self, ruler: Ruler, *, size: int = 900, overlap: int = 150, minimum: int = 120) -> None:
        minimum = min(minimum, size - 1)
        if size < 1 or not 0 <= overlap < size or minimum < 0:
            raise ConfigurationError(
                f"FOOTNOTE_CHUNK_SIZE ({size}) must be 1 at least, and more than FOOTNOTE_CHUNK_OVERLAP ({overlap}), "
                "which must not be negative"
            )
        self._ruler = ruler
        self._size = size
        self._overlap = overlap
        self._minimum = minimum

    @property
    def recipe(self) -> str:
        """Changes with every parameter."""
        return f"fixed-1/{self._size}/{self._overlap}/{self._minimum}/{self._ruler.max_tokens}"

    def cut(self, pages: Sequence[Page], *, title: str) -> list[Piece]:
        """The windows in reading order, with the headings in force where each begins."""
        limits = Limits(self._size, self._ruler, title)
        return [piece for page in pages for piece in self._pieces(page, limits)]

    def _pieces(self, page: Page, limits: Limits) -> list[Piece]:
        sections = sections_of(page.text, page.headings)
        starts = [section.start for section in sections]

        def headings_at(place: int) -> tuple[str, ...]:
            return limits.headings(sections[bisect_right(starts, place) - 1].path)

        windows = Windows(page.text, limits, self._overlap, headings_at, minimum=self._minimum)
        return [Piece(page, start, end, headings_at(start)) for start, end in windows.of(0, len(page.text))]
