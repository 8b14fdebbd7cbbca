"""What parts the cells in a text, if it is a table at all."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from itertools import islice
from typing import Final

from indexer.extraction.container.source import MAX_TEXT_BYTES

csv.field_size_limit(MAX_TEXT_BYTES)  # the module's, for all that read tables here: a cell may be a whole text

_CANDIDATES: Final = (",", ";", "\t", "|")
_HINT: Final = re.compile(r"sep=(.)[ \t]*\n", re.IGNORECASE)
"""How Excel is told the delimiter, in the first line."""
_SAMPLE_CHARS: Final = 64 * 1024
_SAMPLE_RECORDS: Final = 500
_ROWS_NEEDED: Final = 5
_COLUMNS_NEEDED: Final = 3
_ALIKE: Final = 0.95
"""A text of another name is a table when nearly all its lines have as many cells, at least so many, and short ones."""
_ALIKE_BY_NAME: Final = 0.5
_CELL_CHARS: Final = 40


def delimiter_of(text: str, *, is_named_so: bool) -> str | None:
    """The delimiter; None where the text is none of a table. A name such as "rows.csv" lowers what is asked for."""
    hint = _HINT.match(text)
    if hint is not None and is_named_so:
        return hint[1]
    sample = text[:_SAMPLE_CHARS]
    if len(text) > _SAMPLE_CHARS:
        sample = sample[: sample.rfind("\n") + 1] or sample
    found = [(_likeness(sample, delimiter, is_named_so=is_named_so), delimiter) for delimiter in _CANDIDATES]
    best, delimiter = max(found, key=lambda pair: pair[0])
    return delimiter if best > 0 else None


def without_hint(text: str) -> str:
    """The text behind the line that names the delimiter, where there is one."""
    hint = _HINT.match(text)
    return text[hint.end() :] if hint is not None else text


def _likeness(sample: str, delimiter: str, *, is_named_so: bool) -> float:
    """How much the lines are alike when cut there; 0 where that makes no table."""
    if delimiter not in sample:
        return 0
    try:
        reader = csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter, skipinitialspace=True)
        records = [record for record in islice(reader, _SAMPLE_RECORDS) if record]
    except csv.Error:
        records = [line.split(delimiter) for line in sample.splitlines()[:_SAMPLE_RECORDS] if line]
    counts = Counter(map(len, records))
    columns, _ = max(counts.items(), key=lambda pair: (pair[0] > 1, pair[1]))
    share = counts[columns] / len(records)
    if columns < 2:  # noqa: PLR2004  # one column is no table
        return 0
    if is_named_so:
        return share + min(columns, 50) / 1000 if share >= _ALIKE_BY_NAME else share / 10
    cells = [cell for record in records for cell in record]
    short = sum(map(len, cells)) <= _CELL_CHARS * len(cells)
    is_table = len(records) >= _ROWS_NEEDED and columns >= _COLUMNS_NEEDED and share >= _ALIKE and short
    return share if is_table else 0
