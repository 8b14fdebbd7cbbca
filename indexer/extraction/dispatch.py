"""Any file, to the extractor of its kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from indexer.extraction import FORMATS
from indexer.extraction.base import Extraction, ExtractionContext, Extractor
from indexer.extraction.detect.kind import kind_of
from indexer.extraction.detect.unsupported import unsupported
from rag.errors import ExtractionError

MAX_DEPTH: Final = 5
"""Files inside files; a message that was forwarded again and again is the deepest that people send."""


def extractor_for(kind: str | None) -> Extractor:
    """The extractor of a kind, as `kind_of` tells it. Raises ExtractionError ("not_text", "unsupported")."""
    if kind is None:
        raise ExtractionError(
            "not_text", "The file is neither text nor in a known format.", "Save it as PDF, or leave it out."
        )
    for known in FORMATS:
        if kind in known.kinds:
            return known.extractor
    raise unsupported(kind)


def readable_kinds() -> Sequence[str]:
    """All kinds of file that there is an extractor for, in alphabetical order."""
    return sorted(kind for known in FORMATS for kind in known.kinds)


def extract_inner(path: Path, context: ExtractionContext) -> Extraction:
    """A file found inside another one. Raises ExtractionError."""
    if context.depth >= MAX_DEPTH:
        raise ExtractionError(
            "nested", f"{path.name} lies more than {MAX_DEPTH} files deep.", "Save it by itself, and index that."
        )
    return extractor_for(kind_of(path)).extract(path, replace(context, depth=context.depth + 1))
