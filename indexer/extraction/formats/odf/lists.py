"""The numbers of list items and headings, which OpenDocument files do not store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from indexer.extraction.container.xml_tree import Element, count
from indexer.extraction.formats.docx.numbering import in_format

LEVELS: Final = 10
_FORMATS: Final = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}


@dataclass(frozen=True, slots=True)
class OdfListLevel:
    """How one level of a list counts; without a format it has no number."""

    is_bullet: bool
    number_format: str
    prefix: str
    suffix: str
    start: int
    shown_levels: int

    def number(self, value: int | None) -> str:
        """The number of an item; an outer level without an item counts as its first."""
        return in_format(self.start if value is None else value, _FORMATS.get(self.number_format, "decimal"))


@dataclass(slots=True)
class ListCounters:
    """The counters of one list, by level."""

    values: list[int | None] = field(default_factory=lambda: [None] * LEVELS)

    def label(self, levels: Mapping[int, OdfListLevel], depth: int, start: int | None = None) -> str:
        """The label of the next item at this depth (from 0): "2.1", "b)", "-" for a bullet, or nothing."""
        depth = min(depth, LEVELS - 1)
        level = levels.get(depth)
        if level is None or level.is_bullet:
            return "-"
        before = self.values[depth]
        first = level.start if before is None else before + 1
        self.values[depth] = first if start is None else start
        for outer in range(depth):  # an inner item without an outer one stands under the first
            if self.values[outer] is None:
                self.values[outer] = levels.get(outer, level).start
        self.values[depth + 1 :] = [None] * (LEVELS - depth - 1)
        if not level.number_format:
            return f"{level.prefix}{level.suffix}".strip()
        shown = range(max(0, depth - level.shown_levels + 1), depth + 1)
        numbers = [levels.get(at, level).number(self.values[at]) for at in shown]
        return f"{level.prefix}{'.'.join(numbers)}{level.suffix}".strip()


@dataclass(slots=True)
class OdfLists:
    """The lists met so far: by id, and by style for the last one of it, since a list may go on where another ended."""

    _known: dict[str, ListCounters] = field(default_factory=dict[str, ListCounters])

    def counters(self, root: Element) -> ListCounters:
        """Those of a list that begins here."""
        style, name, continued = root.get("style-name") or "", root.get("id") or "", root.get("continue-list")
        known = self._known.get(continued) if continued else None
        if known is None and root.get("continue-numbering") == "true":
            known = self._known.get(f"style {style}")
        counters = known or ListCounters()
        self._known[name] = self._known[f"style {style}"] = counters
        return counters


def levels_of(element: Element) -> dict[int, OdfListLevel]:
    """The levels that a list style or the outline style defines, counted from 0."""
    return {
        count(level.get("level"), 1) - 1: _level(level)
        for level in element
        if level.tag.startswith(("list-", "outline-"))
    }


def _level(level: Element) -> OdfListLevel:
    return OdfListLevel(
        is_bullet=level.tag.endswith(("-bullet", "-image")),
        number_format=level.get("num-format") or "",
        prefix=level.get("num-prefix") or "",
        suffix=level.get("num-suffix") or "",
        start=count(level.get("start-value"), 1),
        shown_levels=count(level.get("display-levels"), 1),
    )
