"""How fast one process reads scans, and how many of their words it gets right.

Pages of PDF files that have a text layer are printed as pictures, as a scanner would give them, and read by OCR; their
text layer says what is right. Without a folder, the documents of the demo are the files.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import pymupdf

from demo.build import build_drive
from indexer.extraction.base import ExtractionContext
from indexer.extraction.container.source import sha256_of
from indexer.extraction.formats.pdf.extractor import PdfExtractor
from indexer.extraction.formats.pdf.opening import LIBRARY_ERRORS

FEWEST_WORDS: Final = 20
"""A page with fewer is a picture."""
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Scanned:
    """What came of one file's pages."""

    file: str
    pages: int
    words: int
    found: int
    seconds: float


def measure(folder: Path, *, dpi: int, pages: int, languages: Sequence[str]) -> list[Scanned]:
    """File by file, each file once, those without pages of text left out; with `pages` from each at most."""
    context = ExtractionContext(ocr_languages=tuple(languages))
    rows: list[Scanned] = []
    seen: set[str] = set()
    with tempfile.TemporaryDirectory() as name:
        scan = Path(name) / "scan.pdf"
        for path in sorted(folder.rglob("*.pdf")):
            if (digest := sha256_of(path)) in seen:
                continue
            seen.add(digest)
            if right := _print(path, scan, dpi=dpi, pages=pages):
                rows.append(_read(path.relative_to(folder), scan, right, context))
    return rows


def _print(path: Path, scan: Path, *, dpi: int, pages: int) -> list[Counter[str]]:
    """Makes the scan, and gives the words of each of its pages; of a file that cannot be read, none."""
    right: list[Counter[str]] = []
    try:
        with pymupdf.open(path) as source, pymupdf.open() as target:
            for page in source:
                words = _words(str(page.get_text()))
                if len(right) < pages and words.total() >= FEWEST_WORDS:
                    pixels = page.get_pixmap(dpi=dpi, colorspace=pymupdf.csGRAY)
                    target.new_page(width=page.rect.width, height=page.rect.height).insert_image(
                        (0, 0, page.rect.width, page.rect.height), pixmap=pixels
                    )
                    right.append(words)
            if right:
                target.save(scan)
    except LIBRARY_ERRORS:
        return []
    return right


def _read(file: Path, scan: Path, right: Sequence[Counter[str]], context: ExtractionContext) -> Scanned:
    began = time.perf_counter()
    texts = [page.text for page in PdfExtractor().extract(scan, context).pages]
    seconds = time.perf_counter() - began
    found = sum((words & _words(text)).total() for words, text in zip(right, texts, strict=True))
    return Scanned(str(file), len(right), sum(words.total() for words in right), found, seconds)


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text.casefold()))


def total(rows: Sequence[Scanned]) -> dict[str, float]:
    """The figures over all files."""
    pages, seconds = sum(row.pages for row in rows), sum(row.seconds for row in rows)
    words = sum(row.words for row in rows)
    return {
        "files": len(rows),
        "pages": pages,
        "words": words,
        "word_recall": round(sum(row.found for row in rows) / max(words, 1), 4),
        "pages_per_second": round(pages / max(seconds, 1e-9), 2),
    }


def _show(rows: Sequence[Scanned]) -> None:
    print(f"{'file':<60}  {'pages':>5}  {'words':>6}  {'recall':>6}  {'s/page':>6}")
    for row in rows:
        print(
            f"{row.file[-60:]:<60}  {row.pages:>5}  {row.words:>6}  {row.found / row.words:>6.3f}  "
            f"{row.seconds / row.pages:>6.2f}"
        )
    print(", ".join(f"{name}: {figure}" for name, figure in total(rows).items()))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="PDF files with a text layer; the demo's without it")
    parser.add_argument("--dpi", type=int, default=200, help="how finely they are scanned")
    parser.add_argument("--pages", type=int, default=2, help="of each file, at most")
    parser.add_argument("--languages", nargs="+", default=["eng"], help="by their names in Tesseract")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = asked.folder
        if folder is None:
            folder = Path(name)
            build_drive(folder)
        rows = measure(folder, dpi=asked.dpi, pages=asked.pages, languages=asked.languages)
    if asked.json:
        print(json.dumps({**total(rows), "rows": [asdict(row) for row in rows]}, indent=2))
    else:
        _show(rows)


if __name__ == "__main__":
    main()
