"""Where in a file the cited words stand, in a reader's words."""

from __future__ import annotations

from typing import Final

from rag.types.answers import Citation

_SLIDES: Final = frozenset({"pptx", "ppt", "odp"})
_SHEETS: Final = frozenset({"xlsx", "xlsb", "xls", "ods"})


def place(citation: Citation) -> str:
    """A page, slide or sheet, else the nearest heading; empty for a whole document. Unescaped.

    What is printed on a page stands beside its number where the two differ.
    """
    document, label = citation.chunk.document, " ".join(citation.label.split())
    if not document.paged:
        headings = [heading for heading in citation.chunk.headings if not heading.startswith("|")]  # columns are none
        return f"§ {headings[-1]}" if headings else ""
    if document.kind in _SLIDES:
        return f"slide {citation.page}"
    if document.kind in _SHEETS:
        return f"sheet {label or citation.page}"
    printed = f' (printed "{label}")' if label and label != str(citation.page) else ""
    return f"p. {citation.page}{printed}"
