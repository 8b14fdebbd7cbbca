"""The pictures of a page that has no other text: scans pasted into a document, slides saved as pictures."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from indexer.extraction.base import ExtractionContext
from indexer.extraction.container.embedded import EmbeddedFile, inner_text
from indexer.extraction.container.ooxml import Package, Relation
from indexer.extraction.ocr.outcomes import LATE, NO_LETTERS
from rag.errors import ExtractionError

_SUFFIXES: Final = frozenset({".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".webp"})
_MIN_BYTES: Final = 2000
"""A smaller picture is an icon."""
_MOST_A_PAGE: Final = 30


@dataclass(slots=True)
class Pictures:
    """Reads pictures by OCR, for as long as a file may be read by it."""

    context: ExtractionContext
    _is_late: bool = False

    def text(self, package: Package, relations: Iterable[Relation]) -> str:
        """What the pictures that a part points to say; nothing where OCR is switched off."""
        parts = dict.fromkeys(relation.part for relation in relations if relation.kind == "image")
        parts = [part for part in parts if posixpath.splitext(part)[1].lower() in _SUFFIXES]
        parts = [part for part in parts if package.size(part) >= _MIN_BYTES]
        if not self.context.ocr_languages:
            return ""
        if left_out := len(parts[_MOST_A_PAGE:]):
            package.warnings.append(
                f"Of the pictures of a page, only the first {_MOST_A_PAGE} were read by OCR, {left_out} were left out."
            )
        texts: list[str] = []
        for part in parts[:_MOST_A_PAGE]:
            if self.context.ocr_is_late:
                self._warn(package)
                break
            texts.append(self._text(package, part))
        return "\n\n".join(filter(None, texts))

    def _text(self, package: Package, part: str) -> str:
        name = posixpath.basename(part)
        warnings: list[str] = []
        try:
            text = inner_text(EmbeddedFile(name, package.read(part) or b""), self.context, warnings)
        except ExtractionError as error:
            package.warnings.append(f"The picture {name} was left out. {error.failure.message}")
            return ""
        # Most pictures have no letters, and nobody misses them.
        package.warnings.extend(f"The picture {name}: {warning}" for warning in warnings if NO_LETTERS not in warning)
        return text

    def _warn(self, package: Package) -> None:
        if not self._is_late:
            package.warnings.append(f"Some pictures were {LATE}")
        self._is_late = True
