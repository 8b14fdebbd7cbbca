"""Dates that no calendar holds, as archives, scanners and servers claim them: they cost nothing."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from indexer.chunking.fixed import FixedChunker
from indexer.drives.base import DriveFile
from indexer.drives.documents import describe
from indexer.drives.folder import FolderDrive, Walk
from indexer.drives.mtimes import date_of, storable
from indexer.drives.server import stamp_of
from indexer.extraction import FORMATS
from indexer.extraction.base import ExtractionContext
from indexer.extraction.sandbox.extract_job import Unchanged
from indexer.pipeline.plan import PendingFile
from indexer.pipeline.recipe import Recipes
from indexer.pipeline.record import RecordBuilder
from tests.documents import a_document, a_record
from tests.indexer.indexing import WordRuler, a_store, index_one, write

YEAR_11476 = 300_000_000_000 * 10**9  # as tmpfs takes it
NUMBERS = range(-(2**63), 2**63)
"""What the store holds."""


@pytest.mark.parametrize(("claimed", "year"), [(YEAR_11476, 2262), (-YEAR_11476, 1677), (10**40, 2262), (0, 1970)])
def test_a_date_is_the_nearest_that_can_be_stored(claimed: int, year: int) -> None:
    assert date_of(claimed).year == year
    assert storable(claimed) in NUMBERS
    assert date_of(storable(claimed)) == date_of(claimed)


def test_a_file_of_the_far_future_is_described_and_kept(tmp_path: Path) -> None:
    drive, file = FolderDrive("drive", tmp_path), DriveFile(tmp_path / "a.md", "a.md", 1, YEAR_11476)
    document = describe(drive, file, title="", kind="markdown", paged=False, fingerprint="f")
    assert document.modified_at.year == 2262
    chunker = FixedChunker(WordRuler(), size=900, overlap=0, minimum=0)
    builder = RecordBuilder(chunker, Recipes(FORMATS, chunker.recipe, "words"), ExtractionContext())
    kept = builder.build(drive, PendingFile(file, a_record(a_document("a.md"))), Unchanged("f"))
    assert kept.is_same and kept.record.document.modified_at.year == 2262


async def test_it_is_indexed_once(tmp_path: Path) -> None:
    write(tmp_path / "drive", a_md="Apples are red.", b_md="Whales are blue.")
    claimed = datetime(2440, 1, 1, 12, tzinfo=UTC)  # as late as most file systems go
    os.utime(tmp_path / "drive" / "a.md", (0, claimed.timestamp()))
    [file, _] = Walk(FolderDrive("drive", tmp_path / "drive")).files()
    assert file.mtime_ns == storable(file.path.stat().st_mtime_ns)
    async with a_store(tmp_path / "index") as store:
        assert (await index_one(store, tmp_path / "drive")).new == 2
        assert (await index_one(store, tmp_path / "drive")).unchanged == 2
        [record] = [record async for record in store.records() if record.document.uri == "a.md"]
        assert record.mtime_ns == file.mtime_ns


@pytest.mark.parametrize(
    "claimed",
    [
        1e300,
        -1e300,
        float("inf"),
        float("nan"),
        10**400,
        3e11,
        datetime(9999, 12, 31, tzinfo=UTC),
        "0001-01-01",
        "9999-12-31",
    ],
)
def test_whatever_a_server_claims_can_be_stored(claimed: object) -> None:
    assert stamp_of({"mtime": claimed, "etag": "1"}) in NUMBERS
    assert stamp_of({"mtime": claimed}) in NUMBERS
