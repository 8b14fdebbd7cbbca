"""The text inside the drawings of Office files (DrawingML), paragraph by paragraph."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from indexer.extraction.container.xml_tree import Element, count
from indexer.extraction.formats.office.superscripts import raised, with_exponents

_ESCAPED: Final = re.compile(r"_x([0-9A-Fa-f]{4})_")
"""How Office writes characters that XML does not allow (ECMA-376, part 1, 22.4.2.4)."""
_DEEPEST_LEVEL: Final = 8


@dataclass(frozen=True, slots=True)
class DrawingParagraph:
    """One paragraph of a shape."""

    text: str
    """Lines of one paragraph are parted by a line feed."""
    level: int
    """How far it is indented, counted from 0."""
    properties: Element | None


def paragraphs(body: Element) -> list[DrawingParagraph]:
    """The paragraphs of a text body that hold text."""
    found: list[DrawingParagraph] = []
    for element in body.findall("p"):
        text = unescaped(with_exponents("".join(_pieces(element)))).strip()
        if text:
            properties = element.find("pPr")
            level = count(properties.get("lvl"), 0) if properties is not None else 0
            found.append(DrawingParagraph(text, min(level, _DEEPEST_LEVEL), properties))
    return found


def plain(body: Element) -> str:
    """All text in one line."""
    return " ".join(" ".join(paragraph.text.split()) for paragraph in paragraphs(body))


def unescaped(text: str) -> str:
    """The text with characters that were written as `_x000B_` put in their place."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)


def _pieces(paragraph: Element) -> Iterator[str]:
    for element in paragraph:
        match element.tag:
            case "r" | "fld" if element.get("type") != "slidenum":  # a page knows its number
                pieces = (text.text or "" for text in element.findall("t"))
                yield from raised(pieces) if _is_raised(element) else pieces
            case "br":
                yield "\n"
            case "AlternateContent" | "m":  # a formula; its fallback is a picture
                first = next(iter(element), element) if element.tag == "AlternateContent" else element
                yield from (text.text or "" for text in first.iter("t"))
            case _:
                pass


def _is_raised(run: Element) -> bool:
    properties = run.find("rPr")
    return properties is not None and count(properties.get("baseline"), 0) > 0
