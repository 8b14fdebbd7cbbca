"""What stands above each place of a page: its headings, and the columns of the table that it is in."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, takewhile

from indexer.chunking.limits import Limits
from indexer.chunking.structure import WHOLE, HeadedSection, LineKind, TextLine, TextTable, sections_of, tables_of
from indexer.chunking.windows import Places
from rag.text.sentences import begins_afresh
from rag.types.documents import Page


@dataclass(frozen=True, slots=True)
class Outline:
    """The sections and tables of one page."""

    text: str
    limits: Limits
    sections: Sequence[HeadedSection]
    tables: Sequence[TextTable]

    @classmethod
    def of(cls, page: Page, limits: Limits) -> Outline:
        """Of the page's text, under the headings in force where it begins."""
        sections = sections_of(page.text, page.headings)
        tables = [table for section in sections for table in tables_of(page.text, section.lines)]
        return cls(page.text, limits, sections, tables)

    def headings_at(self, place: int) -> tuple[str, ...]:
        """The headings in force at a place, as many as leave room; behind them the columns of a table it goes on."""
        at = bisect_right(self.sections, place, key=lambda section: section.start) - 1
        return self.with_columns(self.limits.headings(self.sections[at].path), place)

    def with_columns(self, headings: Sequence[str], place: int) -> tuple[str, ...]:
        """The headings and, where the place is below the first row of a table, that row."""
        table = self._table_before(place)
        if table is None or not table.rows <= place < table.end:
            return tuple(headings)
        return self.limits.with_columns(headings, table.columns)

    def places(self, sections: Sequence[HeadedSection]) -> Places:
        """Where the lines of the sections may be parted, and where not."""
        lines = list(chain.from_iterable(section.lines for section in sections))
        opening = list(takewhile(lambda line: line.kind in {LineKind.HEADING, LineKind.BLANK}, lines))
        return Places(
            paragraphs=[line.end for line in lines if line.kind is LineKind.BLANK],
            lines=[line.end for line in lines if self._may_part(line)],
            whole=list(self._whole(lines)),
            opening=opening[-1].end if opening and len(opening) < len(lines) else 0,
        )

    def is_head(self, line: TextLine) -> bool:
        """Whether the line stands in the head of a table, which is not parted from the first row."""
        table = self._table_before(line.start)
        return table is not None and line.end <= table.rows

    def _may_part(self, line: TextLine) -> bool:
        if line.kind is LineKind.TEXT:
            return begins_afresh(self.text, line.end)
        return not self.is_head(line)

    def _whole(self, lines: Sequence[TextLine]) -> Sequence[tuple[int, int]]:
        stretches: list[tuple[int, int]] = []
        for line in lines:
            if line.kind not in WHOLE:
                continue
            table = self._table_before(line.start)
            is_first = table is not None and line.start == table.rows
            if table is not None and is_first and table.first_end - table.start <= self.limits.size:
                while stretches and stretches[-1][0] >= table.start:
                    stretches.pop()
                stretches.append((table.start, table.first_end))
            else:
                stretches.append((line.start, line.end))
        return stretches

    def _table_before(self, place: int) -> TextTable | None:
        """The last table that begins at the place or before."""
        at = bisect_right(self.tables, place, key=lambda table: table.start) - 1
        return self.tables[at] if at >= 0 else None
