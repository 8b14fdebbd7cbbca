"""What the styles of an OpenDocument file say about text, and what they hide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from indexer.extraction.container.xml_tree import Element, count
from indexer.extraction.formats.odf.lists import OdfListLevel, levels_of

_LONGEST_CHAIN: Final = 20
"""Styles inherit from styles; a damaged file may go round in circles."""
_PROPERTIES: Final = ("text-properties", "section-properties", "drawing-page-properties")


@dataclass(frozen=True, slots=True)
class OdfStyle:
    """One style of characters, paragraphs, sections or pages."""

    parent: str | None
    is_hidden: bool
    list_style: str | None
    outline_level: int


@dataclass(frozen=True, slots=True)
class OdfStyles:
    """All styles by name."""

    by_name: Mapping[str, OdfStyle]
    lists: Mapping[str, Mapping[int, OdfListLevel]]
    outline: Mapping[int, OdfListLevel]
    """How headings are numbered."""

    @classmethod
    def of(cls, *roots: Element | None) -> OdfStyles:
        """From the roots of the parts that hold styles; the first to define a name keeps it."""
        by_name: dict[str, OdfStyle] = {}
        lists: dict[str, Mapping[int, OdfListLevel]] = {}
        outline: Mapping[int, OdfListLevel] = {}
        for element in _definitions(roots):
            match element.tag:
                case "style":
                    by_name.setdefault(element.get("name") or "", _style(element))
                case "list-style":
                    lists.setdefault(element.get("name") or "", levels_of(element))
                case "outline-style":
                    outline = outline or levels_of(element)
                case _:
                    pass
        return cls(by_name, lists, outline)

    def is_hidden(self, name: str | None) -> bool:
        """Whether what has this style is not shown."""
        return any(style.is_hidden for style in self._chain(name))

    def list_style(self, name: str | None) -> str | None:
        """The list style that a paragraph style brings along."""
        return next((style.list_style for style in self._chain(name) if style.list_style), None)

    def outline_level(self, name: str | None) -> int:
        """The level of headings of this style, counted from 1; 0 for none."""
        return next((style.outline_level for style in self._chain(name) if style.outline_level), 0)

    def _chain(self, name: str | None) -> list[OdfStyle]:
        chain: list[OdfStyle] = []
        while name is not None and name in self.by_name and len(chain) < _LONGEST_CHAIN:
            chain.append(self.by_name[name])
            name = chain[-1].parent
        return chain


def _definitions(roots: tuple[Element | None, ...]) -> Iterator[Element]:
    for root in roots:
        for name in ("automatic-styles", "styles"):
            parent = root.find(name) if root is not None else None
            yield from parent if parent is not None else ()


def _style(element: Element) -> OdfStyle:
    properties = [found for kind in _PROPERTIES for found in element.findall(kind)]
    return OdfStyle(
        parent=element.get("parent-style-name"),
        is_hidden=any(found.get("display") == "none" or found.get("visibility") == "hidden" for found in properties),
        list_style=element.get("list-style-name"),
        outline_level=count(element.get("default-outline-level"), 0),
    )
