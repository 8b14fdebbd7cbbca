"""`python -m indexer forget`: a corpus or some of its files out of the index, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from indexer.operations.forget import forget, select
from rag.errors import ConfigurationError
from rag.store.base import VectorStore
from rag.types.index import Manifest
from tests.indexer.indexing import Watcher, a_store, index, write
from tests.processes import run_program


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    write(tmp_path / "drive", a_md="Apples are red.", b_md="Whales are blue.")
    write(tmp_path / "drive" / "drafts", c_md="A draft of the budget.", d_md="A draft of the contract.")
    write(tmp_path / "drive" / "drafts of mine", e_md="Another folder that begins alike.")
    return tmp_path / "drive"


async def uris(store: VectorStore) -> set[str]:
    return {record.document.uri async for record in store.records()}


async def chunks(store: VectorStore) -> set[str]:
    return {row.chunk.document.uri async for row in store.scan()}


async def forgotten(store: VectorStore, name: str, *paths: str) -> Manifest:
    return await forget(store, await select(store, name, paths))


async def test_a_folder_and_a_file_go_with_their_chunks_and_what_is_called_alike_stays(
    drive: Path, tmp_path: Path
) -> None:
    async with a_store(tmp_path / "index") as store:
        await index(store, drive)
        chosen = await select(store, "drive", ["drafts/", str(drive / "a.md")])
        assert (list(chosen.uris), chosen.documents, chosen.chunks) == (["drafts", "a.md"], 3, 3)
        manifest = await forget(store, chosen)
        assert manifest.generation == 2
        assert await uris(store) == await chunks(store) == {"b.md", "drafts of mine/e.md"}
        corpus = (await store.manifest()).corpora["drive"]
        assert (corpus.documents, corpus.chunks) == (2, 2)

        await index(store, drive)  # they still lie on the drive
        assert len(await uris(store)) == 5


async def test_a_whole_corpus_goes_and_the_other_stays(drive: Path, tmp_path: Path) -> None:
    write(tmp_path / "other", a_md="Apples are green.")
    async with a_store(tmp_path / "index") as store:
        await index(store, drive, tmp_path / "other")
        manifest = await forgotten(store, "drive")
        assert set(manifest.corpora) == {"other"}
        assert await uris(store) == await chunks(store) == {"a.md"}


async def test_what_an_interrupted_run_began_is_not_brought_to_light_half_done(drive: Path, tmp_path: Path) -> None:
    write(tmp_path / "new", n_md="A corpus that is not indexed to its end.")
    write(tmp_path / "later", l_md="A corpus that was never begun.")
    async with a_store(tmp_path / "index") as store:
        await index(store, drive)
        with pytest.raises(RuntimeError, match="later"):
            await index(store, tmp_path / "new", tmp_path / "later", watcher=_Stops())
        manifest = await forgotten(store, "drive", "a.md")
        assert set(manifest.corpora) == {"drive"}
        assert "n.md" not in await uris(store) | await chunks(store)


class _Stops(Watcher):
    """Breaks a run off once its first drive is stored."""

    def planned(self, corpus: str, sizes: Mapping[str, int]) -> None:
        if corpus == "later":
            raise RuntimeError(corpus)


@pytest.mark.parametrize(
    ("name", "path", "says"),
    [
        ("other", "a.md", "drive"),
        ("drive", "no.md", "no.md"),
        ("drive", "/", "nothing is indexed as '/'"),
        ("drive", "/etc/passwd", "nothing is indexed as '/etc/passwd'"),
        ("drive", "../drive/a.md", "nothing is indexed as"),
    ],
)
async def test_what_is_not_indexed_is_named_and_nothing_is_done(
    drive: Path, tmp_path: Path, name: str, path: str, says: str
) -> None:
    async with a_store(tmp_path / "index") as store:
        await index(store, drive)
        with pytest.raises(ConfigurationError, match=says):
            await select(store, name, ["a.md", path])
        assert (await store.manifest()).generation == 1


async def test_the_command_does_nothing_unasked(drive: Path, tmp_path: Path) -> None:
    async with a_store(tmp_path / ".footnote" / "index") as store:
        await index(store, drive)
    code, out, errors = await run_program("indexer", "forget", "drive", "drafts", folder=tmp_path)
    assert (code, out) == (2, "")
    assert "2 documents" in errors and "--yes" in errors

    code, out, errors = await run_program("indexer", "forget", "drive", "drafts", "--yes", "--json", folder=tmp_path)
    assert (code, errors) == (0, "")
    assert json.loads(out) == {"generation": 2, "corpus": "drive", "paths": ["drafts"], "documents": 2, "chunks": 2}
    async with a_store(tmp_path / ".footnote" / "index") as store:
        assert await uris(store) == {"a.md", "b.md", "drafts of mine/e.md"}
