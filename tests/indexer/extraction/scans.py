"""Sheets of paper on a scanner, for tests."""

from __future__ import annotations

from collections.abc import Sequence

import pymupdf
from PIL import Image

SIZE = (420, 300)
"""Points: small sheets are read fast."""
LINES = ("Employees may carry over up to five", "days of unused leave into the next", "calendar year.")
TEXT = "Employees may carry over up to five days of unused leave into the next calendar year."


def printed(lines: Sequence[str] = LINES, *, x: float = 40, y: float = 60, size: float = 16) -> pymupdf.Document:
    """One page with the lines as real text."""
    document = pymupdf.open()
    write(document.new_page(width=SIZE[0], height=SIZE[1]), lines, x=x, y=y, size=size)
    return document


def write(page: pymupdf.Page, lines: Sequence[str], *, x: float = 40, y: float = 60, size: float = 16) -> None:
    for row, line in enumerate(lines):
        page.insert_text((x, y + 1.4 * size * row), line, fontsize=size)


def picture(document: pymupdf.Document, *, turn: float = 0, dpi: int = 150) -> Image.Image:
    """The first page as the scanner sees it when it lies turned clockwise by so many degrees."""
    with document:
        pixels = document[0].get_pixmap(dpi=dpi)
        image = Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)
    return image.rotate(-turn, Image.Resampling.BICUBIC, expand=True, fillcolor="white")


def scanned(*images: Image.Image, dpi: int = 150) -> pymupdf.Document:
    """A PDF of these pictures, one a page."""
    document = pymupdf.open()
    for image in images:
        page = document.new_page(width=image.width * 72 / dpi, height=image.height * 72 / dpi)
        page.insert_image(
            page.rect, pixmap=pymupdf.Pixmap(pymupdf.csRGB, image.width, image.height, image.tobytes(), False)
        )
    return document


def photograph() -> Image.Image:
    """Something without letters."""
    return Image.radial_gradient("L").convert("RGB").resize((500, 400))
