"""Lines of a PDF page that are drawn more than once, a hair apart: to look bold, or to throw a shadow."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from indexer.extraction.layout.line import PageLine

_HAIR: Final = 0.15
"""Ems; letters that follow each other are farther apart."""
_MOST_TWINS: Final = 40
"""Lines of one text that are compared: a table may have thousands of the same figure."""


def without_doubles(lines: Iterable[PageLine]) -> list[PageLine]:
    """The lines in their order, each once."""
    kept: list[PageLine] = []
    by_text: dict[str, list[PageLine]] = {}
    for line in lines:
        twins = by_text.setdefault(line.text.strip(), [])
        if any(_covers(twin, line) for twin in twins[-_MOST_TWINS:]):
            continue
        twins.append(line)
        kept.append(line)
    return kept


def _covers(twin: PageLine, line: PageLine) -> bool:
    hair = _HAIR * line.size
    return abs(twin.x0 - line.x0) < hair and abs(twin.y0 - line.y0) < hair and abs(twin.size - line.size) < hair
