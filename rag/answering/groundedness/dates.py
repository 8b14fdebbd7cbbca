"""The dates and times of a sentence looked up in its passages. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain

from rag.answering.groundedness.passages import Line, Passage
from rag.text.dates import When
from rag.types.groundedness import Lack, Missing


def missing_dates(line: Line, passages: Sequence[Passage], given: Line) -> list[Missing]:
    """Those that no passage bears out. What the question (`given`) says needs no source."""
    years = frozenset[float]().union(*(passage.years for passage in passages))
    sources = list(chain(given.dates, *(text.dates for passage in passages for text in passage.lines)))
    return [
        Missing(Lack.DATE, date.text)
        for date in line.dates
        if not any(agrees(source, date, years) for source in sources)
    ]


def agrees(source: When, said: When, years: Collection[float]) -> bool:
    """Whether the source's date says all that was said; a year that it leaves out may stand elsewhere: in `years`."""
    if said.minutes is not None or source.minutes is not None:
        return said.minutes == source.minutes
    if said.year is not None and said.year != source.year and not (source.year is None and said.year in years):
        return False
    pairs = {(source.month, source.day)} | ({(source.day, source.month)} if source.swapped else set())
    wanted = {(said.month, said.day)} | ({(said.day, said.month)} if said.swapped else set())
    return any(month == have and day in {None, on} for month, day in wanted for have, on in pairs)
