"""XML from strangers, as a tree without namespaces: no entities, no network, no endless depth."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, MutableMapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Protocol, cast

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]  # compiled, and without type stubs

MAX_DEPTH: Final = 2048
"""Elements inside elements, as libxml2 has it. People reach some fifty."""

SAFELY: Final[Mapping[str, bool]] = MappingProxyType(
    {
        "resolve_entities": False,
        "no_network": True,
        "load_dtd": False,
        "remove_comments": True,
        "remove_pis": True,
        "recover": True,
    }
)
"""How lxml reads it."""
_DOCTYPE: Final = re.compile(rb"<!DOCTYPE|<\0!\0D\0", re.IGNORECASE)
_QUALIFIER: Final = re.compile(r"\{[^}]*\}|[^:/}]+:(?=[^:]+$)")
"""The namespace of a name, or a prefix that the file never declared."""
_NAME: Final = re.compile(r"[^\W\d][\w.-]*$")
_LONGEST_NUMBER: Final = 9  # digits
_LIMIT: Final = 114  # XML_ERR_RESOURCE_LIMIT of libxml2's xmlerror.h
CUT_OFF: Final = frozenset({4, 73, 74, 75, 76, 77})
"""Of the same list, the faults after which the rest is missing: empty, cut off, tags that end too late or never. The
others, such as an illegal character, an unknown entity or a prefix without a namespace, cost nothing but themselves."""


class Element(Protocol):
    """What we use of an lxml element, which carries no types."""

    tag: str
    text: str | None
    tail: str | None

    @property
    def attrib(self) -> MutableMapping[str, str]:
        """All attributes."""
        ...

    def get(self, key: str) -> str | None:
        """One attribute."""
        ...

    def find(self, path: str) -> Element | None:
        """The first element on the path, which begins with a child."""
        ...

    def findall(self, path: str) -> list[Element]:
        """All elements on the path."""
        ...

    def iter(self, *tags: str) -> Iterator[Element]:
        """Itself and all elements inside, of these names, in document order."""
        ...

    def __iter__(self) -> Iterator[Element]: ...


def parsed_xml(raw: bytes, warnings: list[str]) -> Element | None:
    """The root, all names without namespaces; None for what is no XML, is cut off, or is made to exhaust a computer.

    What lies deeper than `MAX_DEPTH` elements is left out, with a warning.
    """
    root, faults = _parsed(raw, huge=False)
    if _LIMIT in faults:  # deep trees and long texts are refused at first, as a guard against entities
        if _DOCTYPE.search(raw):
            return None
        root, faults = _parsed(raw, huge=True)
        if _LIMIT in faults:
            warnings.append("The text is nested too deeply; what lies deepest was left out.")
    if root is None or not faults.isdisjoint(CUT_OFF):
        return None
    return _without_namespaces(root)


def count(value: str | None, default: int) -> int:
    """A whole number as an attribute has it, or the default for what is none."""
    is_number = value is not None and value.isascii() and value.isdigit() and len(value) <= _LONGEST_NUMBER
    return int(value) if value is not None and is_number else default


def all_text(element: Element) -> str:
    """The text in an element and everything inside it, in one line: for what is nested too deeply to be followed."""
    pieces: list[str] = []
    for inner in element.iter("*"):
        pieces.append(inner.text or "")
        if inner is not element:
            pieces.append(inner.tail or "")
    return " ".join(" ".join(pieces).split())


def serialized(element: Element) -> bytes:
    """The element as it would be read again."""
    return cast("bytes", etree.tostring(element, with_tail=False))


def _parsed(raw: bytes, *, huge: bool) -> tuple[Element | None, frozenset[int]]:
    """The tree as far as it can be had, and the numbers of what is wrong with it."""
    parser = etree.XMLParser(**SAFELY, huge_tree=huge)
    try:
        root = cast("Element | None", etree.fromstring(raw, parser))
    except etree.XMLSyntaxError as error:
        return None, frozenset({cast("int", error.code)})
    return root, frozenset(cast("int", entry.type) for entry in parser.error_log)


def _without_namespaces(root: Element) -> Element:
    etree.strip_elements(root, etree.Entity, with_tail=False)  # they stay unresolved
    for element in root.iter("*"):
        element.tag = _local(element.tag)
        for name in list(element.attrib):
            local = _local_attribute(name)
            if local != name:
                element.attrib[local] = element.attrib.pop(name)
    return root


@lru_cache(maxsize=4096)
def _local(name: str) -> str:
    local = _QUALIFIER.sub("", name)
    return local if _NAME.match(local) else "_"


@lru_cache(maxsize=4096)
def _local_attribute(name: str) -> str:
    """Relationship ids keep a mark, for elements have ids of their own beside them."""
    qualifier = _QUALIFIER.match(name)
    if qualifier is None:
        return name
    is_relation = qualifier[0] == "r:" or qualifier[0].endswith("/relationships}")
    return ("r-" if is_relation else "") + _local(name)
