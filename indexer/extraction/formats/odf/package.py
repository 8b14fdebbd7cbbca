"""The parts of an OpenDocument file."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Self

from indexer.extraction.container.ooxml import Package, damaged
from indexer.extraction.container.xml_tree import Element
from indexer.extraction.formats.odf.body import OdfBody
from indexer.extraction.formats.odf.changes import drop_deleted
from indexer.extraction.formats.odf.styles import OdfStyles
from indexer.extraction.markdown.title import shown_title
from rag.errors import ExtractionError


@dataclass(frozen=True, slots=True)
class OdfDocument:
    """An open OpenDocument file."""

    content: Element
    styles_part: Element | None
    """A file that is one XML document holds the styles in it."""
    meta: Element | None
    package: Package | None = None
    """Where embedded objects stand, if it is a package."""
    styles: OdfStyles = field(init=False)
    """Those of the text, and those that it shares with headers and footers."""

    def __post_init__(self) -> None:
        """Read the styles once: each slide and each kind of page asks for them."""
        object.__setattr__(self, "styles", OdfStyles.of(self.content, self.styles_part))

    @classmethod
    def of(cls, package: Package) -> Self:
        """Raises ExtractionError ("damaged", "encrypted")."""
        refuse_encrypted(package)
        content = package.xml("content.xml")
        if content is None:
            raise damaged("it holds no text part")
        drop_deleted(content)
        return cls(content, package.optional_xml("styles.xml"), package.optional_xml("meta.xml"), package)

    def body(self) -> OdfBody:
        """What turns its elements into blocks."""
        return OdfBody(self.styles, self.object_blocks)

    def title(self) -> str:
        """The title among the document's properties, if it is fit to show."""
        return title_of(self.meta)

    def headers_and_footers(self) -> list[str]:
        """Each text once: a form's number or a document's status may stand nowhere else."""
        texts: dict[str, None] = {}
        styles = self.content if self.styles_part is None else self.styles_part
        for page in styles.iter("master-page"):
            for region in page:
                if region.tag.startswith(("header", "footer")) and region.get("display") != "false":
                    texts.update(dict.fromkeys(self.body().blocks(region)))
        return [text for text in texts if any(character.isalpha() for character in text)]

    def object_blocks(self, address: str) -> list[str]:
        """The titles and the table of a chart, or a formula as it was typed."""
        part = posixpath.normpath(posixpath.join(address, "content.xml"))
        is_inside = self.package is not None and bool(address) and "://" not in address
        root = self.package.optional_xml(part) if self.package is not None and is_inside else None
        if root is None:
            return []
        formula = next(iter(root.iter("annotation")), None)
        if formula is not None:
            return list(filter(None, [(formula.text or "").strip()]))
        inside = OdfBody(
            OdfStyles.of(root), lambda _address: []
        )  # an object that holds itself would go round in circles
        return [*_chart_titles(root, inside), *(block for table in root.iter("table") for block in inside.block(table))]


def refuse_encrypted(package: Package) -> None:
    """Raises ExtractionError ("encrypted")."""
    manifest = package.optional_xml("META-INF/manifest.xml")
    if manifest is not None and next(manifest.iter("encryption-data"), None) is not None:
        raise ExtractionError(
            "encrypted", "The file is protected by a password.", "Save it without a password, or leave it out."
        )


def title_of(meta: Element | None) -> str:
    """The title among a document's properties, if it is fit to show."""
    found = meta.find("meta/title") if meta is not None else None
    return shown_title(found.text) if found is not None else ""


def _chart_titles(root: Element, body: OdfBody) -> Iterator[str]:
    for title in root.iter("title", "subtitle"):
        yield from body.blocks(title)
