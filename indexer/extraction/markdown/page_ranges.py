"""Pages named for people: "Pages 3–5, 9"."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby


def pages_named(numbers: Iterable[int]) -> str:
    """The pages, ascending, with those that follow each other as ranges: "Page 3", "Pages 3–5, 9"."""
    runs = [
        [number for _, number in run]
        for _, run in groupby(enumerate(sorted(set(numbers))), key=lambda entry: entry[1] - entry[0])
    ]
    named = ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
    is_one = len(runs) == 1 and len(runs[0]) == 1
    return f"Page {named}" if is_one else f"Pages {named}"
