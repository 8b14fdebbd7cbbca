"""Files inside files."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.extraction.base import ExtractionContext
from indexer.extraction.dispatch import extract_inner
from rag.errors import ExtractionError


def test_files_are_read_five_levels_deep_and_named_beyond(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    path.write_text("The key is under the mat.", encoding="utf-8")
    [page] = extract_inner(path, ExtractionContext(depth=4)).pages
    assert page.text == "The key is under the mat."
    with pytest.raises(ExtractionError, match=r"note\.txt lies more than 5 files deep") as refused:
        extract_inner(path, ExtractionContext(depth=5))
    assert refused.value.failure.code == "nested"
