"""The file formats. To add one: write its file, add its line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from indexer.extraction.base import Extractor
from indexer.extraction.detect.unsupported import unsupported
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
