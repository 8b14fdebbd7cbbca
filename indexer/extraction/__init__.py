"""The file formats. To add one: write its file, add its line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from indexer.extraction.base import Extractor
from indexer.extraction.delimited import DelimitedExtractor
from indexer.extraction.docx import DocxExtractor
from indexer.extraction.eml import EmlExtractor, MboxExtractor
from indexer.extraction.empty import EmptyExtractor
from indexer.extraction.epub import EpubExtractor
from indexer.extraction.html import HtmlExtractor
from indexer.extraction.image import ImageExtractor
from indexer.extraction.legacy import LegacyExtractor
from indexer.extraction.markdown import MarkdownExtractor
from indexer.extraction.msg import MsgExtractor
from indexer.extraction.odf_flat import FlatOdfExtractor
from indexer.extraction.odp import OdpExtractor
from indexer.extraction.ods import OdsExtractor
from indexer.extraction.odt import OdtExtractor
from indexer.extraction.pdf import PdfExtractor
from indexer.extraction.pptx import PptxExtractor
from indexer.extraction.protected_office import ProtectedOfficeExtractor
from indexer.extraction.rst import RstExtractor
from indexer.extraction.rtf import RtfExtractor
from indexer.extraction.text import TextExtractor
from indexer.extraction.unsupported import unsupported
from indexer.extraction.wordxml import WordXmlExtractor
from indexer.extraction.xlsb import XlsbExtractor
from indexer.extraction.xlsx import XlsxExtractor
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
