"""What stands on a sheet beside its cells: text boxes, the words of charts, remarks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from indexer.extraction.container.ooxml import Package
from indexer.extraction.container.xml_tree import Element
from indexer.extraction.formats.office.drawing_diagram import diagram_blocks
from indexer.extraction.formats.office.drawing_text import paragraphs, plain
from indexer.extraction.formats.sheets.cell_budget import MAX_REMARKS, remarks_left_out
from indexer.extraction.formats.sheets.grid import shown

_LEGACY_COPY: Final = "[Threaded comment]"
"""How Excel begins the copy of a discussion that it keeps for older versions."""


def beside_the_cells(package: Package, part: str) -> Iterator[str]:
    """Text boxes, charts and remarks of a sheet, each kind under a heading. Raises ExtractionError ("too_large")."""
    relations = list(package.relations(part).values())
    for relation in relations:
        if relation.kind == "drawing":
            yield from _drawing(package, relation.part)
    people = _people(package)
    remarks = [
        remark
        for relation in relations
        if relation.kind in ("comments", "threadedComment")
        for remark in _remarks(package, relation.part, people)
    ]
    if remarks:
        package.warnings.extend(remarks_left_out(len(remarks)))
        yield "\n".join(["## Comments", "", *remarks[:MAX_REMARKS]])


def _drawing(package: Package, part: str) -> Iterator[str]:
    root = package.optional_xml(part)
    if root is None:
        return
    for body in root.iter("txBody"):
        if text := _paragraphs(body):
            yield text
    for relation in package.relations(part).values():
        if relation.kind == "diagramData" and (diagram := package.optional_xml(relation.part)) is not None:
            yield from diagram_blocks(diagram)
        if relation.kind == "chart" and (words := _chart(package.optional_xml(relation.part))):
            yield words


def _paragraphs(body: Element) -> str:
    return "\n".join(filter(None, (shown(paragraph.text) for paragraph in paragraphs(body))))


def _chart(root: Element | None) -> str:
    """Its titles, and what its series are called; the numbers stand in the cells."""
    if root is None:
        return ""
    titles = [text for title in root.iter("title") if (text := " ".join(map(plain, title.iter("rich"))))]
    series = [
        text
        for found in root.iter("ser")
        if (name := found.find("tx")) is not None
        and (text := shown(" ".join(value.text or "" for value in name.iter("v"))))
    ]
    named = f"Series: {', '.join(dict.fromkeys(series))}" if series else ""
    words = ". ".join(filter(None, [*dict.fromkeys(titles), named]))
    return f"Chart: {words}" if words else ""


def _people(package: Package) -> dict[str, str]:
    part = next((name for name in package.archive.namelist() if name.startswith("xl/persons/")), "")
    root = package.optional_xml(part) if part else None
    if root is None:
        return {}
    return {person.get("id") or "": person.get("displayName") or "" for person in root.iter("person")}


def _remarks(package: Package, part: str, people: dict[str, str]) -> Iterator[str]:
    root = package.optional_xml(part)
    if root is None:
        return
    for remark in root.iter("threadedComment"):
        text = shown("".join(found.text or "" for found in remark.iter("text")))
        yield _remark(remark.get("ref") or "", people.get(remark.get("personId") or "", ""), text)
    authors = [author.text or "" for author in root.iter("author")]
    for remark in root.iter("comment"):
        text = shown("".join(found.text or "" for found in remark.iter("t")))
        if text and not text.startswith(_LEGACY_COPY):
            number = remark.get("authorId") or ""
            author = authors[int(number)] if number.isdigit() and int(number) < len(authors) else ""
            yield _remark(remark.get("ref") or "", author, text)


def _remark(place: str, author: str, text: str) -> str:
    author = "" if text.startswith(f"{author}:") else shown(author)
    return f"- {place}{f' ({author})' if author else ''}: {text}"
