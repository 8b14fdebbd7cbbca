"""An index that was damaged, and files that cannot be read for a while: nothing more is lost than must be."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from indexer.drive import Drive
from indexer.pipeline import Options
from rag.errors import IndexMissing
from tests.indexer.indexing import Watcher, a_pipeline, a_store, contents, index, index_one, write


def cut(path: Path) -> None:
    path.write_bytes(b"")


HARMS: dict[str, Callable[[Path], object]] = {
    "foreign": lambda index: (index / "CURRENT").write_text("xyz"),
    "empty": lambda index: cut(index / "CURRENT"),
    "astray": lambda index: (index / "CURRENT").write_text("9"),
    "broken manifest": lambda index: (index / "g000001" / "manifest.json").write_text("{"),
    "foreign manifest": lambda index: (index / "g000001" / "manifest.json").write_text("[]"),
    "no manifest": lambda index: (index / "g000001" / "manifest.json").unlink(),
    "no generation": lambda index: shutil.rmtree(index / "g000001"),
}


@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS)
async def test_indexing_again_mends_a_damaged_index_as_the_error_says(
    tmp_path: Path, harm: Callable[[Path], object]
) -> None:
    drive, folder = tmp_path / "drive", tmp_path / "index"
    write(drive, a_md="# Leave\n\nThe allowance is 25 days.")
    async with a_store(folder) as store:
        await index(store, drive)
        whole = await contents(store)
    harm(folder)
    async with a_store(folder) as store:
        with pytest.raises(IndexMissing, match="index the drives again"):
            await store.manifest()
        await index(store, drive)
        assert await contents(store) == whole


async def test_an_interrupted_run_that_cannot_be_read_any_more_is_begun_anew(tmp_path: Path) -> None:
    drive, folder = tmp_path / "drive", tmp_path / "index"
    write(drive, a_md="# Leave\n\nThe allowance is 25 days.")
    async with a_store(folder) as store:
        await index(store, drive)
    write(drive, b_md="# Budget\n\nThe budget is 3 euros.")
    shutil.copytree(folder / "g000001", folder / "g000002.building")
    async with a_store(folder) as store:
        manifest = await store.manifest()
        plan = [manifest.schema, manifest.generation, manifest.embedder, manifest.dimensions]
        (folder / "g000002.building" / "plan.json").write_text(json.dumps(plan))
        for path in (folder / "g000002.building").rglob("page_0.dat"):
            cut(path)
        report = await index(store, drive)
        assert not report.resumed
        assert set((await contents(store))[0]) == {"drive/a.md", "drive/b.md"}


async def test_a_document_that_cannot_be_read_for_a_while_keeps_its_text(tmp_path: Path) -> None:
    drive = tmp_path / "drive"
    write(drive, a_md="# Leave\n\nThe allowance is 25 days.")
    async with a_store(tmp_path / "index") as store:
        await index_one(store, drive)
        _, before = await contents(store)
        write(drive, a_md="# Leave\n\nThe allowance is 30 days.")
        hurried = a_pipeline(store, file_seconds=0.001)
        [report] = (await hurried.run([Drive.at(drive, None)], Watcher(), Options())).drives
        assert [(uri, failure.code) for uri, failure in report.failed] == [("a.md", "too_slow")]
        assert report.kept == 1
        assert (await contents(store))[1] == before
        assert (await index_one(store, drive)).changed == 1
        assert (await contents(store))[1] != before
