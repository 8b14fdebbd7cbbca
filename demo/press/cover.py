"""The cover of a bound document: the company's colours and a three-wheeler drawn in lines."""

from __future__ import annotations

from typing import Final

import pymupdf

from demo.press.source import Source

INK: Final = (0.043, 0.310, 0.290)
SUN: Final = (0.851, 0.451, 0.122)
PALE: Final = (0.80, 0.88, 0.86)
WHITE: Final = (1.0, 1.0, 1.0)
MARGIN: Final = 56.0
BAND_TOP: Final = 470.0
TITLE_TOP: Final = 130.0
TITLE_SIZE: Final = 34.0
TITLE_LEADING: Final = 40.0


def draw_cover(page: pymupdf.Page, source: Source, *, company: str) -> None:
    """Fills an empty page with the cover."""
    width, height = page.rect.width, page.rect.height
    page.draw_rect(page.rect, color=None, fill=INK)
    page.draw_rect(pymupdf.Rect(0, BAND_TOP, width, BAND_TOP + 190), color=None, fill=SUN)
    _draw_cargo_bike(page, pymupdf.Point(width - 330, BAND_TOP + 178))
    _write(page, (MARGIN, 72), company, size=12, bold=True)
    baseline = TITLE_TOP
    for line in _title_lines(source.title, width - 2 * MARGIN):
        baseline += TITLE_LEADING
        _write(page, (MARGIN, baseline), line, size=TITLE_SIZE, bold=True)
    _write(page, (MARGIN, baseline + 30), source.subtitle, size=13, colour=PALE)
    _write(page, (MARGIN, height - 84), f"Document {source.number}", size=10, bold=True)
    _write(page, (MARGIN, height - 68), f"Issued {source.date} by {source.issuer}", size=10, colour=PALE)


def _title_lines(title: str, width: float) -> list[str]:
    lines = [""]
    for word in title.split():
        longer = f"{lines[-1]} {word}".strip()
        if pymupdf.get_text_length(longer, fontname="hebo", fontsize=TITLE_SIZE) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _write(
    page: pymupdf.Page,
    at: tuple[float, float],
    text: str,
    *,
    size: float,
    bold: bool = False,
    colour: tuple[float, float, float] = WHITE,
) -> None:
    page.insert_text(at, text, fontsize=size, fontname="hebo" if bold else "helv", color=colour)


def _draw_cargo_bike(page: pymupdf.Page, ground: pymupdf.Point) -> None:
    """A three-wheeler from the side; `ground` is where its rear wheel would touch the road."""
    x, y = ground
    shape = page.new_shape()
    for centre, radius in (((x, y - 34), 34), ((x + 190, y - 28), 28)):
        shape.draw_circle(pymupdf.Point(centre), radius)
        shape.draw_circle(pymupdf.Point(centre), 4)
    strokes = (
        ((x, y - 34), (x + 62, y - 40), (x + 36, y - 96), (x, y - 34)),  # rear triangle
        ((x + 62, y - 40), (x + 118, y - 92), (x + 44, y - 84)),  # main tubes
        ((x + 118, y - 92), (x + 132, y - 44), (x + 190, y - 28)),  # steering and axle
        ((x + 118, y - 92), (x + 112, y - 122), (x + 98, y - 126)),  # handlebar
        ((x + 24, y - 102), (x + 50, y - 102)),  # saddle
        ((x + 136, y - 132), (x + 250, y - 132), (x + 238, y - 48), (x + 140, y - 48), (x + 136, y - 132)),  # box
    )
    for stroke in strokes:
        shape.draw_polyline([pymupdf.Point(point) for point in stroke])
    shape.finish(color=WHITE, width=4.5, lineCap=1, lineJoin=1, closePath=False)
    shape.commit()
