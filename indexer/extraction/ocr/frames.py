"""The frames of a picture file as OCR wants them: upright, grey, of a size that can be read."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Final

from PIL import Image, ImageOps, UnidentifiedImageError

from indexer.extraction.ocr.tesseract import DPI, MAX_PIXELS, Picture
from rag.errors import ExtractionError

LIBRARY_ERRORS: Final = (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError, IndexError, TypeError)
"""What Pillow raises on damaged files."""
MOST_PIXELS: Final = 100_000_000
"""An A0 plan at 200 dpi has 62 million. In memory each takes four bytes."""
_SCREEN_DPI: Final = 96
_SCANNED_DPI: Final = 150
"""From here on a picture's own word on its resolution is a scanner's; cameras and programs write 72 or 96."""
_SMALL_PIXELS: Final = 3_000_000
"""A screenshot, whose letters are too small for OCR: enlarged to double its size it is read without a mistake."""
_WHITE: Final = 255
_FRAMES_ARE_PAGES: Final = frozenset({"TIFF"})
"""The frames of other formats are a film, or the same picture in small."""


def opened(path: Path) -> Image.Image:
    """The file, its pixels not yet read. Raises ExtractionError ("damaged", "too_large")."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about damaged tags, and sizes, which are looked at below
            image = Image.open(path)
    except Image.DecompressionBombError as error:
        raise _too_large() from error
    except LIBRARY_ERRORS as error:
        raise damaged() from error
    if image.width * image.height > MOST_PIXELS:
        image.close()
        raise _too_large()
    return image


def pages_in(image: Image.Image) -> int:
    """How many of its frames are pages. Raises ExtractionError ("damaged")."""
    try:
        return int(getattr(image, "n_frames", 1)) if image.format in _FRAMES_ARE_PAGES else 1
    except LIBRARY_ERRORS as error:
        raise damaged() from error


def frame(image: Image.Image, number: int) -> Image.Image:
    """One frame upright, in grey, on white where it lets the ground through, and of a size that can be read."""
    if number > 1:
        image.seek(number - 1)
        if image.width * image.height > MOST_PIXELS:
            raise _too_large()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about damaged tags
        dpi = _resolution(image)
        upright = ImageOps.exif_transpose(image)
        grey = _grey(upright)
    pixels = grey.width * grey.height
    scale = 2.0 if dpi < _SCANNED_DPI and pixels <= _SMALL_PIXELS else 1.0
    scale = min(scale, (MAX_PIXELS / max(pixels, 1)) ** 0.5)
    size = (max(1, round(grey.width * scale)), max(1, round(grey.height * scale)))
    sized = grey if scale == 1 else grey.resize(size, Image.Resampling.LANCZOS)
    sized.info["dpi"] = (dpi * scale, dpi * scale)
    return sized


def _grey(image: Image.Image) -> Image.Image:
    if image.mode.startswith(("I", "F")):  # sixteen bits or more, which Pillow would clip
        return ImageOps.autocontrast(image.convert("F").point(lambda value: value / 256).convert("L"))
    if image.has_transparency_data:
        coloured = image.convert("RGBA")
        ground = Image.new("RGBA", coloured.size, "white")
        return Image.alpha_composite(ground, coloured).convert("L")
    return image.convert("L")


def _resolution(image: Image.Image) -> float:
    try:
        dpi = float(image.info.get("dpi", (0, 0))[0])
    except (TypeError, ValueError, IndexError, ZeroDivisionError):
        dpi = 0.0
    return dpi if _SCANNED_DPI <= dpi <= 6 * DPI else _SCREEN_DPI


def drawn(grey: Image.Image, turn: float) -> Picture:
    """A frame, turned clockwise by so many degrees."""
    turned = grey.rotate(-turn, Image.Resampling.BICUBIC, expand=True, fillcolor=_WHITE) if turn else grey
    return Picture(turned.tobytes(), turned.width, turned.height, turned.width, grey.info["dpi"][0])


def damaged() -> ExtractionError:
    """What to raise for a file that cannot be read."""
    return ExtractionError("damaged", "The picture is damaged or cut off.", "Copy it again, or save it anew.")


def _too_large() -> ExtractionError:
    return ExtractionError(
        "too_large",
        f"The picture has more than {MOST_PIXELS // 1_000_000} million pixels.",
        "Scan it at 300 dpi or less, or cut it into parts.",
    )
