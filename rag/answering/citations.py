"""From [S3] in a model's draft to numbered citations: while it streams, and the same for the same draft."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_MARK: Final = re.compile(r"[ \t]*\[ ?S?\d{1,3}(?: ?[,;] ?S?\d{1,3}){0,7}(?:, ?p(?:age|\.)? ?\d+)? ?\]", re.IGNORECASE)
_UNFINISHED: Final = re.compile(r"[ \t]+\Z|[ \t]*\[[^\]\n]{0,80}\Z")
_SOURCE: Final = re.compile(r"S(\d{1,3})", re.IGNORECASE)


class Numberer:
    """Renumbers marks in order of first mention and drops those that name no source.

    A number depends only on what came before it, so what has been shown is never taken back: the same draft gives the
    same text however it is cut. `[S3]` and `[S3, S1]` are marks; `[3]`, which a model invents, vanishes as well, unless
    it stands where no citation does: behind a letter or a bracket, as in `x[0]`.
    """

    def __init__(self, sources: int) -> None:
        """`sources`: how many there are; the model was shown S1 to that."""
        self._sources = sources
        self._numbers: dict[int, int] = {}
        self._held = ""
        self._last = ""

    def feed(self, piece: str) -> str:
        """What can be shown now; an unfinished mark, and the space before one, are held back."""
        text = self._held + piece
        unfinished = _UNFINISHED.search(text)
        end = len(text) if unfinished is None else unfinished.start()
        self._held = text[end:]
        return self._shown(text[:end])

    def close(self) -> str:
        """What was still held back."""
        held, self._held = self._held, ""
        return self._shown(held)

    @property
    def order(self) -> Sequence[int]:
        """The sources in the order of their numbers: `order[0]`, counted from 0, is what the reader sees as [1]."""
        return [source - 1 for source in self._numbers]

    def _shown(self, text: str) -> str:
        before = self._last
        if text:
            self._last = text[-1]

        def renumber(mark: re.Match[str]) -> str:
            previous = text[mark.start() - 1] if mark.start() else before
            named = [int(number) for number in _SOURCE.findall(mark[0])]
            if not named:
                return mark[0] if previous.isalnum() and mark[0].startswith("[") else ""
            known = dict.fromkeys(n for n in named if 1 <= n <= self._sources)
            numbers = [self._numbers.setdefault(n, len(self._numbers) + 1) for n in known]
            space = " " if mark[0][0].isspace() else ""
            return space + "".join(f"[{number}]" for number in numbers) if numbers else ""

        return _MARK.sub(renumber, text)
