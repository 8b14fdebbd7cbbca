"""Signs of currency and the like, which tables often set in columns of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Final

_BEFORE: Final = frozenset({"$", "€", "£", "¥", "US$", "CHF", "(", "$ (", "$("})
_BEHIND: Final = frozenset({"%", ")", ")%", "x", "pp"})


def belongs_before(text: str) -> bool:
    """Whether the cell is a sign that belongs to the one on its right."""
    return text.strip() in _BEFORE


def belongs_behind(text: str) -> bool:
    """Whether the cell is a sign that belongs to the one on its left."""
    return text.strip() in _BEHIND


def with_signs_joined(rows: Sequence[Mapping[int, str]]) -> list[dict[int, str]]:
    """The rows, texts by column, with columns made one where the first holds a sign or nothing wherever both hold text.

    Amounts without a sign stand in either of the two, or across both.
    """
    joined = [dict(row) for row in rows]
    columns = sorted({column for row in rows for column in row})
    for left, right in pairwise(columns):
        if _is_one(joined, left, right, belongs_before):
            _merge(joined, left, right, " ")
        elif _is_one(joined, right, left, belongs_behind):
            _merge(joined, left, right, "")
    return joined


def _is_one(rows: Sequence[Mapping[int, str]], signs: int, values: int, is_sign: Callable[[str], bool]) -> bool:
    has_sign = any(is_sign(row.get(signs, "")) for row in rows)
    return has_sign and all(is_sign(row.get(signs, "")) or not (row.get(signs) and row.get(values)) for row in rows)


def _merge(rows: Sequence[dict[int, str]], left: int, right: int, space: str) -> None:
    for row in rows:
        if parts := [part for part in (row.pop(left, ""), row.pop(right, "")) if part]:
            row[right] = space.join(parts)
