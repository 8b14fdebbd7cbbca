"""Blocks as the HTML that the PDF typesetter reads, and its style sheet."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from demo.press.blocks import Block, Callout, Heading, Listing, Paragraph, Table, runs

STYLE: Final = """
body { font-family: sans-serif; font-size: 11pt; line-height: 1.46; color: #1f2a2c; margin: 0; }
h1 { font-size: 22pt; line-height: 1.15; color: #0b4f4a; margin: 0 0 12pt 0; }
h2 { font-size: 14pt; line-height: 1.2; color: #0b4f4a; margin: 15pt 0 5pt 0; }
h3 { font-size: 11.5pt; line-height: 1.2; color: #c4621a; margin: 10pt 0 3pt 0; }
p { margin: 0 0 7pt 0; }
ul, ol { margin: 0 0 7pt 0; padding-left: 20pt; }
li { margin: 0 0 3.5pt 0; }
table { width: 100%; border-collapse: collapse; margin: 6pt 0 10pt 0; font-size: 10pt; line-height: 1.3; }
th { background-color: #0b4f4a; color: #ffffff; text-align: left; padding: 4pt 6pt; }
td { border-bottom: 0.5pt solid #b9c6c4; text-align: left; padding: 4pt 6pt; }
.whole { white-space: nowrap; }
.callout { background-color: #fdf1e3; border-left: 3pt solid #d9731f; padding: 6pt 9pt; margin: 7pt 0 11pt 0; }
"""


def to_html(blocks: Sequence[Block]) -> str:
    """The blocks as the body of a page."""
    return "\n".join(map(_element, blocks))


def _element(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"<h{level}>{_inline(text)}</h{level}>"
        case Paragraph(text):
            return f"<p>{_inline(text)}</p>"
        case Callout(text):
            return f'<div class="callout">{_inline(text)}</div>'
        case Listing(numbered, items):
            tag = "ol" if numbered else "ul"
            return f"<{tag}>{''.join(f'<li>{_inline(item)}</li>' for item in items)}</{tag}>"
        case Table(header, rows):
            return f"<table>{_row('th', header)}{''.join(_row('td', row) for row in rows)}</table>"


def _row(tag: str, cells: Sequence[str]) -> str:
    return f"<tr>{''.join(_cell(tag, cell) for cell in cells)}</tr>"


def _cell(tag: str, text: str) -> str:
    # A part number or a code is never broken at its hyphens.
    kind = "" if " " in text else ' class="whole"'
    return f"<{tag}{kind}>{_inline(text)}</{tag}>"


def _inline(text: str) -> str:
    return "".join(f"<b>{escape(run.text)}</b>" if run.weight == "bold" else escape(run.text) for run in runs(text))
