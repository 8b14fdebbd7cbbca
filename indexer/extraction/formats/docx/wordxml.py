"""Word documents that are one XML file: the flat packages of Word 2007 and later, and Word 2003's own XML."""

from __future__ import annotations

import base64
import binascii
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.container.ooxml import MAX_PART_BYTES, damaged
from indexer.extraction.container.source import read_bytes
from indexer.extraction.container.xml_tree import Element, parsed_xml, serialized

_WRAPPERS: Final = ("sect", "sub-section", "annotation", "content")
"""What Word 2003 puts around paragraphs and words: sections, and changes with their content."""
_DROPPED: Final = frozenset({"Word.Deletion", "Word.Comment", "Word.Bookmark.Start", "Word.Bookmark.End"})


class WordXmlExtractor:
    """Puts the parts into the package that they stand for, and has that read."""

    def extract(self, path: Path, context: ExtractionContext) -> Extraction:
        """What the reader of the package makes of it. Raises ExtractionError."""
        warnings: list[str] = []
        root = parsed_xml(read_bytes(path, limit=MAX_PART_BYTES), warnings)
        if root is None:
            raise damaged("it is no valid XML")
        with tempfile.TemporaryDirectory(prefix="footnote-", ignore_cleanup_errors=True) as folder:
            packed = Path(folder) / "packed.docx"
            with zipfile.ZipFile(packed, "w") as archive:
                for name, raw in _flat_parts(root) if root.tag == "package" else _parts_of_2003(root):
                    archive.writestr(name, raw)
            extraction = context.inner(packed, context).whole()
        return replace(extraction, warnings=[*warnings, *extraction.warnings])


def _flat_parts(root: Element) -> Iterator[tuple[str, bytes]]:
    for part in root.iter("part"):
        name, content, binary = (part.get("name") or "").lstrip("/"), part.find("xmlData"), part.find("binaryData")
        if content is not None:
            yield from ((name, serialized(element)) for element in list(content)[:1])
        elif binary is not None:
            try:
                yield name, base64.b64decode(binary.text or "")
            except (binascii.Error, ValueError):
                continue  # a picture, as a rule


def _parts_of_2003(root: Element) -> Iterator[tuple[str, bytes]]:
    """The vocabulary is nearly that of later versions: what is wrapped or deleted is renamed to what they call it."""
    body, styles, title = root.find("body"), root.find("styles"), root.find("DocumentProperties/Title")
    if body is None:
        raise damaged("it holds no text")
    for element in [*body.iter(*_WRAPPERS)]:
        element.tag = "del" if element.get("type") in _DROPPED else "smartTag"
    yield "word/document.xml", b"<document>" + serialized(body) + b"</document>"
    links = [("officeDocument", "word/document.xml")]
    if styles is not None:
        yield "word/styles.xml", serialized(styles)
        yield "word/_rels/document.xml.rels", _relationships([("styles", "styles.xml")])
    if title is not None:
        title.tag = "title"
        yield "docProps/core.xml", b"<coreProperties>" + serialized(title) + b"</coreProperties>"
        links.append(("core-properties", "docProps/core.xml"))
    yield "_rels/.rels", _relationships(links)


def _relationships(targets: Sequence[tuple[str, str]]) -> bytes:
    lines = (f'<Relationship Id="rId{at}" Type="/{kind}" Target="{to}"/>' for at, (kind, to) in enumerate(targets))
    return f"<Relationships>{''.join(lines)}</Relationships>".encode()
