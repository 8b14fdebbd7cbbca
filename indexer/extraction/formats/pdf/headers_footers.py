"""Running headers, footers and page numbers of a PDF: what stands at the same place of page after page."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from indexer.extraction.layout.line import PageLine, PageLines

_FEWEST_PAGES: Final = 3
"""A document with fewer keeps them: twice is no habit."""
_MARGIN: Final = 0.15
"""Of the page's height, where such lines stand."""
_SAME_PLACE: Final = 4.0
"""Points."""
_SAME_SIZE: Final = 0.6
"""Points."""
_OF_BODY: Final = 1.25
"""How many times the body's size a line is set in at most that only the pages next to it bear: not a slide's title."""
_WIDESPREAD: Final = 2
"""Sampled pages that bear a line, from which it runs through the document."""
_RECENT_PAGES: Final = 2
"""Left and right pages often differ."""
_MOST_EDGES: Final = 12
_TABLE_CELLS: Final = 3
_NUMBER: Final = re.compile(r"\d+")
_BARE_NUMBER: Final = re.compile(
    r"[\W_]*(?:page|seite|página|pagina|страница|стр|pag|pg|p|s|第)?[\W_]*#"
    r"(?:\s*(?:of|von|de|di|sur|av|из|/|\|)\s*#)?\s*[页頁]?[\W_]*$",
    re.IGNORECASE,
)
_ROMAN: Final = re.compile(r"[\W_]*(?=[ivxlc])(c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3}))[\W_]*$", re.IGNORECASE)
_ROMAN_VALUES: Final = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


@dataclass(frozen=True, slots=True)
class _Edge:
    """A line near the edge of a page."""

    line: PageLine
    page: int
    shape: str
    """Its words, with a mark for each number."""
    numbers: tuple[int, ...]
    from_top: bool
    distance: float
    """Points from that edge."""

    @property
    def is_number(self) -> bool:
        """Whether it is a page number and nothing else."""
        return _BARE_NUMBER.match(self.shape) is not None

    def is_like(self, other: _Edge) -> bool:
        """Whether the two are one running line: the same words at the same place, numbers the same or counting."""
        if (self.shape, self.from_top) != (other.shape, other.from_top):
            return False
        if abs(self.distance - other.distance) > _SAME_PLACE or abs(self.line.size - other.line.size) > _SAME_SIZE:
            return False
        steps = [mine - its for mine, its in zip(self.numbers, other.numbers, strict=True)]
        apart = self.page - other.page
        return apart in steps if self.is_number else all(step in {0, apart} for step in steps)


@dataclass(slots=True)
class RunningLines:
    """Follows a document's running lines from page to page, by a sample of its pages and those just read."""

    pages: int
    body_size: float
    sampled: list[_Edge] = field(default_factory=list[_Edge])
    recent: deque[Sequence[_Edge]] = field(default_factory=lambda: deque[Sequence[_Edge]](maxlen=_RECENT_PAGES))
    shown: set[str] = field(default_factory=set[str])
    """What has been kept once, on the first page that bears it."""

    def sample(self, number: int, sheet: PageLines) -> None:
        """Takes note of a page somewhere in the document."""
        self.sampled.extend(_edges(number, sheet))

    def without(self, number: int, sheet: PageLines) -> tuple[list[PageLine], str]:
        """The page's lines but for those that run, and the page number that is printed on it, if any.

        What says something is kept where it stands first: the name of a company in a letterhead. A page that would
        be left with nothing is kept whole.
        """
        edges = _edges(number, sheet)
        running = [edge for edge in edges if self.pages >= _FEWEST_PAGES and self._runs(edge)]
        self.recent.append(edges)
        left_out = {edge.line for edge in running if edge.is_number or edge.shape in self.shown}
        self.shown.update(edge.shape for edge in running)
        lines = [line for line in sheet.lines if line not in left_out]
        return lines or list(sheet.lines), next((_printed(edge) for edge in running if edge.is_number), "")

    def _runs(self, edge: _Edge) -> bool:
        elsewhere = {other.page for other in self.sampled if other.page != edge.page and edge.is_like(other)}
        beside = any(edge.is_like(other) for page in self.recent for other in page)
        if edge.is_number:
            return beside or bool(elsewhere)
        return len(elsewhere) >= _WIDESPREAD or (beside and edge.line.size <= _OF_BODY * self.body_size)


def _edges(number: int, sheet: PageLines) -> list[_Edge]:
    return list(_at_edges(number, sheet))[:_MOST_EDGES]


def _at_edges(number: int, sheet: PageLines) -> Iterator[_Edge]:
    _, top, _, bottom = sheet.box
    margin = _MARGIN * (bottom - top)
    for line in _no_table(sheet.lines):
        from_top = line.y1 < top + margin
        if line.upright and (from_top or line.y0 > bottom - margin):
            distance = line.y0 - top if from_top else bottom - line.y1
            yield _Edge(line, number, *_shape(line.text), from_top, distance)


def _no_table(lines: Iterable[PageLine]) -> Iterator[PageLine]:
    """The lines that are no row of a table: its column headings stand on each of its pages too."""
    for line in lines:
        if not line.table and line.text.count("\t") < _TABLE_CELLS:
            yield line


def _shape(text: str) -> tuple[str, tuple[int, ...]]:
    words = " ".join(text.split()).casefold()
    if roman := _ROMAN.match(words):
        return words.replace(roman[1], "#"), (_value(roman[1]),)
    return _NUMBER.sub("#", words), tuple(int(number[:9]) for number in _NUMBER.findall(words))


def _value(roman: str) -> int:
    values = [_ROMAN_VALUES[letter] for letter in roman.lower()]
    return sum(-value if value < max(values[at:]) else value for at, value in enumerate(values))


def _printed(edge: _Edge) -> str:
    found = _NUMBER.search(edge.line.text) or re.search(r"[ivxlc]+", edge.line.text, re.IGNORECASE)
    return found[0] if found else ""
