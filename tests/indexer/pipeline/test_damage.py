"""An index that was damaged, and files that cannot be read for a while: nothing more is lost than must be."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from indexer.drives.folder import FolderDrive
from indexer.extraction.sandbox.pool import open_pool
from indexer.pipeline.pipeline import RunOptions
from rag.errors import ConfigurationError, IndexMissing, StoreError
from rag.store.base import Recipe, VectorStore
from tests.indexer.indexing import Watcher, a_pipeline, a_store, contents, index, index_one, write
from tests.processes import run_program


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


SHARD_HARMS: dict[str, Callable[[Path], object]] = {
    "gone": shutil.rmtree,
    "with an empty configuration": lambda shard: cut(shard / "edge_config.json"),
    "with cut pages": lambda shard: [cut(path) for path in shard.rglob("page_0.dat")],
    "such that the engine panics": lambda shard: [cut(path) for path in shard.rglob("status.dat")],
}


@pytest.mark.parametrize("harm", SHARD_HARMS.values(), ids=SHARD_HARMS)
async def test_an_index_whose_shard_is_damaged_says_to_make_it_anew_and_can_be(
    tmp_path: Path, harm: Callable[[Path], object]
) -> None:
    drive, folder = tmp_path / "drive", tmp_path / "index"
    write(drive, a_md="# Leave\n\nThe allowance is 25 days.")
    async with a_store(folder) as store:
        await index(store, drive)
        whole = await contents(store)
    harm(folder / "g000001" / "shard")
    async with a_store(folder) as store:
        for damaged in (store.manifest(), contents(store), index(store, drive), _begun(store)):
            with pytest.raises(StoreError, match=r"shard cannot be opened .*`python -m indexer reindex`"):
                await damaged
        assert (await store.last_manifest()).corpora.keys() == {"drive"}
        report = await index(store, drive, options=RunOptions(fresh=True))
        assert report.generation == 2
        assert await contents(store) == whole


async def _begun(store: VectorStore) -> None:
    manifest = await store.last_manifest()
    async with store.write(Recipe(manifest.embedder, manifest.dimensions, manifest.chunker)):
        pass


async def test_a_damaged_index_is_not_made_anew_without_what_a_drive_does_not_show_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drive, folder = tmp_path / "drive", tmp_path / "index"
    write(drive, a_md="# Leave\n\nThe allowance is 25 days.")
    write(drive / "HR", b_md="# Budget\n\nThe budget is 3 euros.")
    async with a_store(folder) as store:
        await index(store, drive)
    shutil.rmtree(folder / "g000001" / "shard")
    scan = os.scandir

    def scandir(path: Path) -> object:
        if path.name == "HR":
            raise PermissionError(path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", scandir)
    async with a_store(folder) as store:
        with pytest.raises(
            ConfigurationError, match=r"HR cannot be listed, and the index is too damaged.*--allow-empty"
        ):
            await index(store, drive, options=RunOptions(fresh=True))
        await index(store, drive, options=RunOptions(fresh=True, allow_empty=True))
        assert set((await contents(store))[0]) == {"drive/a.md"}


async def test_the_command_line_gets_over_a_damaged_shard(tmp_path: Path) -> None:
    write(tmp_path / "drive", a_md="# Leave\n\nThe allowance is 25 days.")
    code, _, errors = await run_program("indexer", "index", "drive", folder=tmp_path)
    assert code == 0, errors
    shutil.rmtree(tmp_path / ".footnote" / "index" / "g000001" / "shard")
    code, out, errors = await run_program("indexer", "status", folder=tmp_path)
    assert (code, out) == (1, "") and "python -m indexer reindex" in errors
    code, _, errors = await run_program("indexer", "reindex", folder=tmp_path)
    assert code == 0, errors
    code, out, errors = await run_program("indexer", "status", folder=tmp_path)
    assert code == 0 and "drive" in out, errors


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
        hurried = a_pipeline(store, open_pool=partial(open_pool, 1, seconds=0.001))
        [report] = (await hurried.run([FolderDrive.at(drive, None)], Watcher(), RunOptions())).drives
        assert [(uri, failure.code) for uri, failure in report.failed] == [("a.md", "too_slow")]
        assert report.kept == 1
        assert (await contents(store))[1] == before
        assert (await index_one(store, drive)).changed == 1
        assert (await contents(store))[1] != before
