"""Texts as Word documents."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import datetime
from typing import Final, cast

from docx import Document
from docx.document import Document as WordDocument
from docx.shared import Cm, Pt, RGBColor
from docx.styles.style import ParagraphStyle
from docx.text.paragraph import Paragraph as WordParagraph

from demo.press.blocks import Block, Callout, Heading, Listing, Paragraph, Table, runs
from demo.press.packing import without_clock
from demo.press.source import Source

INK: Final = RGBColor(0x0B, 0x4F, 0x4A)
MUTED: Final = RGBColor(0x5D, 0x6B, 0x6B)
TYPEFACE: Final = "Calibri"


def to_docx(source: Source, *, company: str) -> bytes:
    """The document as a file; the same source gives the same bytes."""
    word = Document()
    _set_facts(word, source, company)
    _set_styles(word)
    word.add_heading(source.title, level=0)
    byline = " · ".join(part for part in (source.number, source.date, source.issuer) if part)
    word.add_paragraph().add_run(byline).font.color.rgb = MUTED
    for page in source.pages:
        _add_blocks(word, page)
    written = io.BytesIO()
    word.save(written)
    return without_clock(written.getvalue())


def _set_facts(word: WordDocument, source: Source, company: str) -> None:
    moment = datetime.fromisoformat(source.date)
    facts = word.core_properties
    facts.title, facts.author, facts.last_modified_by = source.title, f"{company}, {source.issuer}", source.issuer
    facts.created, facts.modified, facts.comments = moment, moment, ""
    section = word.sections[0]
    section.page_width, section.page_height = Cm(21), Cm(29.7)
    section.left_margin = section.right_margin = Cm(2.4)
    section.header.paragraphs[0].text = company
    section.footer.paragraphs[0].text = source.number


def _set_styles(word: WordDocument) -> None:
    normal = _style(word, "Normal")
    normal.font.name, normal.font.size = TYPEFACE, Pt(10.5)
    normal.paragraph_format.space_after = Pt(6)
    for name, size in (("Title", 22), ("Heading 1", 15), ("Heading 2", 12.5), ("Heading 3", 11)):
        font = _style(word, name).font
        font.name, font.size, font.color.rgb = TYPEFACE, Pt(size), INK


def _style(word: WordDocument, name: str) -> ParagraphStyle:
    # The library types every style by what all kinds of styles share.
    return cast("ParagraphStyle", word.styles[name])


def _add_blocks(word: WordDocument, blocks: Sequence[Block]) -> None:
    for block in blocks:
        match block:
            case Heading(level, text):
                word.add_heading(text, level=level)
            case Paragraph(text):
                _fill(word.add_paragraph(), text)
            case Callout(text):
                _fill(word.add_paragraph(style="Intense Quote"), text)
            case Listing(numbered, items):
                _add_listing(word, items, numbered=numbered)
            case Table(header, rows):
                _add_table(word, (header, *rows))


def _add_listing(word: WordDocument, items: Sequence[str], *, numbered: bool) -> None:
    for number, item in enumerate(items, start=1):
        if numbered:  # Word's own numbering would run on from one list to the next
            paragraph = word.add_paragraph(style="List")
            _fill(paragraph, f"{number}.\t{item}")
        else:
            _fill(word.add_paragraph(style="List Bullet"), item)


def _add_table(word: WordDocument, rows: Sequence[Sequence[str]]) -> None:
    table = word.add_table(rows=len(rows), cols=len(rows[0]), style="Light Grid Accent 3")
    for row, cells in zip(table.rows, rows, strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            _fill(cell.paragraphs[0], text)
    word.add_paragraph()


def _fill(paragraph: WordParagraph, text: str) -> None:
    for run in runs(text):
        paragraph.add_run(run.text).bold = True if run.weight == "bold" else None
