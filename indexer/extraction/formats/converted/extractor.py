"""LaTeX, notebooks and Textile, by way of pandoc where it is installed, and as the texts that they are where not."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Final

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.characters.encoding import decoded, losses
from indexer.extraction.characters.normalization import cleaned
from indexer.extraction.container.source import read_bytes
from indexer.extraction.detect.kind import kind_of
from indexer.extraction.formats.converted.pandoc import REMEDY, as_html
from indexer.extraction.formats.markup.html import as_markdown, parsed_text
from indexer.extraction.formats.markup.markdown import first_heading
from indexer.extraction.formats.text import TextExtractor
from rag.errors import ExtractionError
from rag.types.documents import Page

PANDOC_READERS: Final[Mapping[str, str]] = MappingProxyType(
    {"latex": "latex+raw_tex", "notebook": "ipynb", "textile": "textile"}
)
"""What pandoc calls the kinds. Its readers of other formats lose text: see docs/adr/0024-converters.md."""
_MISSING: Final = f"pandoc is not installed: the file was read as plain text. {REMEDY}"


class ConvertedExtractor:
    """Gives one page."""

    def extract(self, path: Path, context: ExtractionContext) -> Extraction:
        """With headings, tables and notes; where there is no pandoc, or it fails, the text as it was typed.

        Raises ExtractionError.
        """
        warning = _MISSING
        if context.pandoc is not None:
            try:
                return _converted(context.pandoc, path)
            except ExtractionError as error:
                warning = f"{error.failure.message} It was read as plain text."
        text = TextExtractor().extract(path, context)
        return replace(text, warnings=[*text.warnings, warning])


def _converted(pandoc: Path, path: Path) -> Extraction:
    source = cleaned(decoded(read_bytes(path)))
    with tempfile.TemporaryDirectory(prefix="footnote-", ignore_cleanup_errors=True) as folder:
        page = as_html(pandoc, source, PANDOC_READERS[kind_of(path) or ""], Path(folder))
    text = as_markdown(parsed_text(page), of_site=False)
    return Extraction(first_heading(text), False, iter([Page(number=1, text=text)]), [*losses(source)])
