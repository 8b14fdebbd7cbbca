"""The words in the drawings of a Word document."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from indexer.extraction.container.ooxml import Element
from indexer.extraction.formats.docx.inline import alternative
from indexer.extraction.formats.docx.references import PartReferences
from indexer.extraction.formats.office.drawing_chart import chart_blocks
from indexer.extraction.formats.office.drawing_diagram import diagram_blocks
from indexer.extraction.formats.office.drawing_text import plain

_WITH_WORDS: Final = frozenset({"txbxContent", "txBody", "textpath", "chart", "relIds"})


def drawing_blocks(drawing: Element, source: PartReferences, read: Callable[[Element], list[str]]) -> Iterator[str]:
    """Text boxes, which `read` reads, decorated letters, and the words of charts and diagrams."""
    for element in _outermost(drawing):
        match element.tag:
            case "txbxContent":
                yield from read(element)
            case "txBody":
                yield plain(element)
            case "textpath":
                yield element.get("string") or ""
            case "chart":
                root = source.root(element.get("r-id"))
                yield from chart_blocks(root, source.package.warnings) if root is not None else []
            case _:
                root = source.root(element.get("r-dm"))
                yield from diagram_blocks(root) if root is not None else []


def _outermost(parent: Element) -> Iterator[Element]:
    """What holds words in a drawing; text boxes read what is inside them themselves."""
    waiting = list(parent)[::-1]
    while waiting:
        element = waiting.pop()
        if element.tag in _WITH_WORDS:
            yield element
        else:
            waiting.extend(list(alternative(element) if element.tag == "AlternateContent" else element)[::-1])
