"""A diagram of an Office file (SmartArt), as a nested list."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from indexer.extraction.container.xml_tree import Element, count
from indexer.extraction.formats.office.drawing_text import plain

_DEEPEST: Final = 12


def diagram_blocks(root: Element) -> list[str]:
    """The texts of a data model in the order and the depth in which they hang together, as blocks of Markdown."""
    texts = {
        point.get("modelId") or "": plain(body)
        for point in root.iter("pt")
        if point.get("type") != "pres" and (body := point.find("t")) is not None
    }
    children = _children(root)
    starts = [point.get("modelId") or "" for point in root.iter("pt") if point.get("type") == "doc"]
    lines: list[str] = []
    seen: set[str] = set()
    waiting = [(point, 0) for point in reversed([*starts, *texts])]  # what hangs on nothing follows
    while waiting:
        point, depth = waiting.pop()
        if point in seen:  # a damaged diagram may go round in circles
            continue
        seen.add(point)
        text = texts.get(point, "")
        if text:
            lines.append(f"{'  ' * depth}- {text}")
        deeper = min(depth + bool(text), _DEEPEST)
        waiting.extend((child, deeper) for child in reversed(children.get(point, ())))
    return ["\n".join(lines)] if lines else []


def _children(root: Element) -> Mapping[str, Sequence[str]]:
    """The ids below each id, in order; connections of other types only place things."""
    found: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for connection in root.iter("cxn"):
        if connection.get("type") in {None, "parOf"}:
            place = count(connection.get("srcOrd"), 0)
            found[connection.get("srcId") or ""].append((place, connection.get("destId") or ""))
    return {parent: [child for _, child in sorted(places)] for parent, places in found.items()}
