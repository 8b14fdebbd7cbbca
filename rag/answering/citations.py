"""From [S3] in a model's draft to numbered citations: while it streams, and the same for the same draft."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_PAGE: Final = r"(?:, ?p(?:age|\.)? ?\d+)?"
_AND: Final = r" ?(?:[,;&–—-]|and|und|et) ?"
_NAMED: Final = rf"S\d{{1,3}}(?:{_AND}S?\d{{1,3}}){{0,7}}{_PAGE}"
_INVENTED: Final = rf"\d{{1,3}}(?: ?[,;] ?S?\d{{1,3}}){{0,7}}{_PAGE}"
_MARK: Final = re.compile(
    r"(?<![ \t])[ \t]*"
    rf"(?:[\[【［] ?(?:{_NAMED}(?:†[^\]】］\n]{{0,40}})?|{_INVENTED}) ?[\]】］]|[(（] ?{_NAMED} ?[)）])",
    re.IGNORECASE,
)
"""As the prompt asks for it, and as models write it all the same: other brackets, lists, ranges, page numbers.

It begins where blanks do, not amid them: a model that writes blanks without end would cost their square."""
_UNFINISHED: Final = re.compile(
    r"(?<![ \t])(?:[ \t]+|[ \t]*(?:[\[【［][^\]】］\n]{0,80}|[(（] ?(?:S(?:\d[^)）\n]{0,60})?)?))\Z", re.IGNORECASE
)
_PAGE_NAMED: Final = re.compile(r", ?p(?:age|\.)? ?\d+|†.*", re.IGNORECASE)
_SOURCE: Final = re.compile(r"(\d{1,3})(?: ?[–—-] ?S?(\d{1,3}))?", re.IGNORECASE)


class Numberer:
    """Renumbers marks in order of first mention and drops those that name no source.

    A number depends only on what came before it, so what has been shown is never taken back: the same draft gives the
    same text however it is cut. `[S3]`, `[S3, S1]`, `[S1-S3]`, `【S3】` and `(S3)` are marks; `[3]`, which a model
    invents, vanishes as well, unless it stands where no citation does: behind a letter or a bracket, as in `x[0]`.
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
            if "s" not in _PAGE_NAMED.sub("", mark[0]).lower():
                return mark[0] if previous.isalnum() and mark[0].startswith("[") else ""
            known = dict.fromkeys(n for n in _named(mark[0]) if 1 <= n <= self._sources)
            numbers = [self._numbers.setdefault(n, len(self._numbers) + 1) for n in known]
            space = " " if mark[0][0].isspace() else ""
            return space + "".join(f"[{number}]" for number in numbers) if numbers else ""

        return _MARK.sub(renumber, text)


def _named(mark: str) -> list[int]:
    """The sources of a mark; of a range, all that lie in it."""
    named: list[int] = []
    for first, last in _SOURCE.findall(_PAGE_NAMED.sub("", mark)):
        ends = int(first), int(last or first)
        named += range(min(ends), max(ends) + 1)
    return named
