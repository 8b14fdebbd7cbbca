"""Which paragraphs of a slide are list items, and the numbers that PowerPoint computes for them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from indexer.extraction.container.xml_tree import Element, count
from indexer.extraction.formats.docx.numbering import in_format
from indexer.extraction.formats.office.drawing_text import DrawingParagraph

_BULLETS: Final = ("buNone", "buChar", "buBlip", "buAutoNum")
_NUMBER_TYPE: Final = re.compile(r"(?P<count>arabic|alphaLc|alphaUc|romanLc|romanUc)(?P<around>\w*)$")
_FORMATS: Final = {
    "arabic": "decimal",
    "alphaLc": "lowerLetter",
    "alphaUc": "upperLetter",
    "romanLc": "lowerRoman",
    "romanUc": "upperRoman",
}  # ECMA-376, part 1, 20.1.10.61
_AROUND: Final = {"Period": "{}.", "ParenR": "{})", "ParenBoth": "({})", "Plain": "{}"}


@dataclass(slots=True)
class ShapeLists:
    """The lists of one shape; each call of `label` is one paragraph."""

    styles: Sequence[Element]
    """What the shape, its layout and its master say about levels, the nearest first."""
    _counts: dict[int, int] = field(default_factory=dict[int, int])

    def label(self, paragraph: DrawingParagraph) -> str:
        """A dash for a bullet, the number of a numbered item, or nothing."""
        bullet = self._bullet(paragraph)
        for deeper in [level for level in self._counts if level > paragraph.level]:
            del self._counts[deeper]
        if bullet is None or bullet.tag != "buAutoNum":
            self._counts.pop(paragraph.level, None)
            return "" if bullet is None or bullet.tag == "buNone" else "-"
        number = self._counts.get(paragraph.level, count(bullet.get("startAt"), 1) - 1) + 1
        self._counts[paragraph.level] = number
        named = _NUMBER_TYPE.match(bullet.get("type") or "")
        if named is None:
            return f"{number}."
        return _AROUND.get(named["around"], "{}.").format(in_format(number, _FORMATS[named["count"]]))

    def _bullet(self, paragraph: DrawingParagraph) -> Element | None:
        level = f"lvl{paragraph.level + 1}pPr"
        for properties in (paragraph.properties, *(style.find(level) for style in self.styles)):
            for name in _BULLETS if properties is not None else ():
                found = properties.find(name) if properties is not None else None
                if found is not None:
                    return found
        return None
