"""What the text of a Word document refers to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from indexer.extraction.base import ExtractionContext
from indexer.extraction.container.ooxml import Element, Package, Relation
from indexer.extraction.formats.docx.numbering import Numbering
from indexer.extraction.formats.docx.styles import DocxStyles


@dataclass(frozen=True, slots=True)
class PartReferences:
    """What the text of one part refers to."""

    package: Package
    relations: Mapping[str, Relation]
    styles: DocxStyles
    numbering: Numbering
    notes: dict[tuple[str, str], Element]
    """Footnotes, endnotes and comments, by kind and id, that have not been shown yet."""
    context: ExtractionContext

    def within(self, relations: Mapping[str, Relation]) -> PartReferences:
        """The same document seen from another part."""
        return replace(self, relations=relations)

    def root(self, relation_id: str | None) -> Element | None:
        """The root of the part that a relationship id names."""
        relation = self.relations.get(relation_id or "")
        return self.package.optional_xml(relation.part) if relation is not None else None
