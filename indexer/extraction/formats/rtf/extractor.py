"""Rich Text Format (.rtf), as Markdown."""

from __future__ import annotations

from pathlib import Path

from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.characters.normalization import cleaned, tidied
from indexer.extraction.container.source import read_bytes
from indexer.extraction.formats.markup.markdown import first_heading
from indexer.extraction.formats.rtf.reader import RtfReader
from indexer.extraction.formats.rtf.story import MOST_COLUMNS
from indexer.extraction.formats.rtf.tokens import tokens
from indexer.extraction.markdown.title import shown_title
from rag.errors import ExtractionError
from rag.types.documents import Page


class RtfExtractor:
    """Gives one page: where a page ends depends on the printer."""

    def extract(self, path: Path, context: ExtractionContext) -> Extraction:  # noqa: ARG002  # needs none
        """The text as the final version shows it, with notes, text boxes and headers. Raises ExtractionError."""
        reader = RtfReader()
        reader.read(tokens(read_bytes(path)))
        margins = [text for text in reader.margins if any(character.isalpha() for character in text)]
        text = tidied(cleaned("\n\n".join([*reader.text.finished(), *margins])))
        warnings: list[str] = []
        if reader.is_cut_off:
            if not text:
                raise ExtractionError(
                    "damaged", "The file is cut off before its text.", "Copy it again from where it came from."
                )
            warnings.append("The file is cut off or damaged; what it holds was read.")
        if left_out := reader.text.cells_left_out:
            warnings.append(
                f"Of wide tables, only the first {MOST_COLUMNS} columns were read, {left_out:,} cells were left out."
            )
        title = shown_title(reader.title) or first_heading(text)
        return Extraction(title=title, paged=False, pages=iter([Page(number=1, text=text)]), warnings=warnings)
