"""What surrounds the main text of a web page, and how to take it out without taking the text."""

from __future__ import annotations

import re
from typing import Final

from bs4 import BeautifulSoup, Tag

_NEVER_TEXT: Final = ["script", "style", "template", "svg", "iframe", "object", "canvas", "head", "select", "button"]
_SURROUNDINGS: Final = ["nav", "aside", "footer", "noscript"]
_SURROUNDING_ROLES: Final = ["navigation", "contentinfo", "search", "banner"]
_HIDDEN_STYLE: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_STRUCTURE: Final = ["p", "li", "table", "pre", "h1", "h2", "h3", "h4", "h5", "h6"]
_MAIN: Final = ["main", "article"]
_MANY_LINKS: Final = 0.5
"""Share of linked text from which a block is a menu."""
_SMALL_CHARS: Final = 600
"""A site's foot is shorter than this; the footnotes of an article may be longer."""
_MAIN_SHARE: Final = 0.3
"""What is left must be at least this much of the text, or the page was built against the meaning of its tags."""


def without_boilerplate(soup: BeautifulSoup) -> None:
    """Takes scripts, hidden remarks, menus and feet out of the tree, and never most of the text."""
    for element in soup.find_all(_NEVER_TEXT):
        element.decompose()
    total = _text_chars(soup)
    surroundings = list(soup.find_all(_is_removable))
    outermost = _outermost(surroundings)
    if total - sum(map(_text_chars, outermost)) >= _MAIN_SHARE * total:
        for element in outermost:
            element.decompose()


def _is_removable(element: Tag) -> bool:
    if _is_hidden(element):
        return True
    if element.name not in _SURROUNDINGS and element.get("role") not in _SURROUNDING_ROLES:
        return False
    if element.name == "nav":
        return True
    if _link_share(element) >= _MANY_LINKS:
        return True
    return element.find_parent(_MAIN) is None and _text_chars(element) < _SMALL_CHARS


def _is_hidden(element: Tag) -> bool:
    """Hidden and without structure: tabs and folded sections have some, and a reader opens them."""
    style = element.get("style")
    hidden = element.has_attr("hidden") or (isinstance(style, str) and _HIDDEN_STYLE.search(style) is not None)
    return hidden and element.find(_STRUCTURE) is None


def _outermost(elements: list[Tag]) -> list[Tag]:
    """Those that stand in none of the others. The elements are in document order."""
    chosen: list[Tag] = []
    inside: set[int] = set()
    for element in elements:
        if id(element) not in inside:
            chosen.append(element)
            inside.update(id(descendant) for descendant in element.find_all(_is_removable))
    return chosen


def _link_share(element: Tag) -> float:
    return sum(map(_text_chars, element.find_all("a"))) / max(_text_chars(element), 1)


def _text_chars(element: Tag) -> int:
    return sum(len(text.strip()) for text in element.strings)
