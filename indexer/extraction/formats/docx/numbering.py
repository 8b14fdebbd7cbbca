"""The numbers of list items, which Word computes and does not store: "see item 2 b)" must be findable."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from indexer.extraction.container.xml_tree import Element, count

_PLACE: Final = re.compile(r"%([1-9])")
_ROMAN: Final = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_LARGEST_ROMAN: Final = 4000
_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz"
_LEVELS: Final = 9
BULLET_LABEL: Final = "-"


@dataclass(frozen=True, slots=True)
class NumberingLevel:
    """How one level of a list counts."""

    number_format: str = "decimal"
    pattern: str = ""
    """ "%1.%2)": the counters of this and the outer levels."""
    start: int = 1
    style_id: str = ""
    """The style whose paragraphs stand on this level."""


@dataclass(slots=True)
class Numbering:
    """Counts through the document: each call of `label` is one item."""

    levels: Mapping[str, Mapping[int, NumberingLevel]]
    """By list id, then by level counted from 0."""
    shared: Mapping[str, str]
    """List ids to the id of their definition: lists of one definition go on counting where the other stopped."""
    counters: dict[str, list[int]] = field(default_factory=dict[str, list[int]])

    @classmethod
    def of(cls, root: Element | None) -> Numbering:
        """From the root of the numbering part."""
        if root is None:
            return cls({}, {})
        definitions = [*root.iter("abstractNum")]
        styled = {style.get("val"): item for item in definitions for style in item.findall("styleLink")}
        abstract = {item.get("abstractNumId") or "": _levels(_meant(item, styled)) for item in definitions}
        levels: dict[str, Mapping[int, NumberingLevel]] = {}
        shared: dict[str, str] = {}
        for item in root.iter("num"):
            list_id, definition = item.get("numId") or "", item.find("abstractNumId")
            abstract_id = (definition.get("val") or "") if definition is not None else ""
            levels[list_id] = {**abstract.get(abstract_id, {}), **_overrides(item, abstract.get(abstract_id, {}))}
            shared[list_id] = list_id if item.find("lvlOverride") is not None else f"abstract {abstract_id}"
        return cls(levels, shared)

    def depth_of(self, list_id: str, style_id: str | None) -> int | None:
        """The level that a list keeps for paragraphs of a style, counted from 0."""
        levels = self.levels.get(list_id, {})
        return next((at for at, level in levels.items() if style_id and level.style_id == style_id), None)

    def label(self, list_id: str, depth: int) -> str:
        """The label of the next item: "2.1", "b)", "-" for a bullet, or nothing."""
        levels = self.levels.get(list_id)
        if not levels or depth >= _LEVELS:
            return ""
        level = levels.get(depth, NumberingLevel())
        if level.number_format == "bullet":
            return BULLET_LABEL
        counters = self._counted(list_id, depth)
        if level.number_format == "none":
            return ""

        def counter(place: re.Match[str]) -> str:
            at = int(place[1]) - 1
            return in_format(counters[at], levels.get(at, NumberingLevel()).number_format)

        return _PLACE.sub(counter, level.pattern).strip()

    def _counted(self, list_id: str, depth: int) -> list[int]:
        levels = self.levels[list_id]
        unset = [levels.get(at, NumberingLevel()).start - 1 for at in range(_LEVELS)]
        counters = self.counters.setdefault(self.shared[list_id], list(unset))
        counters[depth] += 1
        counters[depth + 1 :] = unset[depth + 1 :]
        for outer in range(depth):  # an inner item without an outer one stands under the first
            counters[outer] = max(counters[outer], levels.get(outer, NumberingLevel()).start)
        return counters


def in_format(number: int, number_format: str) -> str:
    """The number as Word writes it; formats that we do not know come out as decimal."""
    match number_format:
        case "lowerLetter" | "upperLetter" if number > 0:
            letter = _ALPHABET[(number - 1) % len(_ALPHABET)] * ((number - 1) // len(_ALPHABET) + 1)
            return letter.upper() if number_format == "upperLetter" else letter
        case "lowerRoman" | "upperRoman" if 0 < number < _LARGEST_ROMAN:
            return _roman(number).upper() if number_format == "upperRoman" else _roman(number)
        case "decimalZero":
            return f"{number:02d}"
        case "none" | "bullet":
            return ""
        case _:
            return str(number)


def _roman(number: int) -> str:
    written = ""
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        written += letters * count
    return written


def _meant(definition: Element, styled: Mapping[str | None, Element]) -> Element:
    """The definition itself, or the one of the list style that it refers to."""
    link = definition.find("numStyleLink")
    return styled.get(link.get("val"), definition) if link is not None else definition


def _levels(item: Element) -> dict[int, NumberingLevel]:
    return {count(level.get("ilvl"), 0): _level(level) for level in item.findall("lvl")}


def _level(level: Element) -> NumberingLevel:
    def value(name: str, default: str) -> str:
        found = level.find(name)
        return (found.get("val") or "") if found is not None else default

    return NumberingLevel(
        value("numFmt", "decimal"), value("lvlText", ""), count(value("start", "1"), 1), value("pStyle", "")
    )


def _overrides(item: Element, levels: Mapping[int, NumberingLevel]) -> dict[int, NumberingLevel]:
    changed: dict[int, NumberingLevel] = {}
    for override in item.findall("lvlOverride"):
        depth, own, start = count(override.get("ilvl"), 0), override.find("lvl"), override.find("startOverride")
        level = _level(own) if own is not None else levels.get(depth, NumberingLevel())
        if start is not None:
            level = replace(level, start=count(start.get("val"), level.start))
        changed[depth] = level
    return changed
