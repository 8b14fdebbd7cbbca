"""What the styles of a Word document say about its paragraphs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from indexer.extraction.container.xml_tree import Element, count

MAX_HEADING_LEVEL: Final = 6

_HEADING_NAME: Final = re.compile(r"^heading (\d)$", re.IGNORECASE)
_HEADING_ID: Final = re.compile(r"^heading ?(\d)$", re.IGNORECASE)
_TOC_NAME: Final = re.compile(r"^toc( heading| \d)?$", re.IGNORECASE)
_LONGEST_CHAIN: Final = 20
"""Styles are based on styles; a damaged file may go round in circles."""


@dataclass(frozen=True, slots=True)
class DocxStyle:
    """One style of paragraphs or characters."""

    name: str = ""
    based_on: str | None = None
    outline_level: int | None = None
    """Counted from 0."""
    numbering: tuple[str, int] | None = None
    """The list's id and the level, counted from 0."""
    is_hidden: bool | None = None
    """None where the style leaves it to the one that it is based on."""


@dataclass(frozen=True, slots=True)
class DocxStyles:
    """The styles by their ids."""

    by_id: Mapping[str, DocxStyle] = field(default_factory=dict[str, DocxStyle])

    @classmethod
    def of(cls, root: Element | None) -> DocxStyles:
        """From the root of the styles part."""
        if root is None:
            return cls()
        return cls({style.get("styleId") or "": _style(style) for style in root.iter("style")})

    def heading_level(self, style_id: str | None, properties: Element | None) -> int | None:
        """The level of a heading, counted from 1; None for what is none."""
        own = _number(properties, "outlineLvl")
        if own is not None:
            return own + 1 if own < MAX_HEADING_LEVEL else None
        if style_id not in self.by_id and (named := _HEADING_ID.match(style_id or "")):
            return min(max(int(named[1]), 1), MAX_HEADING_LEVEL)  # the styles are lost, their names are not
        for style in self._chain(style_id):
            if style.name.lower() == "title":
                return 1
            if named := _HEADING_NAME.match(style.name):
                return min(max(int(named[1]), 1), MAX_HEADING_LEVEL)
            if style.outline_level is not None:
                return style.outline_level + 1 if style.outline_level < MAX_HEADING_LEVEL else None
        return None

    def numbering(self, style_id: str | None) -> tuple[str, int] | None:
        """The list that a style puts its paragraphs into, and the level there.

        A style may name the level alone, and leave the list to the style that it is based on.
        """
        named = [style.numbering for style in self._chain(style_id) if style.numbering]
        list_id = next((list_id for list_id, _ in named if list_id), "")
        return (list_id, named[0][1]) if named else None

    def is_contents(self, style_id: str | None) -> bool:
        """Whether the paragraph is a line of the table of contents, which only repeats the headings."""
        return any(_TOC_NAME.match(style.name) for style in self._chain(style_id))

    def is_hidden(self, style_id: str | None) -> bool:
        """Whether text of this style is not shown."""
        return next((style.is_hidden for style in self._chain(style_id) if style.is_hidden is not None), False)

    def _chain(self, style_id: str | None) -> list[DocxStyle]:
        chain: list[DocxStyle] = []
        while style_id is not None and style_id in self.by_id and len(chain) < _LONGEST_CHAIN:
            chain.append(self.by_id[style_id])
            style_id = chain[-1].based_on
        return chain


def numbering_of(properties: Element | None) -> tuple[str, int] | None:
    """The list id and level that paragraph properties name."""
    found = properties.find("numPr") if properties is not None else None
    if found is None:
        return None
    list_id = found.find("numId")
    return (list_id.get("val") or "0" if list_id is not None else "", _number(found, "ilvl") or 0)


def _style(element: Element) -> DocxStyle:
    hidden = element.find("rPr/vanish")
    name, based_on, properties = element.find("name"), element.find("basedOn"), element.find("pPr")
    return DocxStyle(
        name=(name.get("val") or "") if name is not None else "",
        based_on=based_on.get("val") if based_on is not None else None,
        outline_level=_number(properties, "outlineLvl"),
        numbering=numbering_of(properties),
        is_hidden=None if hidden is None else hidden.get("val") not in {"0", "false", "off"},
    )


def _number(properties: Element | None, name: str) -> int | None:
    found = properties.find(name) if properties is not None else None
    value = count(found.get("val"), -1) if found is not None else -1
    return value if value >= 0 else None
