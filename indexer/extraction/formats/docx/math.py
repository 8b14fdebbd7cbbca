"""A formula of a Word document, in one line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from indexer.extraction.container.xml_tree import Element, all_text

_DEEPEST: Final = 30


def formula(element: Element) -> str:
    """The formula with its fractions, roots and exponents written as people type them: (a+b)/2, x^2, √(x)."""
    return _written(element, 0)


@dataclass(frozen=True, slots=True)
class _Parts:
    """What a construct is made of."""

    element: Element
    depth: int

    def __getitem__(self, name: str) -> str:
        found = self.element.find(name)
        return _joined(found, self.depth) if found is not None else ""

    def sign(self, name: str, default: str) -> str:
        """A character that its properties name."""
        found = self.element.find(f"{self.element.tag}Pr/{name}")
        return (found.get("val") or "") if found is not None else default

    def all(self, name: str, between: str) -> str:
        """Several parts of one name."""
        return between.join(_joined(one, self.depth) for one in self.element.findall(name))


def _fraction(parts: _Parts) -> str:
    return f"{_grouped(parts['num'])}/{_grouped(parts['den'])}"


def _indexed(parts: _Parts) -> str:
    lower, upper = parts["sub"], parts["sup"]
    return f"{parts['e']}{'_' + _grouped(lower) if lower else ''}{'^' + _grouped(upper) if upper else ''}"


def _root(parts: _Parts) -> str:
    return f"{parts['deg']}√({parts['e']})"


def _sum(parts: _Parts) -> str:
    lower, upper = parts["sub"], parts["sup"]
    limits = f"{'_' + _grouped(lower) if lower else ''}{'^' + _grouped(upper) if upper else ''}"
    return f"{parts.sign('chr', '∫')}{limits} {parts['e']}"


def _bracketed(parts: _Parts) -> str:
    return f"{parts.sign('begChr', '(')}{parts.all('e', '|')}{parts.sign('endChr', ')')}"


_CONSTRUCTS: Final[Mapping[str, Callable[[_Parts], str]]] = {
    "f": _fraction,
    "sSup": _indexed,
    "sSub": _indexed,
    "sSubSup": _indexed,
    "rad": _root,
    "nary": _sum,
    "d": _bracketed,
}  # ECMA-376, part 1, 22.1


def _written(element: Element, depth: int) -> str:
    if depth > _DEEPEST:
        return all_text(element)
    if element.tag == "t":
        return element.text or ""
    if element.tag.endswith("Pr"):
        return ""
    construct = _CONSTRUCTS.get(element.tag)
    return construct(_Parts(element, depth)) if construct is not None else _joined(element, depth)


def _joined(parent: Element, depth: int) -> str:
    return "".join(_written(element, depth + 1) for element in parent)


def _grouped(text: str) -> str:
    return f"({text})" if len(text) > 1 else text
