"""Texts as Excel workbooks: every page of the source is a sheet, named by its heading."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from openpyxl import Workbook
from openpyxl.styles import Font, PatternFill
from openpyxl.writer.excel import ExcelWriter

from demo.press.blocks import Block, Heading, Table
from demo.press.packing import without_clock
from demo.press.source import Source

HEADER: Final = PatternFill("solid", fgColor="0B4F4A")
WIDTH: Final = 22.0
"""Of a column, in characters."""


def to_xlsx(source: Source, *, company: str) -> bytes:
    """The document as a file. Raises ValueError where a page is not a heading and a table under it."""
    workbook = Workbook()
    workbook.remove(workbook.worksheets[0])
    facts, moment = workbook.properties, datetime.fromisoformat(source.date)
    facts.title, facts.creator, facts.lastModifiedBy = source.title, f"{company}, {source.issuer}", source.issuer
    facts.created = facts.modified = moment
    for page in source.pages:
        _add_sheet(workbook, page, source)
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        # Workbook.save() would put today's date in place of `modified`.
        ExcelWriter(workbook, archive).save()
    return without_clock(written.getvalue())


def _add_sheet(workbook: Workbook, page: Sequence[Block], source: Source) -> None:
    match page:
        case [Heading(text=name), Table(header, rows)]:
            sheet = workbook.create_sheet(name)
        case _:
            raise ValueError(f"A sheet of {source.title!r} is not a heading and a table under it: {page}")
    sheet.append(list(header))
    for row in rows:
        sheet.append([int(cell) if cell.isdecimal() else cell for cell in row])
    for number, column in enumerate(sheet.iter_cols(max_row=1), start=1):
        sheet.column_dimensions[column[0].column_letter].width = WIDTH
        title = sheet.cell(1, number)
        title.font, title.fill = Font(bold=True, color="FFFFFF"), HEADER
