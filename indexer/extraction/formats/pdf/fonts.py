"""Faults of a PDF's fonts that cost their text, mended before a page is read; in memory, never in the file."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

import pymupdf

from indexer.extraction.formats.pdf.opening import LIBRARY_ERRORS
from indexer.extraction.formats.pdf.to_unicode import in_byte_order

_DESCRIPTOR: Final = (
    "<</Type/FontDescriptor/FontName/Unnamed/Flags 4/FontBBox[0 -200 1000 900]/ItalicAngle 0"
    "/Ascent 800/Descent -200/StemV 80>>"
)
_REFERENCE: Final = re.compile(r"\[?\s*(\d+)\s+0\s+R\s*\]?$")
_LATIN: Final = re.compile(r"/?(?:WinAnsi|MacRoman|Standard)Encoding")
_RANGE_TO_CONTROL: Final = re.compile(
    rb"(?P<first><(?P<code>[2-7][0-9a-f])>\s*(?:<(?P=code)>\s*)?)<00(?:0[0-9a-f]|1[0-9a-f])>", re.IGNORECASE
)
_LONGEST_MAP: Final = 1 << 20  # bytes


@dataclass(slots=True)
class FontMender:
    """Looks at each font of a document once."""

    document: pymupdf.Document
    seen: set[int] = field(default_factory=set[int])

    def page(self, number: int) -> pymupdf.Page:
        """The page, counted from 1, with its fonts in order. Raises what the library raises."""
        try:
            for xref, _, kind, *_ in self.document.get_page_fonts(number - 1):
                if xref not in self.seen:
                    self.seen.add(xref)
                    self._mend(xref, kind)
        except LIBRARY_ERRORS:  # the text is then as good as the library makes it
            pass
        return self.document[number - 1]

    def _mend(self, xref: int, kind: str) -> None:
        if kind == "Type0":
            self._describe(xref)
        self._correct_map(xref)

    def _describe(self, xref: int) -> None:
        """Gives a description to a font that is not embedded, without which it would be read as Latin."""
        _, descendants = self.document.xref_get_key(xref, "DescendantFonts")
        if found := _REFERENCE.match(descendants):
            inner = int(found[1])
            if self.document.xref_get_key(inner, "Type")[0] == "null":  # an array of its own
                return
            if self.document.xref_get_key(inner, "FontDescriptor")[0] == "null":
                self.document.xref_set_key(inner, "FontDescriptor", _DESCRIPTOR)
        elif "/FontDescriptor" not in descendants and descendants.rstrip().endswith(">>]"):
            described = f"{descendants.rstrip()[:-3]}/FontDescriptor{_DESCRIPTOR}>>]"
            self.document.xref_set_key(xref, "DescendantFonts", described)

    def _correct_map(self, xref: int) -> None:
        """Letters that a map makes other characters of are letters again.

        Control characters, against the font's own encoding, or Chinese ones, by writing the bytes in the wrong order.
        """
        kind, target = self.document.xref_get_key(xref, "ToUnicode")
        if kind != "xref":
            return
        table = int(target.split()[0])
        written = self.document.xref_stream(table)
        if written and len(written) < _LONGEST_MAP:
            mended = in_byte_order(written)
            if self._is_latin(xref):
                mended = _RANGE_TO_CONTROL.sub(rb"\g<first><00\g<code>>", mended)
            if mended != written:
                self.document.update_stream(table, mended)

    def _is_latin(self, xref: int) -> bool:
        if _LATIN.match(self.document.xref_get_key(xref, "Encoding")[1]):
            return True
        return _LATIN.match(self.document.xref_get_key(xref, "Encoding/BaseEncoding")[1]) is not None
