"""HTML, as Markdown: what a reader came for, without what every page of the site repeats."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from bs4 import BeautifulSoup, Tag
from bs4.dammit import EncodingDetector
from markdownify import ATX, MarkdownConverter

from indexer.extraction.base import Aids, Extraction
from indexer.extraction.characters import cleaned, tidied
from indexer.extraction.encoding import decoded
from indexer.extraction.markup.boilerplate import without_boilerplate, without_unseen
from indexer.extraction.source import read_bytes
from indexer.extraction.title import shown_title
from rag.types import Page

_XML_DECLARATION: Final = re.compile(r"\A\s*<\?xml[^>]*\?>")
_WIDER_ENCODINGS: Final = {  # what browsers read under these names (WHATWG Encoding Standard, 4.2)
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "ascii": "cp1252",
    "us-ascii": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "x-sjis": "cp932",
    "euc-kr": "cp949",
    "iso-8859-9": "cp1254",
    "iso-8859-8-i": "iso-8859-8",
}
_BLOCKS_IN_LAYOUT_TABLES: Final = ["table", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "form", "article"]
_HARD_BLANKS: Final = re.compile("\xa0+")
_CELLS: Final = ["td", "th"]


class HtmlExtractor:
    """Gives one page."""

    kinds = frozenset({"html"})
    version = 2

    def extract(self, path: Path, aids: Aids) -> Extraction:  # noqa: ARG002  # needs none
        """The page's text with its headings, lists and tables. Raises ExtractionError."""
        soup = parsed(read_bytes(path))
        title = _title(soup)
        return Extraction(title=title, paged=False, pages=iter([Page(number=1, text=as_markdown(soup))]))


def html_text(raw: bytes) -> str:
    """The source of a page, read in the encoding that the file declares, where it holds to it."""
    named = (EncodingDetector.find_declared_encoding(raw, is_html=True, search_entire_document=False) or "").lower()
    declared = _WIDER_ENCODINGS.get(named, named) or None
    return decoded(raw, declared=None if declared and declared.startswith("utf-16") else declared)


def parsed(raw: bytes) -> BeautifulSoup:
    """The document tree of a file's bytes."""
    return parsed_text(html_text(raw))


def parsed_text(text: str) -> BeautifulSoup:
    """The document tree."""
    return BeautifulSoup(_XML_DECLARATION.sub("", text.lstrip("\ufeff")), "lxml")


def as_markdown(soup: BeautifulSoup, *, of_site: bool = True) -> str:
    """The text as Markdown, of a page of a web site without its menus and feet. Changes the tree."""
    without_unseen(soup)
    if of_site:
        without_boilerplate(soup)
    for table in reversed(soup.find_all("table")):  # the inner ones first
        if _is_layout(table):
            _unwrap(table)
    for string in soup.find_all(string=_HARD_BLANKS):
        string.replace_with(_HARD_BLANKS.sub(" ", string))
    try:
        text = _Markdown().convert_soup(soup)
    except RecursionError:  # hundreds of levels deep: the structure means nothing, the text does
        text = soup.get_text("\n", strip=True)
    return tidied(cleaned(text))


def _title(soup: BeautifulSoup) -> str:
    for name in ("title", "h1"):
        found = soup.find(name)
        if found is not None and (title := shown_title(found.get_text(" "))):
            return title
    return ""


def _is_layout(table: Tag) -> bool:
    """Whether the table only places things on the page: it is one cell, or holds what no table of data does."""
    is_one_cell = len(table.find_all(_CELLS, limit=2)) <= 1
    return is_one_cell or table.get("role") == "presentation" or table.find(_BLOCKS_IN_LAYOUT_TABLES) is not None


def _unwrap(table: Tag) -> None:
    """Its parts become plain blocks; what tables it holds have been looked at already."""
    inner = {id(part) for nested in table.find_all("table") for part in nested.find_all(True)}
    for part in table.find_all(["tbody", "thead", "tfoot", "tr", *_CELLS]):
        if id(part) not in inner:
            part.name = "div"
    table.name = "div"


class _Markdown(MarkdownConverter):
    """Structure is kept; emphasis, link targets and pictures are not: they split words and fill a model's window."""

    class Options:
        """The names are markdownify's."""

        autolinks = False
        bullets = "-"
        escape_asterisks = False
        escape_underscores = False
        heading_style = ATX
        table_infer_header = True

    def convert_a(self, _el: Tag, text: str, **_context: Any) -> str:
        """The text of a link."""
        return text

    convert_b = convert_strong = convert_em = convert_i = convert_del = convert_s = convert_a

    def convert_img(self, el: Tag, _text: str, **_context: Any) -> str:
        """What stands for the picture, where its author said so."""
        alt = el.get("alt")
        return alt.strip() if isinstance(alt, str) else ""
