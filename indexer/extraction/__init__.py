"""The file formats. To add one: write its file, add its line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from indexer.extraction.base import Extractor
from indexer.extraction.docx.extractor import DocxExtractor
from indexer.extraction.docx.wordxml import WordXmlExtractor
from indexer.extraction.kinds.empty import EmptyExtractor
from indexer.extraction.kinds.unsupported import unsupported
from indexer.extraction.legacy.extractor import LegacyExtractor
from indexer.extraction.mail.eml import EmlExtractor, MboxExtractor
from indexer.extraction.mail.msg import MsgExtractor
from indexer.extraction.markup.epub import EpubExtractor
from indexer.extraction.markup.html import HtmlExtractor
from indexer.extraction.markup.markdown import MarkdownExtractor
from indexer.extraction.markup.rst import RstExtractor
from indexer.extraction.ocr.image import ImageExtractor
from indexer.extraction.odf.flat import FlatOdfExtractor
from indexer.extraction.odf.odp import OdpExtractor
from indexer.extraction.odf.ods import OdsExtractor
from indexer.extraction.odf.odt import OdtExtractor
from indexer.extraction.office.protected import ProtectedOfficeExtractor
from indexer.extraction.pdf.extractor import PdfExtractor
from indexer.extraction.pptx.extractor import PptxExtractor
from indexer.extraction.rtf.extractor import RtfExtractor
from indexer.extraction.sheets.delimited import DelimitedExtractor
from indexer.extraction.sheets.sheetxml import SheetXmlExtractor
from indexer.extraction.sheets.xlsb import XlsbExtractor
from indexer.extraction.sheets.xlsx import XlsxExtractor
from indexer.extraction.text import TextExtractor
from rag.errors import ExtractionError

EXTRACTORS: Final[Sequence[Extractor]] = (
    PdfExtractor(),
    MarkdownExtractor(),
    TextExtractor(),
    EmptyExtractor(),
    HtmlExtractor(),
    DocxExtractor(),
    XlsxExtractor(),
    XlsbExtractor(),
    SheetXmlExtractor(),
    OdsExtractor(),
    DelimitedExtractor(),
    EmlExtractor(),
    MboxExtractor(),
    MsgExtractor(),
    EpubExtractor(),
    RstExtractor(),
    PptxExtractor(),
    OdtExtractor(),
    OdpExtractor(),
    FlatOdfExtractor(),
    RtfExtractor(),
    LegacyExtractor(),
    WordXmlExtractor(),
    ProtectedOfficeExtractor(),
    ImageExtractor(),
)


def extractor_for(kind: str | None) -> Extractor:
    """The extractor of a kind, as `kind_of` tells it. Raises ExtractionError ("not_text", "unsupported")."""
    if kind is None:
        raise ExtractionError(
            "not_text", "The file is neither text nor in a known format.", "Save it as PDF, or leave it out."
        )
    for extractor in EXTRACTORS:
        if kind in extractor.kinds:
            return extractor
    raise unsupported(kind, [known for extractor in EXTRACTORS for known in extractor.kinds])
