"""What surrounds the main text of a web page, and how to take it out without taking the text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from bs4 import BeautifulSoup, Tag

_NEVER_TEXT: Final = [
    "script",
    "style",
    "template",
    "svg",
    "iframe",
    "object",
    "canvas",
    "head",
    "select",
    "button",
    "del",
]
_SURROUNDINGS: Final = ["nav", "aside", "footer", "noscript"]
_SURROUNDING_ROLES: Final = ["navigation", "contentinfo", "search", "banner"]
_HIDDEN_STYLE: Final = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])|opacity\s*:\s*0(?![.\d])", re.IGNORECASE
)
_HEADINGS: Final = ["h1", "h2", "h3", "h4", "h5", "h6"]
_STRUCTURE: Final = ["p", "li", "table", "pre", *_HEADINGS]
_SECTION_CHARS: Final = 300
_MAIN: Final = ["main", "article"]
_MENU: Final = re.compile(
    r"(?:^|[-_])(?:nav|navbar|navbox|navigation|menu|breadcrumbs?|pagination|pager|skip|jump|toolbar|cookies?)(?:$|[-_])",
    re.IGNORECASE,
)
_NEVER_MENUS: Final = ["html", "body", "main", "article"]
_MANY_LINKS: Final = 0.5
"""Share of linked text from which a block is a menu."""
_MOSTLY_LINKS: Final = 0.8
"""Likewise of a block that only its name tells."""
_SMALL_CHARS: Final = 600
"""A site's foot is shorter than this; the footnotes of an article may be longer."""
_MAIN_SHARE: Final = 0.3
"""What is left must be at least this much of the text, or the page was built against the meaning of its tags."""


def without_unseen(soup: BeautifulSoup) -> None:
    """Takes out what a reader never sees: scripts, styles, hidden remarks."""
    for element in soup.find_all(_NEVER_TEXT):
        element.decompose()
    for element in _outermost(soup, soup.find_all(_is_hidden)):
        element.decompose()


def without_boilerplate(soup: BeautifulSoup) -> None:
    """Takes menus and feet out of the tree, and never most of the text."""
    total = _text_chars(soup)
    outermost = _outermost(soup, soup.find_all(_is_surrounding))
    if total - sum(map(_text_chars, outermost)) >= _MAIN_SHARE * total:
        for element in outermost:
            element.decompose()


def _is_surrounding(element: Tag) -> bool:
    if element.name == "nav":
        return True
    if element.name in _SURROUNDINGS or element.get("role") in _SURROUNDING_ROLES:
        is_small = element.find_parent(_MAIN) is None and _text_chars(element) < _SMALL_CHARS
        return is_small or _link_share(element) >= _MANY_LINKS
    return _is_named_menu(element) and _link_share(element) >= _MOSTLY_LINKS


def _is_named_menu(element: Tag) -> bool:
    """Whether its author calls it a menu, a bar or a link that skips them."""
    if element.name in _NEVER_MENUS:
        return False
    names = [*element.get_attribute_list("id"), *element.get_attribute_list("class")]
    return any(name and _MENU.search(name) for name in names)


def _is_hidden(element: Tag) -> bool:
    """Hidden, and no folded section: those have headings or much text, and a reader opens them."""
    style = element.get("style")
    hidden = element.has_attr("hidden") or (isinstance(style, str) and _HIDDEN_STYLE.search(style) is not None)
    if not hidden:
        return False
    is_section = element.find(_HEADINGS) is not None or _text_chars(element) >= _SECTION_CHARS
    return not (is_section and element.find(_STRUCTURE) is not None)


def _outermost(soup: BeautifulSoup, elements: Sequence[Tag]) -> list[Tag]:
    """Those that stand in none of the others, in one walk through the tree."""
    wanted = {id(element) for element in elements}
    chosen: list[Tag] = []
    waiting: list[Tag] = [soup]
    while waiting:
        element = waiting.pop()
        if id(element) in wanted:
            chosen.append(element)
        else:
            waiting.extend(child for child in element.children if isinstance(child, Tag))
    return chosen


def _link_share(element: Tag) -> float:
    if element.name == "a":
        return 1
    return sum(map(_text_chars, element.find_all("a"))) / max(_text_chars(element), 1)


def _text_chars(element: Tag) -> int:
    return sum(len(text.strip()) for text in element.strings)
