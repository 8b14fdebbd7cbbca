"""HTML, as Markdown: what a reader came for, without what every page of the site repeats."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import indent
from typing import Any, Final

from bs4 import BeautifulSoup, Tag
from bs4.dammit import EncodingDetector
from bs4.element import NavigableString
from markdownify import ATX, MarkdownConverter

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.characters.encoding import decoded
from indexer.extraction.characters.normalization import cleaned, tidied
from indexer.extraction.container.source import read_bytes
from indexer.extraction.container.xml_tree import count
from indexer.extraction.formats.markup.boilerplate import without_boilerplate, without_unseen
from indexer.extraction.formats.markup.layout_tables import without_layout_tables
from indexer.extraction.markdown.title import shown_title
from rag.types.documents import Page

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
_HARD_BLANKS: Final = re.compile("\xa0+")
_PICTURE_FILE: Final = re.compile(r"[\w/.-]+\.(?:png|jpe?g|gif|bmp|tiff?|svg|webp|emf|wmf)$", re.ASCII | re.IGNORECASE)


class HtmlExtractor:
    """Gives one page."""

    def extract(self, path: Path, context: ExtractionContext) -> Extraction:  # noqa: ARG002  # needs none
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
    without_layout_tables(soup)
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

    def __init__(self) -> None:
        super().__init__()
        self._numbers: dict[int, int] = {}
        """The number of the last item of each list."""

    def convert_a(self, _el: Tag, text: str, **_context: Any) -> str:
        """The text of a link."""
        return text

    convert_b = convert_strong = convert_em = convert_i = convert_del = convert_s = convert_a

    def convert_img(self, el: Tag, _text: str, **_context: Any) -> str:
        """What stands for the picture, where its author said so, and no program put the name of its file there."""
        alt = el.get("alt")
        return alt.strip() if isinstance(alt, str) and _PICTURE_FILE.match(alt.strip()) is None else ""

    def convert_li(self, el: Tag, text: str, parent_tags: Any) -> str:
        """An item; markdownify counts the items in front of each anew."""
        parent = el.parent
        if parent is None or parent.name != "ol":
            return str(super().convert_li(el, text, parent_tags))  # pyright: ignore[reportAttributeAccessIssue]  # no stubs
        start = parent.get("start")
        before = self._numbers.get(id(parent), count(start if isinstance(start, str) else None, 1) - 1)
        self._numbers[id(parent)] = before + 1
        bullet = f"{before + 1}. "
        return f"{bullet}{indent(text.strip(), ' ' * len(bullet))[len(bullet) :]}\n" if text.strip() else "\n"

    def convert_sup(self, el: Tag, text: str, **_context: Any) -> str:
        """A raised number, kept apart from one in front of it."""
        before = el.previous_sibling
        is_behind_number = isinstance(before, NavigableString) and before[-1:].isdigit()
        return f"^{text}" if is_behind_number and text.lstrip("-−+")[:1].isdigit() else text
