"""The words of a paragraph in an OpenDocument file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from indexer.extraction.container.xml_tree import Element, count
from indexer.extraction.formats.odf.styles import OdfStyles

SHAPES: Final = frozenset(
    {"frame", "custom-shape", "rect", "ellipse", "circle", "polygon", "polyline", "path", "regular-polygon", "caption"}
    | {"line", "connector", "measure", "g"}
)
_ASIDES: Final = SHAPES | {"note", "annotation", "p", "list"}
_NOT_SHOWN: Final = frozenset({"ruby-text", "script", "note-citation", "event-listeners", "title", "desc"})
_MAY_BE_HIDDEN: Final = frozenset({"hidden-text", "hidden-paragraph"})
_WHITE_SPACE: Final = re.compile(r"[ \t\r\n]+")
_MOST_BLANKS: Final = 100
_DEEPEST: Final = 40


@dataclass(frozen=True, slots=True)
class OdfInline:
    """Turns the content of paragraphs into text."""

    styles: OdfStyles
    aside: Callable[[Element], None]
    """Takes the notes, comments and shapes that are anchored in the paragraph."""

    def text(self, paragraph: Element) -> str:
        """What the paragraph itself says; a line break is a line feed."""
        return "".join(self._pieces(paragraph, 0)).strip()

    def _pieces(self, parent: Element, depth: int) -> Iterator[str]:
        yield _collapsed(parent.text)
        for element in parent if depth < _DEEPEST else ():
            yield from self._piece(element, depth)
            yield _collapsed(element.tail)

    def _piece(self, element: Element, depth: int) -> Iterator[str]:
        match element.tag:
            case "s":
                yield " " * min(count(element.get("c"), 1), _MOST_BLANKS)
            case "tab":
                yield "\t"
            case "line-break":
                yield "\n"
            case tag if tag in _ASIDES:
                self.aside(element)
            case tag if tag in _NOT_SHOWN or self.styles.is_hidden(element.get("style-name")):
                pass
            case tag if tag in _MAY_BE_HIDDEN and element.get("is-hidden") != "false":
                pass
            case _:
                yield from self._pieces(element, depth + 1)


def _collapsed(text: str | None) -> str:
    """White space in the file stands for one blank (OpenDocument 1.3, part 3, 6.1.2)."""
    return _WHITE_SPACE.sub(" ", text) if text else ""
