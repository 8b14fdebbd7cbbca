"""An inspected file, for people."""

from __future__ import annotations

from collections import Counter
from typing import Final

from rich.console import Console

from indexer.cli.views.console import Column, say, show_table
from indexer.operations.inspection import Inspected
from indexer.units import counted
from rag.types.documents import Page

PAGES_SHOWN: Final = 30
_COLUMNS: Final = (
    Column("page", number=True),
    Column("printed"),
    Column("characters", number=True),
    Column("chunks", number=True),
    Column("remarks"),
)


def show_inspected(console: Console, found: Inspected, *, with_text: bool) -> None:
    """What it is, its pages, and what is wrong with it."""
    say(console, f"{found.path}: {_summary(found)}", style="bold")
    if found.pages:
        chunks = Counter(piece.page.number for piece in found.pieces)
        rows = [
            (f"{page.number:,}", page.label, f"{len(page.text):,}", f"{chunks[page.number]:,}", _remark(page))
            for page in found.pages[:PAGES_SHOWN]
        ]
        show_table(console, "", _COLUMNS, rows)
        if len(found.pages) > PAGES_SHOWN:
            say(console, f"… and {counted(len(found.pages) - PAGES_SHOWN, 'page')} more: --json gives all.")
    for warning in found.warnings:
        say(console, f"warning: {warning}", style="yellow")
    if found.failure is not None:
        say(console, f"error ({found.failure.code}): {found.failure.message} {found.failure.remedy}", style="red")
    if with_text:
        for page in found.pages:
            say(console, f"— page {page.number} —", style="bold")
            for line in page.text.splitlines():
                say(console, line)
    say(console, "")


def _summary(found: Inspected) -> str:
    if not found.pages:
        return found.kind or "nothing to index"
    lengths = [piece.end - piece.start for piece in found.pieces]
    chunks = counted(len(lengths), "chunk")
    if lengths:
        least, most = min(lengths), max(lengths)
        chunks += f" of {counted(most, 'character')}" if least == most else f" of {least:,} to {most:,} characters"
    return f"{found.kind}, {counted(len(found.pages), 'page')}, {chunks}"


def _remark(page: Page) -> str:
    if not page.text.strip():
        return "no text"
    return "by OCR" if page.ocr else ""
