"""Word documents (.docx), as Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.characters.normalization import cleaned, tidied
from indexer.extraction.container.embedded import embedded_blocks
from indexer.extraction.container.ooxml import Element, Package, Relation, damaged
from indexer.extraction.formats.docx.body import DocxBody
from indexer.extraction.formats.docx.numbering import Numbering
from indexer.extraction.formats.docx.references import PartReferences
from indexer.extraction.formats.docx.styles import DocxStyles
from indexer.extraction.formats.markup.markdown import first_heading
from indexer.extraction.ocr.pictures import Pictures
from rag.types.documents import Page

_DEFAULT_PART: Final = "word/document.xml"
_NOTES: Final = {"footnotes": "footnote", "endnotes": "endnote", "comments": "comment"}


class DocxExtractor:
    """Gives one page: where a page of Word ends depends on the printer."""

    def extract(self, path: Path, context: ExtractionContext) -> Extraction:
        """The text as the final version shows it, with notes, comments, text boxes, headers and embedded files.

        Raises ExtractionError.
        """
        with Package.open(path) as package:
            text = tidied(cleaned("\n\n".join(_blocks(package, context))))
            read = (
                ""
                if text
                else Pictures(context).text(package, package.relations(package.main_part(_DEFAULT_PART)).values())
            )
            title = package.title() or first_heading(text)
            warnings = list(dict.fromkeys(package.warnings))
        return Extraction(
            title=title, paged=False, pages=iter([Page(number=1, text=text or read, ocr=bool(read))]), warnings=warnings
        )


def _blocks(package: Package, context: ExtractionContext) -> list[str]:
    main = package.main_part(_DEFAULT_PART)
    root = package.xml(main)
    if root is None:
        raise damaged("it holds no text part")
    relations = package.relations(main)
    source = PartReferences(
        package=package,
        relations=relations,
        styles=DocxStyles.of(_part(package, relations, "styles")),
        numbering=Numbering.of(_part(package, relations, "numbering")),
        notes=_notes(package, relations),
        context=context,
    )
    body = root.find("body")
    blocks = DocxBody(source).blocks(body) if body is not None else []
    return [*blocks, *_headers_and_footers(source), *embedded_blocks(package, relations.values(), context)]


def _part(package: Package, relations: Mapping[str, Relation], kind: str) -> Element | None:
    part = next((relation.part for relation in relations.values() if relation.kind == kind), None)
    return package.optional_xml(part) if part is not None else None


def _notes(package: Package, relations: Mapping[str, Relation]) -> dict[tuple[str, str], Element]:
    """Footnotes, endnotes and comments by kind and id; separators, which carry a type, are none."""
    return {
        (note.tag, note.get("id") or ""): note
        for kind, tag in _NOTES.items()
        if (root := _part(package, relations, kind)) is not None
        for note in root
        if note.tag == tag and note.get("type") in {None, "normal"}
    }


def _headers_and_footers(source: PartReferences) -> list[str]:
    """Each text once, after the body: a form's number or a document's status may stand nowhere else."""
    texts: dict[str, None] = {}
    for kind in ("header", "footer"):
        for relation in source.relations.values():
            root = source.package.optional_xml(relation.part) if relation.kind == kind else None
            if root is not None:
                part_source = source.within(source.package.relations(relation.part))
                texts.update(dict.fromkeys(DocxBody(part_source).blocks(root)))
    return [text for text in texts if any(character.isalpha() for character in text)]
