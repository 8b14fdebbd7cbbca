"""The pipeline over small real drives, with real reading processes and a real store."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from indexer.drives.folder import FolderDrive
from indexer.pipeline.pipeline import RunOptions
from rag.errors import ConfigurationError, IndexMissing, StoreBusy
from rag.store.base import Recipe
from rag.store.edge import EdgeStore
from rag.types.documents import DocumentState
from tests.documents import DIMENSIONS
from tests.indexer.indexing import (
    NamedModel,
    Watcher,
    a_pipeline,
    a_small_drive,
    a_store,
    contents,
    index,
    index_one,
    write,
)


@pytest.fixture
def index_folder(tmp_path: Path) -> Path:
    return tmp_path / "index"


@pytest.fixture
async def store(index_folder: Path) -> AsyncGenerator[EdgeStore]:
    async with a_store(index_folder) as store:
        yield store


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    return a_small_drive(tmp_path / "drive")


async def texts(store: EdgeStore) -> set[str]:
    return {row.chunk.text async for row in store.scan()}


async def test_new_changed_touched_moved_empty_failed_and_gone_files(
    store: EdgeStore, drive: Path, tmp_path: Path
) -> None:
    first = await index_one(store, drive)
    assert (first.new, first.changed, first.unchanged, first.gone, first.chunks) == (3, 0, 0, 0, 3)

    (drive / "a.md").write_text("# Apples\n\nApples are green.", encoding="utf-8")
    os.utime(drive / "b.md", ns=(5, 5))
    (drive / "HR" / "c.md").rename(drive / "moved.md")
    (drive / "blank.md").write_text(" \n\n ", encoding="utf-8")
    (drive / "nothing.md").touch()
    (drive / "noise.md").write_bytes(bytes(range(256)) * 16)
    second = await index_one(store, drive)
    assert (second.new, second.changed, second.touched, second.gone, second.empty) == (3, 1, 1, 0, 2)
    assert second.moved == [("HR/c.md", "moved.md")]
    assert second.vectors_kept == 1
    assert [(uri, failure.code) for uri, failure in second.failed] == [("noise.md", "not_text")]
    assert second.warned == [("nothing.md", "The file is empty (0 bytes).")]
    assert any("green" in text for text in await texts(store)) and not any("red" in text for text in await texts(store))

    records, chunks = await contents(store)
    states = {uri: record.state.value for uri, record in records.items()}
    assert states == {
        "drive/a.md": "ready",
        "drive/b.md": "ready",
        "drive/moved.md": "ready",
        "drive/blank.md": "empty",
        "drive/nothing.md": "empty",
        "drive/noise.md": "failed",
    }
    [moved] = [chunk for chunk, *_ in chunks.values() if chunk.document.uri == "moved.md"]
    assert moved.document.labels == {"drive"}
    assert records["drive/b.md"].mtime_ns == 5
    corpus = (await store.manifest()).corpora["drive"]
    assert (corpus.documents, corpus.chunks, corpus.root) == (6, 3, str(drive))

    third = await index(store, drive)
    assert (third.is_new_generation, third.generation, third.drives[0].unchanged) == (False, 2, 6)

    async with a_store(tmp_path / "clean") as clean:
        shutil.copytree(drive, tmp_path / "copy", symlinks=True)
        await index(clean, FolderDrive("drive", tmp_path / "copy"))
        clean_records, clean_chunks = await contents(clean)
        assert records == clean_records
        assert chunks == clean_chunks


async def test_a_file_of_the_same_size_and_time_is_not_read_again(
    store: EdgeStore, drive: Path, index_folder: Path
) -> None:
    await index(store, drive)
    status = (drive / "a.md").stat()
    (drive / "a.md").write_text("# Apples\n\nApples are RED.", encoding="utf-8")
    os.utime(drive / "a.md", ns=(status.st_atime_ns, status.st_mtime_ns))
    watcher = Watcher()
    report = await index(store, drive, watcher=watcher)
    assert not report.is_new_generation
    assert watcher.files == []
    assert sorted(os.listdir(index_folder)) == ["CURRENT", "g000001", "writer.lock"]  # noqa: PTH208  # names are enough


async def test_only_what_changed_is_read_and_embedded(store: EdgeStore, drive: Path) -> None:
    await index(store, drive)
    write(drive, b_md="# Whales\n\nWhales are grey.")
    os.utime(drive / "a.md", ns=(5, 5))
    watcher = Watcher()
    await index(store, drive, watcher=watcher)
    assert sorted(watcher.files) == ["a.md", "b.md"]
    assert watcher.chunks == 1


async def test_another_cut_makes_all_chunks_anew(store: EdgeStore, drive: Path) -> None:
    await index(store, drive)
    report = (await index(store, drive, size=20)).drives[0]
    assert (report.changed, report.unchanged) == (3, 0)
    assert max(map(len, await texts(store))) <= 20


async def test_another_model_is_refused_and_a_fresh_generation_is_not(store: EdgeStore, drive: Path) -> None:
    await index(store, drive)
    before = await contents(store)
    other = a_pipeline(store, model=NamedModel("other/256"))
    drives = [FolderDrive.at(drive, None)]
    with pytest.raises(ConfigurationError, match=r"words/256.*other/256.*reindex"):
        await other.run(drives, Watcher(), RunOptions())
    assert await contents(store) == before
    report = await other.run(drives, Watcher(), RunOptions(fresh=True))
    assert (report.generation, report.drives[0].new) == (2, 3)
    assert (await store.manifest()).embedder.startswith("other/256")


async def test_a_drive_that_is_suddenly_empty_is_refused(store: EdgeStore, drive: Path) -> None:
    await index(store, drive)
    shutil.rmtree(drive)
    write(drive, **{".hidden": "litter"})
    with pytest.raises(ConfigurationError, match=r"is empty.*3 documents.*--allow-empty"):
        await index(store, drive)
    assert len(await texts(store)) == 3
    report = await index(store, drive, options=RunOptions(allow_empty=True))
    assert report.drives[0].gone == 3
    assert await texts(store) == set()
    assert (await store.manifest()).corpora == {}


async def test_a_corpus_does_not_change_its_folder_unasked(store: EdgeStore, drive: Path, tmp_path: Path) -> None:
    await index(store, drive)
    shutil.copytree(drive, tmp_path / "mirror")  # size and time of each file are those of the original
    mirror = FolderDrive("drive", tmp_path / "mirror")
    with pytest.raises(ConfigurationError, match=r"--name.*--replace"):
        await index(store, mirror)
    await index(store, mirror, options=RunOptions(replace_root=True))
    assert (await store.manifest()).corpora["drive"].root == str(tmp_path / "mirror")
    assert not (await index(store, mirror)).is_new_generation


async def test_two_drives_stand_side_by_side_and_are_kept_apart(store: EdgeStore, drive: Path, tmp_path: Path) -> None:
    write(tmp_path / "wiki", a_md="# Apples\n\nThe wiki on apples.")
    await index(store, drive, tmp_path / "wiki")
    manifest = await store.manifest()
    assert {name: corpus.documents for name, corpus in manifest.corpora.items()} == {"drive": 3, "wiki": 1}
    (tmp_path / "wiki" / "a.md").unlink()
    write(tmp_path / "wiki", b_md="more")
    report = await index_one(store, tmp_path / "wiki")
    assert (report.new, report.gone) == (1, 1)
    records, _ = await contents(store)
    assert sorted(records) == ["drive/HR/c.md", "drive/a.md", "drive/b.md", "wiki/b.md"]
    assert (await store.manifest()).corpora["drive"] == manifest.corpora["drive"]


async def test_a_run_gone_on_with_for_another_drive_serves_no_document_that_the_manifest_does_not_name(
    store: EdgeStore, drive: Path, tmp_path: Path
) -> None:
    write(tmp_path / "wiki", w_md="The wiki.")
    write(tmp_path / "half", h_md="Half done.")
    await index(store, drive)
    write(drive, d_md="# Dolphins\n\nDolphins are grey.")
    async with a_store(tmp_path / "other") as other:
        await index(other, drive, tmp_path / "half")
        await _write_and_leave(store, other)
    await index(store, tmp_path / "wiki")
    records, chunks = await contents(store)
    corpora = (await store.manifest()).corpora
    assert {record.document.corpus for record in records.values()} == set(corpora) == {"drive", "wiki"}
    assert {chunk.document.corpus for chunk, *_ in chunks.values()} == {"drive", "wiki"}
    for name, corpus in corpora.items():
        mine = [record for record in records.values() if record.document.corpus == name]
        assert (corpus.documents, corpus.chunks) == (len(mine), sum(record.chunks for record in mine))
    assert (await index(store, tmp_path / "half")).drives[0].new == 1


async def _write_and_leave(store: EdgeStore, source: EdgeStore) -> None:
    """Begin a generation, write to it all that `source` holds, and do not commit it."""
    async with store.write(await _recipe(source)) as writer:
        async for record in source.records():
            rows = [row async for row in source.scan() if row.chunk.document.id == record.document.id]
            await writer.put(record, rows)


async def _recipe(store: EdgeStore) -> Recipe:
    manifest = await store.manifest()
    return Recipe(manifest.embedder, manifest.dimensions, manifest.chunker)


async def test_a_second_indexer_is_refused_while_the_first_one_writes(store: EdgeStore, drive: Path) -> None:
    async with store.write(Recipe("any", DIMENSIONS, "any")):
        with pytest.raises(StoreBusy, match="another indexer"):
            await index(store, drive)
    with pytest.raises(IndexMissing):
        await store.manifest()


async def test_an_indexer_killed_between_its_last_two_steps_does_not_stop_the_next(
    store: EdgeStore, drive: Path, index_folder: Path
) -> None:
    await index(store, drive)
    write(drive, d_md="new")
    await index(store, drive)
    (index_folder / "CURRENT").write_text("1", encoding="ascii")  # generation 2 is complete, and nothing points at it
    assert (await store.manifest()).generation == 1
    report = await index(store, drive)
    assert (report.generation, report.drives[0].new) == (2, 1)
    assert "new" in await texts(store)


async def test_a_reader_that_works_on_meets_each_generation_whole(
    store: EdgeStore, drive: Path, tmp_path: Path
) -> None:
    await index(store, drive)
    async with a_store(tmp_path / "index") as other:
        assert len(await texts(other)) == 3
        for edition in range(3):
            write(drive, a_md=f"edition {edition}")
            await index(store, drive)
            assert f"edition {edition}" in await texts(other)
        assert (await other.manifest()).generation == 4


async def test_files_without_text_are_not_read_again_and_again(store: EdgeStore, drive: Path) -> None:
    (drive / "noise.bin").write_bytes(bytes(range(256)) * 20)
    (drive / "blank.txt").write_text("  \n")
    (drive / "archive.7z.txt").write_bytes(b"7z\xbc\xaf\x27\x1c\x00\x04")
    first = await index_one(store, drive)
    assert {failure.code for _, failure in first.failed} == {"not_text", "unsupported"}
    again = await index(store, drive)
    assert not again.is_new_generation
    assert {record.state async for record in store.records()} == set(DocumentState)
