"""Electronic books: their chapters in reading order."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.characters.normalization import cleaned
from indexer.extraction.container.ooxml import Package, damaged
from indexer.extraction.container.xml_tree import Element
from indexer.extraction.formats.markup.html import as_markdown, parsed
from indexer.extraction.formats.markup.markdown import first_heading
from indexer.extraction.markdown.title import shown_title
from rag.errors import ExtractionError
from rag.types.documents import Page

_TEXTS: Final = frozenset({"application/xhtml+xml", "text/html", "application/x-dtbook+xml"})
_FONT_OBFUSCATION: Final = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
"""Fonts are garbled so that nobody takes them out of a book that is otherwise open (EPUB 3.3, 4.4)."""
_MAX_CHAPTERS: Final = 5_000
_MAX_CHARS: Final = 20_000_000
"""The longest novels have five million."""


class EpubExtractor:
    """Gives one page a chapter file, labelled with its heading. They are no pages that a link could open."""

    def extract(self, path: Path, context: ExtractionContext) -> Extraction:  # noqa: ARG002  # needs none
        """The chapters, with the book's title. Raises ExtractionError ("encrypted", "damaged", "too_large")."""
        with Package.open(path) as package:
            _refuse_encrypted(package)
            book = _book(package)
        warnings: list[str] = []
        return Extraction(book.title, paged=False, pages=_pages(path, book, warnings), warnings=warnings)


@dataclass(frozen=True, slots=True)
class _Book:
    title: str
    chapters: Sequence[str]
    """The parts that hold them."""


def _pages(path: Path, book: _Book, warnings: list[str]) -> Iterator[Page]:
    chars = 0
    with Package.open(path) as package:
        for number, part in enumerate(book.chapters[:_MAX_CHAPTERS], start=1):
            try:
                raw = package.read(part)
            except ExtractionError as error:
                if error.failure.code != "damaged":
                    raise
                warnings.append(f"The chapter {posixpath.basename(part)} is damaged and was left out.")
                continue
            if raw is None:
                warnings.append(f"The chapter {posixpath.basename(part)} is missing.")
                continue
            text = as_markdown(parsed(raw), of_site=False)
            chars += len(text)
            if chars > _MAX_CHARS:
                warnings.append(f"The book is too long: {len(book.chapters) - number + 1} chapters were left out.")
                return
            yield Page(number=number, text=text, label=first_heading(text))
    if left_out := len(book.chapters[_MAX_CHAPTERS:]):
        warnings.append(f"Only the first {_MAX_CHAPTERS:,} chapters were read, {left_out:,} were left out.")


def _book(package: Package) -> _Book:
    main = _package_document(package)
    root = package.xml(main)
    if root is None:
        raise damaged("its list of chapters is missing")
    folder = posixpath.dirname(main)
    parts: dict[str, str] = {}
    for item in root.iter("item"):
        is_text = (item.get("media-type") or "") in _TEXTS and "nav" not in (item.get("properties") or "").split()
        if is_text and item.get("href"):
            parts[item.get("id") or ""] = posixpath.normpath(posixpath.join(folder, unquote(item.get("href") or "")))
    spine = [parts[name] for item in root.iter("itemref") if (name := item.get("idref") or "") in parts]
    return _Book(_title(root), spine or list(parts.values()))


def _package_document(package: Package) -> str:
    container = package.optional_xml("META-INF/container.xml")
    named = (found.get("full-path") or "" for found in container.iter("rootfile")) if container is not None else ()
    books = (name for name in package.archive.namelist() if name.lower().endswith(".opf"))
    part = next(filter(None, (*named, *books)), "")
    if not part:
        raise damaged("it names no chapters")
    return part


def _title(root: Element) -> str:
    titles = [cleaned(found.text) for found in root.iter("title") if found.text and found.text.strip()]
    return shown_title(titles[0]) if titles else ""


def _refuse_encrypted(package: Package) -> None:
    """Books with rights management have their chapters encrypted, not only their fonts."""
    encryption = package.optional_xml("META-INF/encryption.xml")
    if encryption is None:
        return
    methods = [method.get("Algorithm") or "" for method in encryption.iter("EncryptionMethod")]
    if any(method not in _FONT_OBFUSCATION for method in methods):
        raise ExtractionError(
            "encrypted",
            "The book is protected by digital rights management.",
            "Index a copy without it, or leave it out.",
        )
