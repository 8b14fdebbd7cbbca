"""reStructuredText, as Markdown."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from bs4 import BeautifulSoup

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.characters.encoding import decoded, losses
from indexer.extraction.characters.normalization import cleaned, tidied
from indexer.extraction.container.source import read_bytes
from indexer.extraction.formats.markup.html import as_markdown, parsed_text
from indexer.extraction.formats.markup.markdown import first_heading
from indexer.extraction.markdown.literal import literal
from rag.types.documents import Page

_MAX_MARKUP_CHARS: Final = 2_000_000
"""docutils takes a minute for so much; a longer text is read as it stands."""
_SETTINGS: Final = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "report_level": 1,
    "halt_level": 5,
    "warning_stream": False,
    "input_encoding": "unicode",
    "output_encoding": "unicode",
    "doctitle_xform": False,
    "initial_header_level": 1,
    "embed_stylesheet": False,
    "stylesheet_path": "",
    "syntax_highlight": "none",
    "math_output": "LaTeX",
    "smart_quotes": False,
    "_disable_config": True,
    "line_length_limit": 1_000_000,
}
_ROLE: Final = re.compile(r":[\w:+.-]+:`(?:([^`<]*?)\s*<[^`>]*>|([^`]*))`")
_DIRECTIVE: Final = re.compile(r"\s*\.\. [^\n]*")
_NO_TEXT: Final = re.compile(
    r"\s*\.\. (?:toctree|contents|include|raw|image|figure|index|meta|auto\w+)::", re.IGNORECASE
)


class RstExtractor:
    """Gives one page."""

    def extract(self, path: Path, context: ExtractionContext) -> Extraction:  # noqa: ARG002  # needs none
        """The text, titled by its first heading. Faults of the markup cost nothing. Raises ExtractionError."""
        source = cleaned(decoded(read_bytes(path)))
        warnings = list(losses(source))
        text = _markdown(source)
        return Extraction(
            first_heading(text) if text else "",
            paged=False,
            pages=iter([Page(number=1, text=text or tidied(literal(source)))]),
            warnings=warnings,
        )


def _markdown(source: str) -> str:
    """Empty where docutils cannot read it."""
    if len(source) > _MAX_MARKUP_CHARS:
        return ""
    from docutils.core import publish_parts  # noqa: PLC0415  # a parser, for the processes that read
    from docutils.utils import SystemMessage  # noqa: PLC0415  # as above

    try:
        page = str(publish_parts(source, writer="html5", settings_overrides=dict(_SETTINGS)).get("body", ""))
    except (SystemMessage, ValueError, LookupError, AttributeError, TypeError, RecursionError):
        return ""
    soup = parsed_text(page)
    _without_messages(soup)
    return as_markdown(soup, of_site=False)


def _without_messages(soup: BeautifulSoup) -> None:
    """What docutils says about the markup goes; what a directive of another program holds stays."""
    for contents in soup.select("nav.contents, .topic.contents"):
        contents.decompose()
    for message in soup.select("aside.system-message"):
        kept = message.find("pre")
        content = kept.get_text() if kept is not None else ""
        if content and _NO_TEXT.match(content) is None:
            paragraph = soup.new_tag("p")
            paragraph.string = " ".join(_ROLE.sub(_role, _DIRECTIVE.sub("", content, count=1)).split())
            message.replace_with(paragraph)
        else:
            message.decompose()
    for problem in soup.select(".problematic"):
        problem.replace_with(_ROLE.sub(_role, problem.get_text()))


def _role(found: re.Match[str]) -> str:
    """The words of a role that only Sphinx knows."""
    return str(found[1] or found[2] or "")
