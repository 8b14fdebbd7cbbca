"""A code of a number format (ECMA-376, part 1, 18.8.31), taken apart, and the section of it that a number goes by."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

_TOKEN: Final = re.compile(
    r"""
    "(?P<quoted>[^"]*)" | \\(?P<escaped>.) | _(?P<blank>.) | \*(?P<fill>.)
    | \[\$(?P<currency>[^\]-]*)(?:-[^\]]*)?\]
    | \[(?P<elapsed>h+|m+|s+)\] | \[(?P<condition>[<>=][^\]]*)\] | \[(?P<ignored>[^\]]*)\]
    | (?P<general>General|@) | (?P<clock>AM/PM|A/P|上午/下午) | (?P<exponent>E[+-])
    | (?P<moment>y+|m+|d+|h+|s+|e+|b+|g+)
    | (?P<digit>[0\#?]) | (?P<point>\.) | (?P<comma>,) | (?P<percent>%) | (?P<slash>/) | (?P<end>;) | (?P<other>.)
    """,
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
_CONDITION: Final = re.compile(r"(?P<operator><=|>=|<>|<|>|=)\s*(?P<bound>-?[\d.]+)\s*")
_OPERATORS: Final[dict[str, Callable[[float, float], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "<>": operator.ne,
}
_LITERAL: Final = frozenset({"quoted", "escaped", "currency"})
_DROPPED: Final = frozenset({"fill", "ignored"})
"""What fills the width of a column, and colours, which say nothing in a text."""
_MOMENT: Final = frozenset("ymdhsYMDHS")
"""What makes a moment of a section; eras and other calendars stand beside these alone, and kg is a weight."""
_CACHED: Final = 1024

Token: TypeAlias = tuple[str, str]
"""Its kind, a group of the pattern or "text", and what it says."""


@dataclass(frozen=True, slots=True)
class CodeSection:
    """One of up to four parts of a code."""

    tokens: Sequence[Token]
    admits: Callable[[float], bool]
    hides_sign: bool = False
    """Whether the section is for negative numbers alone, and says so in its own way."""

    @property
    def is_moment(self) -> bool:
        """Whether it writes days and hours."""
        return any(kind == "elapsed" or (kind == "moment" and text[0] in _MOMENT) for kind, text in self.tokens)


def is_date(code: str) -> bool:
    """Whether a format writes days and hours."""
    try:
        return any(section.is_moment for section in sections_of(code))
    except ValueError:
        return False


def section_for(value: float, code: str) -> CodeSection:
    """The section that says how the number is shown. Raises ValueError if the code makes no sense."""
    found = next((section for section in sections_of(code) if section.admits(value)), None)
    if found is None:
        raise ValueError(code)
    return found


@lru_cache(_CACHED)
def sections_of(code: str) -> Sequence[CodeSection]:
    """The sections for numbers, in their order. Raises ValueError."""
    parts: list[list[Token]] = [[]]
    conditions: dict[int, Callable[[float], bool]] = {}
    below_zero: set[int] = set()
    for found in _TOKEN.finditer(code):
        kind, text = found.lastgroup or "", found[found.lastgroup or 0]
        if kind == "end":
            parts.append([])
        elif kind == "condition":
            conditions[len(parts) - 1], is_negative = _condition(text)
            below_zero |= {len(parts) - 1} if is_negative else set()
        elif kind == "other" and text in '"[':
            raise ValueError(code)  # a quotation or a bracket that nothing ends
        elif kind not in _DROPPED:
            parts[-1].append(("text" if kind in _LITERAL else kind, " " if kind == "blank" else text))
    if len(parts) > 1 and any(token == ("general", "@") for token in parts[-1]):
        parts.pop()  # the section for texts
    parts = parts[:3]
    if conditions:
        return [CodeSection(tokens, conditions.get(at, _any), at in below_zero) for at, tokens in enumerate(parts)]
    return [CodeSection(tokens, *rule) for tokens, rule in zip(parts, _RULES[len(parts)], strict=True)]


def _condition(text: str) -> tuple[Callable[[float], bool], bool]:
    """What it asks of a number, and whether negative ones alone fulfil it."""
    found = _CONDITION.fullmatch(text)
    if found is None:
        raise ValueError(text)
    compare, bound = _OPERATORS[found["operator"]], float(found["bound"])
    return lambda value: compare(value, bound), "<" in found["operator"] and bound <= 0


def _any(value: float) -> bool:  # noqa: ARG001  # asks nothing
    return True


_RULES: Final[dict[int, Sequence[tuple[Callable[[float], bool], bool]]]] = {
    1: [(_any, False)],
    2: [(lambda value: value >= 0, False), (_any, True)],
    3: [(lambda value: value > 0, False), (lambda value: value < 0, True), (_any, False)],
}
"""By the number of sections: which numbers each is for, and whether it hides their sign."""
