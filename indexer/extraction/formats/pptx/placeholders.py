"""What a slide takes over from its layout and its master: where placeholders stand, and how their lists look."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from indexer.extraction.container.ooxml import Element, Package
from indexer.extraction.formats.office.reading_order import Box

_PLACES: Final = ("spPr/xfrm", "xfrm", "grpSpPr/xfrm")
_TITLES: Final = frozenset({"title", "ctrTitle"})
_OWN_STYLE: Final = frozenset({"dt", "ftr", "hdr", "sldNum", *_TITLES})
"""Placeholders that the master's style of running text does not apply to."""
_PARENTS: Final = ("slideLayout", "slideMaster")


@dataclass(frozen=True, slots=True)
class Placeholder:
    """What ties a shape to one of the layout."""

    kind: str
    index: str


@dataclass(frozen=True, slots=True)
class Pattern:
    """The layout and the master of a slide, the nearest first."""

    sheets: tuple[Element, ...] = ()

    @classmethod
    def of(cls, package: Package, part: str) -> Pattern:
        """That of a slide; what is missing or broken is left out."""
        sheets: list[Element] = []
        for kind in _PARENTS:
            found = next((one.part for one in package.relations(part).values() if one.kind == kind), None)
            if found is None:
                break
            root = package.optional_xml(found)
            if root is not None:
                sheets.append(root)
            part = found
        return cls(tuple(sheets))

    def box(self, placeholder: Placeholder | None) -> Box | None:
        """Where the placeholder stands when the slide itself does not say."""
        return next((box for shape in self._shapes(placeholder) if (box := box_of(shape)) is not None), None)

    def styles(self, placeholder: Placeholder | None) -> Iterator[Element]:
        """What says how the levels of its lists look, the nearest first."""
        if placeholder is None:
            return
        for shape in self._shapes(placeholder):
            style = shape.find("txBody/lstStyle")
            if style is not None:
                yield style
        for sheet in self.sheets:
            style = sheet.find("txStyles/bodyStyle") if placeholder.kind not in _OWN_STYLE else None
            if style is not None:
                yield style

    def _shapes(self, placeholder: Placeholder | None) -> Iterator[Element]:
        """Those of layout and master that stand for the same thing: by index in the layout, by type in the master."""
        if placeholder is None:
            return
        for sheet in self.sheets:
            shapes = [(shape, found) for shape in sheet.iter("sp") if (found := placeholder_of(shape)) is not None]
            same = [shape for shape, found in shapes if found == placeholder]
            alike = [shape for shape, found in shapes if found.index == placeholder.index and found.index != "0"]
            typed = [shape for shape, found in shapes if _family(found.kind) == _family(placeholder.kind)]
            yield from (same or alike or typed)[:1]


def placeholder_of(shape: Element) -> Placeholder | None:
    """The placeholder that a shape fills, if it fills one."""
    for element in shape:
        found = element.find("nvPr/ph") if element.tag.startswith("nv") else None
        if found is not None:
            return Placeholder(found.get("type") or "obj", found.get("idx") or "0")
    return None


def box_of(shape: Element) -> Box | None:
    """Where a shape says that it stands, in the units of what it stands in."""
    place = next((found for path in _PLACES if (found := shape.find(path)) is not None), None)
    offset = place.find("off") if place is not None else None
    extent = place.find("ext") if place is not None else None
    if offset is None or extent is None:
        return None
    try:
        left, top = float(offset.get("x") or 0), float(offset.get("y") or 0)
        return Box(left, top, abs(float(extent.get("cx") or 0)), abs(float(extent.get("cy") or 0)))
    except ValueError:
        return None


def _family(kind: str) -> str:
    """Masters have one placeholder for titles and one for everything that is written into a slide."""
    if kind in _TITLES:
        return "title"
    return kind if kind in _OWN_STYLE else "body"
