"""PDF pages for tests: written line by line, and read as the indexer reads them."""

from __future__ import annotations

from pathlib import Path

import pymupdf

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.formats.pdf.extractor import PdfExtractor
from rag.types.documents import Page

SENTENCE = "Employees may carry over up to five days of unused leave into the next calendar year."


def read(folder: Path, document: pymupdf.Document | bytes) -> tuple[Extraction, list[Page]]:
    """The document as the extractor gives it, without OCR."""
    path = folder / "report.pdf"
    path.write_bytes(document if isinstance(document, bytes) else document.tobytes())
    extraction = PdfExtractor().extract(path, ExtractionContext(ocr_languages=()))
    return extraction, list(extraction.pages)


def text_of(folder: Path, document: pymupdf.Document | bytes) -> str:
    """The text of its only page."""
    _, [page] = read(folder, document)
    return page.text


def write(page: pymupdf.Page, x: float, y: float, *lines: str, size: float = 11, font: str = "helv") -> float:
    """Writes lines under one another and gives the baseline of the next."""
    for line in lines:
        page.insert_text((x, y), line, fontsize=size, fontname=font)
        y += 1.25 * size
    return y


def raw(content: str, font: str, *more: str) -> bytes:
    """A page with that content stream and that font F1; further objects are numbered from 6."""
    stream = f"<</Length {len(content)}>>stream\n{content}\nendstream"
    page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 300]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>"
    objects = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>", page, stream, font, *more]
    body = "".join(f"{number} 0 obj{content}endobj\n" for number, content in enumerate(objects, 1))
    return f"%PDF-1.4\n{body}trailer<</Root 1 0 R/Size {len(objects) + 1}>>\n%%EOF".encode("latin-1")
