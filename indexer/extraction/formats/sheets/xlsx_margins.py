"""What Excel prints above and below a sheet: a form's number or a document's status may stand nowhere else."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from indexer.extraction.formats.sheets.grid import shown

MARGINS: Final = ("oddHeader", "evenHeader", "firstHeader", "oddFooter", "evenFooter", "firstFooter")
"""The elements that hold them."""
_SECTION: Final = re.compile(r"&[LCR]")
_CODE: Final = re.compile(r'&(?:"[^"]*"|\d+|K(?:[0-9A-Fa-f]{6}|\d\d[+-]\d{3})|[A-Za-z])')
"""Fonts, sizes, colours, and what differs from page to page (ECMA-376, part 1, 18.3.1.39)."""
_AMPERSAND: Final = "\0"
_OF_PAGES: Final = frozenset({"page", "of", "page of", "seite", "seite von"})
"""What stays of "Page 3 of 7" without its numbers."""


def margin_lines(codes: Iterable[str]) -> list[str]:
    """The words of headers and footers, each once; numbers of pages, dates and names of files are left out."""
    lines = (
        shown(_CODE.sub("", part).replace(_AMPERSAND, "&"))
        for code in codes
        for part in _SECTION.split(code.replace("&&", _AMPERSAND))
    )
    kept = [line for line in dict.fromkeys(lines) if any(map(str.isalpha, line))]
    return [line for line in kept if line.casefold() not in _OF_PAGES]
