"""The pictures of a page that has no other text: scans pasted into a document, slides saved as pictures."""

from __future__ import annotations

import posixpath
import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from indexer.extraction.base import Aids
from indexer.extraction.office.embedded import EmbeddedFile, inner_text
from indexer.extraction.office.ooxml import Package, Relation
from rag.errors import ExtractionError

_SUFFIXES: Final = frozenset({".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".webp"})
_MIN_BYTES: Final = 2000
"""A smaller picture is an icon."""
_MOST_A_PAGE: Final = 30


@dataclass(slots=True)
class Pictures:
    """Reads pictures by OCR, for as long as a file may be read by it."""

    aids: Aids
    _deadline: float = field(init=False)
    _is_late: bool = False

    def __post_init__(self) -> None:
        """The time begins with the file."""
        self._deadline = time.monotonic() + self.aids.ocr_seconds

    def text(self, package: Package, relations: Iterable[Relation]) -> str:
        """What the pictures that a part points to say; nothing where OCR is switched off."""
        parts = dict.fromkeys(relation.part for relation in relations if relation.kind == "image")
        parts = [part for part in parts if posixpath.splitext(part)[1].lower() in _SUFFIXES]
        texts: list[str] = []
        for part in parts[:_MOST_A_PAGE] if self.aids.ocr_languages else ():
            left = self._deadline - time.monotonic()
            if left <= 0:
                self._warn(package)
                break
            name = posixpath.basename(part)
            try:
                raw = package.read(part) or b""
                if len(raw) >= _MIN_BYTES:
                    texts.append(inner_text(EmbeddedFile(name, raw), replace(self.aids, ocr_seconds=left)))
            except ExtractionError as error:
                package.warnings.append(f"The picture {name} was left out. {error.failure.message}")
        return "\n\n".join(filter(None, texts))

    def _warn(self, package: Package) -> None:
        if not self._is_late:
            package.warnings.append(
                "Some pictures were not read by OCR, which has used its time: raise FOOTNOTE_FILE_SECONDS."
            )
        self._is_late = True
