"""Word documents (.docx), as Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from indexer.extraction.base import Aids, Extraction
from indexer.extraction.characters import cleaned, tidied
from indexer.extraction.docx_body import Body, Source
from indexer.extraction.docx_numbering import Numbering
from indexer.extraction.docx_styles import Styles
from indexer.extraction.markdown import first_heading
from indexer.extraction.ooxml import Element, Package, Relation, damaged
from indexer.extraction.title import shown_title
from rag.types import Page

_DEFAULT_PART: Final = "word/document.xml"


class DocxExtractor:
    """Gives one page: where a page of Word ends depends on the printer."""

    kinds = frozenset({"docx"})
    version = 1

    def extract(self, path: Path, aids: Aids) -> Extraction:  # noqa: ARG002  # needs none
        """The text as the final version shows it, with notes, text boxes and headers. Raises ExtractionError."""
        with Package.open(path) as package:
            text = tidied(cleaned("\n\n".join(_blocks(package))))
            title = _title(package) or first_heading(text)
        return Extraction(title=title, paged=False, pages=iter([Page(number=1, text=text)]))


def _blocks(package: Package) -> list[str]:
    main = next((found.part for found in package.relations("").values() if found.kind == "officeDocument"), None)
    main = main or _DEFAULT_PART
    root = package.xml(main)
    if root is None:
        raise damaged("it holds no text part")
    relations = package.relations(main)
    source = Source(
        package=package,
        relations=relations,
        styles=Styles.of(_part(package, relations, "styles")),
        numbering=Numbering.of(_part(package, relations, "numbering")),
        notes=_notes(package, relations),
    )
    body = root.find("body")
    blocks = Body(source).blocks(body) if body is not None else []
    return [*blocks, *_headers_and_footers(source)]


def _part(package: Package, relations: Mapping[str, Relation], kind: str) -> Element | None:
    part = next((relation.part for relation in relations.values() if relation.kind == kind), None)
    return package.xml(part) if part is not None else None


def _notes(package: Package, relations: Mapping[str, Relation]) -> dict[tuple[str, str], Element]:
    """Footnotes and endnotes by kind and id; separators, which carry a type, are none."""
    return {
        (note.tag, note.get("id") or ""): note
        for kind in ("footnotes", "endnotes")
        if (root := _part(package, relations, kind)) is not None
        for note in root
        if note.get("type") in {None, "normal"}
    }


def _headers_and_footers(source: Source) -> list[str]:
    """Each text once, after the body: a form's number or a document's status may stand nowhere else."""
    texts: dict[str, None] = {}
    for kind in ("header", "footer"):
        for relation in source.relations.values():
            root = source.package.xml(relation.part) if relation.kind == kind else None
            if root is not None:
                part_source = source.within(source.package.relations(relation.part))
                texts.update(dict.fromkeys(Body(part_source).blocks(root)))
    return [text for text in texts if any(character.isalpha() for character in text)]


def _title(package: Package) -> str:
    part = next((found.part for found in package.relations("").values() if found.kind == "core-properties"), None)
    root = package.xml(part) if part is not None else None
    found = root.find("title") if root is not None else None
    return shown_title(found.text) if found is not None else ""
