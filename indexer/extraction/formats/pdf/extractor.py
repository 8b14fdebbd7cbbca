"""PDF, page by page."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Final

from indexer.extraction.base import Extraction, ExtractionContext

_BESIDE: Final = frozenset({"pymupdf.layout", "pymupdf4llm"})
"""A model of page layouts with its ONNX runtime, and a converter to Markdown."""


class PdfExtractor:
    """Real pages; one without a text layer comes out with an empty text."""

    def extract(self, path: Path, context: ExtractionContext) -> Extraction:
        """Pages are read as they are asked for. Raises ExtractionError ("encrypted", "damaged")."""
        _load_library()
        from indexer.extraction.formats.pdf.document import extraction_of  # noqa: PLC0415  # for the processes that read PDFs

        return extraction_of(path, context)


def _load_library() -> None:
    """PyMuPDF by itself: what it would load beside costs ten times as long, and nothing here asks for it.

    It goes without what is not installed, and an entry of None is how `import` is told so (The Python Language
    Reference, 5.3.1). The entries are gone afterwards: whoever wants these libraries has them.
    """
    if "pymupdf" in sys.modules:
        return
    absent = dict.fromkeys(_BESIDE - sys.modules.keys())
    sys.modules.update(absent)  # pyright: ignore[reportArgumentType, reportCallIssue]  # typed without that entry
    try:
        importlib.import_module("pymupdf")
    finally:
        for name in absent:
            del sys.modules[name]
