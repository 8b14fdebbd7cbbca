"""The elements of a large XML part, one by one: a sheet as a tree takes thirty times its size."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from typing import Final, cast

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]  # compiled, and without type stubs

from indexer.extraction.container.ooxml import damaged
from indexer.extraction.container.xml_tree import CUT_OFF, SAFELY, Element

_DECLARATIONS: Final = re.compile(rb"<!DOCTYPE|<!ENTITY|<\0!\0D\0", re.IGNORECASE)
_PROLOGUE_BYTES: Final = 4096


def streamed(raw: bytes, names: Sequence[str], *, part: str, warnings: list[str]) -> Iterator[Element]:
    """The elements of these names, whatever their namespace, as they end; emptied once the next one is asked for.

    A part that breaks off gives what stands before that, with a warning. Raises ExtractionError ("damaged").
    """
    if _DECLARATIONS.search(raw[:_PROLOGUE_BYTES]):  # Office writes none; a few lines of them make gigabytes
        raise damaged(f"its part {part} declares entities, which no file of its kind does")
    events = etree.iterparse(
        io.BytesIO(raw),
        events=("end",),
        tag=[f"{{*}}{name}" for name in names],
        huge_tree=True,
        **SAFELY,
    )
    try:
        for _, element in events:
            yield cast("Element", element)
            element.clear()
            parent = element.getparent()
            while parent is not None and element.getprevious() is not None:
                del parent[0]
        is_whole = all(cast("int", entry.type) not in CUT_OFF for entry in events.error_log)
    except etree.XMLSyntaxError:
        is_whole = False
    if not is_whole:
        warnings.append(f"The part {part} breaks off; what stands behind that is missing.")


def local(element: Element) -> str:
    """The name of an element without its namespace."""
    return element.tag.rpartition("}")[2]
