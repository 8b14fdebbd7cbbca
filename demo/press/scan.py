"""Texts as a scanner leaves them: pictures of printed pages, laid on the glass not quite straight."""

from __future__ import annotations

from typing import Final

import pymupdf

from demo.press.pdf import to_pdf
from demo.press.source import Source

DOTS_PER_INCH: Final = 200
TILT: Final = 0.4  # degrees
JPEG_QUALITY: Final = 60


def to_scan(source: Source, *, company: str) -> bytes:
    """The document as a PDF file without a text layer. Raises ValueError where a page holds more than its paper."""
    scan = pymupdf.open()
    with pymupdf.open("pdf", to_pdf(source, company=company)) as printed:
        for page in printed.pages():
            scale = DOTS_PER_INCH / 72
            view = pymupdf.Matrix(scale, scale).prerotate(TILT)
            picture = page.get_pixmap(matrix=view, colorspace=pymupdf.csGRAY)
            sheet = scan.new_page(width=page.rect.width, height=page.rect.height)
            sheet.insert_image(sheet.rect, stream=picture.tobytes("jpeg", jpg_quality=JPEG_QUALITY))
    return scan.tobytes(garbage=3, deflate=True, no_new_id=True)
