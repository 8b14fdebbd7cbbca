"""Text of an OpenDocument file that was deleted, and still stands where it was."""

from __future__ import annotations

from collections.abc import Collection

from indexer.extraction.container.xml_tree import Element


def drop_deleted(root: Element) -> None:
    """Takes away what stands between the marks of a deletion.

    As a rule the deleted text stands with the record of the change, where nobody reads it; LibreOffice leaves
    it in its place when it writes a single XML file.
    """
    deleted = {region.get("id") or "" for region in root.iter("changed-region") if region.find("deletion") is not None}
    if deleted:
        _empty_between(root, deleted)


def _empty_between(root: Element, deleted: Collection[str]) -> None:
    """Walks in the order of the text: an element, what is inside it, and the words behind it."""
    open_changes: set[str] = set()
    waiting = [(root, False)]
    while waiting:
        element, is_left = waiting.pop()
        if is_left:
            if open_changes:
                element.tail = None
            continue
        change = element.get("change-id") or ""
        match element.tag:
            case "change-start" if change in deleted:
                open_changes.add(change)
            case "change-end":
                open_changes.discard(change)
            case _ if open_changes:
                element.text = None
            case _:
                pass
        waiting.append((element, True))
        waiting.extend((child, False) for child in reversed(list(element)))
