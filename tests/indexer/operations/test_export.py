"""`python -m indexer export`: all that is indexed, as lines of JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from indexer.operations.export import lines
from rag.errors import ConfigurationError
from rag.store.base import Recipe
from rag.store.edge_shard import PAGE
from tests.documents import a_document, a_record, embedded
from tests.indexer.indexing import a_store, index, write
from tests.processes import run_program


async def exported(folder: Path, corpus: str | None = None, *, vectors: bool = True) -> list[dict[str, Any]]:
    async with a_store(folder) as store:
        return [json.loads(line) async for line in lines(store, corpus, vectors=vectors)]


async def test_each_chunk_comes_with_its_place_its_text_and_the_very_vectors(tmp_path: Path) -> None:
    write(tmp_path / "drive", a_md="# Apples\n\nApples are red.", b_md="Whales are blue.")
    async with a_store(tmp_path / "index") as store:
        await index(store, tmp_path / "drive")
        rows = {row.chunk.id: row async for row in store.scan()}
    found = await exported(tmp_path / "index")
    assert {line["id"] for line in found} == set(rows) and len(found) == len(rows) == 2
    for line in found:
        row = rows[line["id"]]
        document = row.chunk.document
        assert (line["corpus"], line["path"], line["title"]) == ("drive", document.uri, document.title)
        assert (line["text"], line["pages"], line["headings"]) == (row.chunk.text, [1], [*row.chunk.headings])
        assert (line["start"], line["end"]) == (row.chunk.spans[0].start, row.chunk.spans[0].end)
        assert np.array(line["dense"], np.float32).tobytes() == row.embedding.dense.tobytes()
        assert line["sparse"]["indices"] == row.embedding.sparse.indices.tolist()
        assert np.array(line["sparse"]["values"], np.float32).tobytes() == row.embedding.sparse.values.tobytes()


async def test_one_corpus_and_no_vectors_may_be_asked_for(tmp_path: Path) -> None:
    write(tmp_path / "drive", a_md="Apples are red.")
    write(tmp_path / "other", a_md="Whales are blue.")
    async with a_store(tmp_path / "index") as store:
        await index(store, tmp_path / "drive", tmp_path / "other")
    [line] = await exported(tmp_path / "index", "other", vectors=False)
    assert line["text"] == "Whales are blue." and not {"dense", "sparse"} & line.keys()
    with pytest.raises(ConfigurationError, match="drive, other"):
        await exported(tmp_path / "index", "nosuch")


async def test_more_chunks_than_a_page_of_the_store_all_come_once_while_another_generation_begins_to_serve(
    tmp_path: Path,
) -> None:
    document = a_document()
    rows = await embedded(document, *(f"passage {number}" for number in range(2 * PAGE + 7)))
    async with a_store(tmp_path / "index") as store:
        write(tmp_path / "drive", a_md="Apples are red.")
        await index(store, tmp_path / "drive")
        manifest = await store.manifest()
        recipe = Recipe(manifest.embedder, manifest.dimensions, manifest.chunker)
        async with store.write(recipe) as writer:
            await writer.put(a_record(document, chunks=len(rows)), rows)
            await writer.commit([*manifest.corpora.values()])
        seen: list[str] = []
        async for line in lines(store, None, vectors=False):
            if not seen:
                async with store.write(recipe) as writer:
                    await writer.remove(document.id)
                    await writer.commit([*manifest.corpora.values()])
                assert (await store.manifest()).generation == 3
            seen.append(json.loads(line)["text"])
    assert len(seen) == len(set(seen)) == len(rows) + 1


async def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    code, out, errors = await run_program("indexer", "export", "-o", "all.jsonl", folder=tmp_path)
    assert (code, out) == (1, "") and "nothing is indexed yet" in errors
    assert not (tmp_path / "all.jsonl").exists() and not (tmp_path / "all.jsonl.part").exists()

    write(tmp_path / "drive", a_md="Apples are red.")
    async with a_store(tmp_path / ".footnote" / "index") as store:
        await index(store, tmp_path / "drive")
    code, out, errors = await run_program("indexer", "export", "-o", "all.jsonl", folder=tmp_path)
    assert (code, out) == (0, "") and "all.jsonl holds 1 chunk." in errors
    [line] = (tmp_path / "all.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["text"] == "Apples are red."
    code, out, errors = await run_program("indexer", "export", "-o", "nowhere/all.jsonl", folder=tmp_path)
    assert (code, out) == (1, "") and "nowhere/all.jsonl cannot be written: No such file" in errors
    assert "FOOTNOTE_DATA_DIR" not in errors and "Traceback" not in errors
    code, out, _ = await run_program("indexer", "export", "--no-vectors", folder=tmp_path)
    assert code == 0 and json.loads(out)["text"] == "Apples are red."
