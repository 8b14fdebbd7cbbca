"""Any file, to the extractor of its kind."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from indexer.extraction import extractor_for
from indexer.extraction.base import Extraction, ExtractionContext
from indexer.extraction.detect.kind import kind_of
from rag.errors import ExtractionError

MAX_DEPTH: Final = 5
"""Files inside files; a message that was forwarded again and again is the deepest that people send."""


def extract_inner(path: Path, context: ExtractionContext) -> Extraction:
    """A file found inside another one. Raises ExtractionError."""
    if context.depth >= MAX_DEPTH:
        raise ExtractionError(
            "nested", f"{path.name} lies more than {MAX_DEPTH} files deep.", "Save it by itself, and index that."
        )
    return extractor_for(kind_of(path)).extract(path, replace(context, depth=context.depth + 1))
