"""How much of a workbook is read: a file of a few kilobytes can claim billions of cells."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

MAX_CELLS: Final = 1_000_000
"""Filled ones, of one file. A table of 20,000 rows and 50 columns is read to its end."""
MAX_CHARS: Final = 10_000_000
"""Of all cells together: some 5,000 printed pages."""
MAX_REMARKS: Final = 10_000
"""Of one sheet."""
_LONG_CHARS: Final = 1_000
_SHORTENED_CHARS: Final = 100


@dataclass(slots=True)
class CellBudget:
    """What is left to be read of one file, all its sheets together."""

    cells: int = MAX_CELLS
    chars: int = MAX_CHARS
    shortened: int = 0
    """Cells that repeated a long text."""
    _long: set[int] = field(default_factory=set[int])

    @property
    def is_spent(self) -> bool:
        """Whether nothing more is read."""
        return self.cells <= 0 or self.chars <= 0

    def spend(self, text: str) -> str:
        """The text of one more cell. A long one that was read before is shortened: it stands in the index already."""
        if len(text) > _LONG_CHARS:
            digest = hash(text)
            if digest in self._long:
                text = f"{text[:_SHORTENED_CHARS].rstrip()} …"
                self.shortened += 1
            self._long.add(digest)
        self.cells -= 1
        self.chars -= len(text)
        return text


def shortened_cells(count: int) -> list[str]:
    """The warning about cells that repeat long texts, if there are any."""
    return [f"{count:,} cells repeat a long text; after the first time it was shortened."] if count else []


def remarks_left_out(found: int) -> list[str]:
    """The warning about a sheet that has more comments than are read."""
    left_out = found - MAX_REMARKS
    cut = f"Of the comments on a sheet, only the first {MAX_REMARKS:,} were read, {left_out:,} were left out."
    return [cut] if left_out > 0 else []


def rows_left_out(sheet: str, rows: int, kept: int) -> str:
    """The warning about a sheet that was cut."""
    return f"The sheet {sheet} is too large: its first {kept:,} rows with content were read, {rows:,} were left out."
