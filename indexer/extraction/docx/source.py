"""What the text of a Word document refers to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from indexer.extraction.base import Aids
from indexer.extraction.docx.numbering import Numbering
from indexer.extraction.docx.styles import Styles
from indexer.extraction.office.ooxml import Element, Package, Relation


@dataclass(frozen=True, slots=True)
class Source:
    """What the text of one part refers to."""

    package: Package
    relations: Mapping[str, Relation]
    styles: Styles
    numbering: Numbering
    notes: dict[tuple[str, str], Element]
    """Footnotes, endnotes and comments, by kind and id, that have not been shown yet."""
    aids: Aids

    def within(self, relations: Mapping[str, Relation]) -> Source:
        """The same document seen from another part."""
        return replace(self, relations=relations)

    def root(self, relation_id: str | None) -> Element | None:
        """The root of the part that a relationship id names."""
        relation = self.relations.get(relation_id or "")
        return self.package.optional_xml(relation.part) if relation is not None else None
