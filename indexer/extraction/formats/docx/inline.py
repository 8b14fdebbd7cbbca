"""The words of a paragraph in a Word document."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from indexer.extraction.container.xml_tree import Element, count
from indexer.extraction.formats.docx.math import formula
from indexer.extraction.formats.docx.styles import DocxStyles
from indexer.extraction.formats.office.superscripts import raised, with_exponents

_NOT_SHOWN: Final = frozenset(
    {"del", "moveFrom", "rPr", "pPr", "sdtPr", "sdtEndPr", "instrText", "delText", "delInstrText", "rt"}
)
"""Deleted text, codes of fields, readings above East Asian characters, properties."""
_ASIDES: Final = frozenset(
    {"footnoteReference", "endnoteReference", "commentReference", "drawing", "pict", "object", "txbxContent"}
)
_CHARACTERS: Final = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "softHyphen": "\xad", "ptab": "\t"}
_TICKED: Final = {True: "☒", False: "☐"}
_DEEPEST: Final = 60


@dataclass(frozen=True, slots=True)
class DocxInline:
    """Turns the content of paragraphs into text."""

    styles: DocxStyles
    aside: Callable[[Element], None]
    """Takes the marks of notes and comments, and the drawings that are anchored in the paragraph."""

    def text(self, paragraph: Element) -> str:
        """What the paragraph itself says, with the blanks at its ends; a line break is a line feed."""
        return with_exponents("".join(self._pieces(paragraph, 0)))

    def _pieces(self, parent: Element, depth: int) -> Iterator[str]:
        for element in parent if depth < _DEEPEST else ():
            match element.tag:
                case "t":
                    yield element.text or ""
                case "sym":
                    yield _symbol(element)
                case "oMath":
                    yield formula(element)
                case "ddList":
                    yield _chosen(element)
                case "checkBox":
                    yield _ticked(element)
                case tag if tag in _ASIDES:
                    self.aside(element)
                case tag if tag in _CHARACTERS:
                    yield _CHARACTERS[tag]
                case tag if tag not in _NOT_SHOWN and not self._is_hidden(element):
                    inside = alternative(element) if tag == "AlternateContent" else element
                    pieces = self._pieces(inside, depth + 1)
                    yield from raised(pieces) if _is_raised(element) else pieces
                case _:
                    pass

    def _is_hidden(self, run: Element) -> bool:
        properties = run.find("rPr")
        if properties is None:
            return False
        hidden, style = properties.find("vanish"), properties.find("rStyle")
        if hidden is not None:
            return hidden.get("val") not in {"0", "false", "off"}
        return style is not None and self.styles.is_hidden(style.get("val"))


def _is_raised(run: Element) -> bool:
    place = run.find("rPr/vertAlign")
    return place is not None and place.get("val") == "superscript"


def alternative(element: Element) -> Element:
    """Of several ways to write the same thing, the first that has words; old programs take the last."""
    worded = (way for way in element if next(iter(way.iter("t", "chart", "relIds")), None) is not None)
    return next(worded, next(iter(element), element))


def _symbol(element: Element) -> str:
    """A character of a symbol font; the private use area holds shapes, of which bullets are recognised later."""
    code = element.get("char") or ""
    try:
        return chr(int(code, 16))
    except (ValueError, OverflowError):
        return ""


def _chosen(choices: Element) -> str:
    """What a drop-down field of a form shows."""
    entries, result = choices.findall("listEntry"), choices.find("result")
    at = count(result.get("val"), 0) if result is not None else 0
    return (entries[at].get("val") or "") if at < len(entries) else ""


def _ticked(box: Element) -> str:
    """The box of a form."""
    states = (box.find("checked"), box.find("default"))
    state = next((found for found in states if found is not None), None)
    return _TICKED[state is not None and state.get("val") not in {"0", "false", "off"}]
