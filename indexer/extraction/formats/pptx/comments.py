"""The comments on a slide of a PowerPoint presentation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from indexer.extraction.container.ooxml import Element, Package
from indexer.extraction.formats.office.drawing_text import plain


def comments_of(package: Package, slide: str) -> list[str]:
    """As items of a list, each with its author; replies follow what they answer."""
    parts = [relation.part for relation in package.relations(slide).values() if relation.kind == "comments"]
    roots = [root for part in parts if (root := package.optional_xml(part)) is not None]
    if not roots:
        return []
    authors = _authors(package)
    return [
        f"- {authors.get(comment.get('authorId') or '', 'Comment')}: {text}"
        for root in roots
        for comment in root.iter("cm", "reply")
        if (text := " ".join(" ".join(_text(comment)).split()))
    ]


def _text(comment: Element) -> Iterator[str]:
    for element in comment:
        match element.tag:
            case "text":  # as files had it before 2018
                yield element.text or ""
            case "txBody":
                yield plain(element)
            case _:
                pass


def _authors(package: Package) -> Mapping[str, str]:
    roots = [package.optional_xml(part) for part in ("ppt/commentAuthors.xml", "ppt/authors.xml")]
    return {
        author.get("id") or "": author.get("name") or "Comment"
        for root in roots
        if root is not None
        for author in root.iter("cmAuthor", "author")
    }
