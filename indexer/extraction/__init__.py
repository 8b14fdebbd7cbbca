"""The file formats, and all that the rest of the house knows of each. To add one: write its module, add its line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from indexer.extraction.base import Format
from indexer.extraction.formats.converted.extractor import ConvertedExtractor
from indexer.extraction.formats.docx.extractor import DocxExtractor
from indexer.extraction.formats.docx.wordxml import WordXmlExtractor
from indexer.extraction.formats.empty import EmptyExtractor
from indexer.extraction.formats.image import ImageExtractor
from indexer.extraction.formats.legacy.extractor import LegacyExtractor
from indexer.extraction.formats.mail.eml import EmlExtractor, MboxExtractor
from indexer.extraction.formats.mail.msg import MsgExtractor
from indexer.extraction.formats.markup.epub import EpubExtractor
from indexer.extraction.formats.markup.html import HtmlExtractor
from indexer.extraction.formats.markup.markdown import MarkdownExtractor
from indexer.extraction.formats.markup.rst import RstExtractor
from indexer.extraction.formats.odf.flat import FlatOdfExtractor
from indexer.extraction.formats.odf.odp import OdpExtractor
from indexer.extraction.formats.odf.ods import OdsExtractor
from indexer.extraction.formats.odf.odt import OdtExtractor
from indexer.extraction.formats.office.protected import ProtectedOfficeExtractor
from indexer.extraction.formats.pdf.extractor import PdfExtractor
from indexer.extraction.formats.pptx.extractor import PptxExtractor
from indexer.extraction.formats.rtf.extractor import RtfExtractor
from indexer.extraction.formats.sheets.delimited import DelimitedExtractor
from indexer.extraction.formats.sheets.sheetxml import SheetXmlExtractor
from indexer.extraction.formats.sheets.xlsb import XlsbExtractor
from indexer.extraction.formats.sheets.xlsx import XlsxExtractor
from indexer.extraction.formats.text import TextExtractor

FORMATS: Final[Sequence[Format]] = (
    Format(PdfExtractor(), ["pdf"], version=3, uses_ocr=True),
    Format(MarkdownExtractor(), ["markdown"], version=3),
    Format(TextExtractor(), ["text"], version=3),
    Format(EmptyExtractor(), ["empty"], version=1),
    Format(HtmlExtractor(), ["html"], version=3),
    Format(DocxExtractor(), ["docx"], version=3, holds_files=True),
    Format(XlsxExtractor(), ["xlsx"], version=3, holds_files=True),
    Format(XlsbExtractor(), ["xlsb"], version=1),
    Format(SheetXmlExtractor(), ["sheetxml"], version=2),
    Format(OdsExtractor(), ["ods"], version=1),
    Format(DelimitedExtractor(), ["csv"], version=2),
    Format(EmlExtractor(), ["eml"], version=2, holds_files=True),
    Format(MboxExtractor(), ["mbox"], version=2, holds_files=True),
    Format(MsgExtractor(), ["msg"], version=2, holds_files=True),
    Format(EpubExtractor(), ["epub"], version=2),
    Format(RstExtractor(), ["rst"], version=2),
    Format(ConvertedExtractor(), ["latex", "notebook", "textile"], version=1, uses_pandoc=True),
    Format(PptxExtractor(), ["pptx"], version=2, holds_files=True),
    Format(OdtExtractor(), ["odt"], version=2),
    Format(OdpExtractor(), ["odp"], version=2),
    Format(FlatOdfExtractor(), ["flat-odf"], version=2),
    Format(RtfExtractor(), ["rtf"], version=1),
    Format(LegacyExtractor(), ["doc", "ppt", "xls"], version=2, becomes_another=True),
    Format(WordXmlExtractor(), ["wordxml"], version=2, becomes_another=True),
    Format(ProtectedOfficeExtractor(), ["protected-office"], version=1, becomes_another=True),
    Format(ImageExtractor(), ["bmp", "gif", "jpeg", "png", "tiff", "webp"], version=1, uses_ocr=True),
)
