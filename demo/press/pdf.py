"""Texts as PDF: every page of the source is one page of paper, with running lines, labels, outline and links."""

from __future__ import annotations

import io
from typing import Final

import pymupdf

from demo.press.cover import INK, MARGIN, SUN, draw_cover
from demo.press.markup import STYLE, to_html
from demo.press.sheets import Entry, Imposition, Sheet, impose
from demo.press.source import Source

PAPER: Final = pymupdf.paper_rect("a4")
TEXT_AREA: Final = pymupdf.Rect(MARGIN, 78, PAPER.width - MARGIN, PAPER.height - 62)
HEADER_BASELINE: Final = 46.0
FOOTER_BASELINE: Final = PAPER.height - 34
RUNNING_SIZE: Final = 7.8
GREY: Final = (0.36, 0.42, 0.42)
CONTENTS_TOP: Final = 118.0
CONTENTS_LEADING: Final = 15.2


def to_pdf(source: Source, *, company: str) -> bytes:
    """The document as a file. Raises ValueError where a page holds more than its paper."""
    imposition = impose(source)
    document = pymupdf.open("pdf", _typeset(imposition, source.title))
    for page, sheet in zip(document.pages(), imposition.sheets, strict=True):
        if sheet.role == "cover":
            draw_cover(page, source, company=company)
            continue
        if sheet.role == "contents":
            _draw_contents(page, sheet)
        _draw_running_lines(page, sheet, source, company=company)
    _number(document, imposition)
    _set_facts(document, source, company)
    document.subset_fonts()
    # A fresh file identifier would make every build differ.
    return document.tobytes(garbage=3, deflate=True, no_new_id=True)


def _typeset(imposition: Imposition, title: str) -> bytes:
    """The text of all sheets; cover and contents are left blank, to be drawn."""
    written = io.BytesIO()
    writer = pymupdf.DocumentWriter(written)
    for sheet in imposition.sheets:
        device = writer.begin_page(PAPER)
        story = pymupdf.Story(to_html(sheet.blocks), user_css=STYLE)
        overflows, _filled = story.place(TEXT_AREA)
        if overflows:
            raise ValueError(f"Page {sheet.label} of {title!r} holds more text than its paper: break it in two")
        story.draw(device)
        writer.end_page()
    writer.close()
    return written.getvalue()


def _draw_running_lines(page: pymupdf.Page, sheet: Sheet, source: Source, *, company: str) -> None:
    left, right = MARGIN, PAPER.width - MARGIN
    page.insert_text((left, HEADER_BASELINE), company, fontsize=RUNNING_SIZE, fontname="hebo", color=INK)
    _write_right(page, right, HEADER_BASELINE, source.title)
    page.draw_line((left, HEADER_BASELINE + 8), (right, HEADER_BASELINE + 8), color=SUN, width=0.8)
    imprint = f"{source.number}, {source.date}"
    page.insert_text((left, FOOTER_BASELINE), imprint, fontsize=RUNNING_SIZE, fontname="helv", color=GREY)
    _write_right(page, right, FOOTER_BASELINE, sheet.label, bold=True)


def _write_right(page: pymupdf.Page, right: float, baseline: float, text: str, *, bold: bool = False) -> None:
    font, size = ("hebo", RUNNING_SIZE + 1.5) if bold else ("helv", RUNNING_SIZE)
    width = pymupdf.get_text_length(text, fontname=font, fontsize=size)
    page.insert_text((right - width, baseline), text, fontsize=size, fontname=font, color=INK if bold else GREY)


def _draw_contents(page: pymupdf.Page, sheet: Sheet) -> None:
    page.insert_text((MARGIN, TEXT_AREA.y0 + 18), "Contents", fontsize=20, fontname="hebo", color=INK)
    for line, entry in enumerate(sheet.entries):
        _draw_entry(page, entry, CONTENTS_TOP + (line + 1) * CONTENTS_LEADING)


def _draw_entry(page: pymupdf.Page, entry: Entry, baseline: float) -> None:
    chapter = entry.level == 1
    font, size, indent = ("hebo", 10.2, 0) if chapter else ("helv", 9.4, 14)
    left, right = MARGIN + indent, PAPER.width - MARGIN
    page.insert_text((left, baseline), entry.title, fontsize=size, fontname=font, color=INK if chapter else GREY)
    width = pymupdf.get_text_length(entry.label, fontname=font, fontsize=size)
    page.insert_text((right - width, baseline), entry.label, fontsize=size, fontname=font, color=INK)
    leader_start = left + pymupdf.get_text_length(entry.title, fontname=font, fontsize=size) + 6
    page.draw_line(
        (leader_start, baseline - 1), (right - width - 6, baseline - 1), color=GREY, width=0.4, dashes="[1 3]"
    )
    area = pymupdf.Rect(left, baseline - CONTENTS_LEADING + 4, right, baseline + 4)
    page.insert_link({"kind": pymupdf.LINK_GOTO, "from": area, "page": entry.sheet, "to": pymupdf.Point(0, 0)})


def _number(document: pymupdf.Document, imposition: Imposition) -> None:
    """Page labels as printed, and the outline."""
    if roman := imposition.roman_sheets:
        document.set_page_labels(
            [
                {"startpage": 0, "style": "r", "firstpagenum": 1},
                {"startpage": roman, "style": "D", "firstpagenum": 1},
            ]
        )
    document.set_toc([[entry.level, entry.title, entry.sheet + 1] for entry in imposition.outline])


def _set_facts(document: pymupdf.Document, source: Source, company: str) -> None:
    moment = f"D:{source.date.replace('-', '')}090000Z"
    document.set_metadata(
        {
            "title": source.title,
            "author": f"{company}, {source.issuer}",
            "subject": source.subtitle,
            "creationDate": moment,
            "modDate": moment,
        }
    )
