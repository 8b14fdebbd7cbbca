"""What every VectorStore does, whichever it is."""

from __future__ import annotations

import uuid
from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from rag.embedding.sparse import Bm25
from rag.errors import ConfigurationError, IndexMissing, StoreBusy
from rag.store.base import GenerationWriter, Recipe, VectorStore
from rag.types.chunks import ChunkId, Parent
from rag.types.documents import DocumentState
from rag.types.scope import Scope
from tests.contracts.stores import FACTORIES, RECIPE, corpus, fill, put
from tests.documents import DIMENSIONS, WordModel, a_document, a_record, embedded


@pytest.fixture(params=FACTORIES, ids=lambda factory: factory.__name__)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[VectorStore]:
    async with request.param(tmp_path) as store:
        yield store


def generations(folder: Path) -> int:
    """How many an embedded index keeps."""
    return sum(1 for _ in folder.glob("g*"))


async def found(store: VectorStore, question: str, scope: Scope | None = None) -> list[str]:
    query = await WordModel().encode_query(question)
    result = await store.search([query, Bm25().query(question)], scope or Scope.everything(), limit=9)
    dense, sparse = result.rankings
    assert {hit.chunk.id for hit in sparse} <= {hit.chunk.id for hit in dense}
    return [hit.chunk.text for hit in dense if hit.score > 0.01]


async def test_an_empty_store_says_that_nothing_is_indexed(store: VectorStore) -> None:
    with pytest.raises(IndexMissing, match="indexer index"):
        await store.manifest()
    with pytest.raises(IndexMissing):
        await found(store, "whales")


async def test_each_kind_of_vector_finds_its_best_first(store: VectorStore) -> None:
    await fill(store, a=["red apples", "blue whales"])
    queries = [await WordModel().encode_query("blue whales"), Bm25().query("blue whales")]
    result = await store.search(queries, Scope.everything(), limit=1)
    assert [[hit.chunk.text for hit in ranking] for ranking in result.rankings] == [["blue whales"]] * 2
    assert result.rankings[0][0].score == pytest.approx(1.0, abs=1e-3)
    assert result.generation == 1


async def test_search_stays_inside_the_scope(store: VectorStore) -> None:
    async with store.write(RECIPE) as writer:
        await put(writer, "HR/Leave/days.md", "salaries of all")
        await writer.commit([corpus()])
    for labels, sees in [
        ((), False),
        (("sales",), False),
        (("drive/H",), False),
        (("HR",), False),
        (("drive",), True),
        (("drive/HR",), True),
        (("drive/HR/Leave", "other"), True),
    ]:
        assert bool(await found(store, "salaries", Scope(frozenset(labels)))) is sees, labels
    assert await found(store, "salaries", Scope(frozenset({"drive"})).narrowed("drive/Sales")) == []
    assert await found(store, "salaries", Scope.nothing().narrowed("drive")) == []
    assert await found(store, "salaries", Scope.everything().narrowed("drive/HR"))


async def test_a_chunk_comes_back_as_it_went_in(store: VectorStore) -> None:
    document = a_document("Ordner/日本 «x».md")
    rows = await embedded(document, "Grüße 🌍 \u202e <b>")
    async with store.write(RECIPE) as writer:
        await writer.put(a_record(document, chunks=1), rows)
        await writer.commit([corpus()])
    [row] = [row async for row in store.scan()]
    assert row.chunk == rows[0].chunk
    assert np.allclose(row.embedding.dense, rows[0].embedding.dense, atol=1e-6)
    assert row.embedding.sparse.indices.tolist() == rows[0].embedding.sparse.indices.tolist()
    assert np.allclose(row.embedding.sparse.values, rows[0].embedding.sparse.values)


async def test_nothing_is_served_before_the_commit_and_all_of_it_after(store: VectorStore) -> None:
    await fill(store, a=["red apples"])
    async with store.write(RECIPE) as writer:
        await put(writer, "b", "blue whales")
        await writer.remove(a_document("a").id)
        assert await found(store, "red apples") == ["red apples"]
        assert await found(store, "blue whales") == []
        await writer.commit([corpus()])
    assert await found(store, "blue whales") == ["blue whales"]
    assert await found(store, "red apples") == []
    assert (await store.manifest()).generation == 2


async def test_a_new_version_takes_the_place_of_the_old_one(store: VectorStore) -> None:
    await fill(store, a=["one", "two", "three"])
    async with store.write(RECIPE) as writer:
        await put(writer, "a", "four", version="2")
        await put(writer, "a", "four", version="2")
        await writer.commit([corpus()])
    assert [row.chunk.text async for row in store.scan()] == ["four"]
    assert [record.document.fingerprint async for record in store.records()] == [
        a_document("a", version="2").fingerprint
    ]


async def test_documents_without_text_and_failed_ones_are_known_too(store: VectorStore) -> None:
    document = a_document("scan.pdf")
    async with store.write(RECIPE) as writer:
        await writer.put(a_record(document, state=DocumentState.EMPTY), [])
        await writer.commit([corpus()])
    record = await store.document(document.id)
    assert record == a_record(document, state=DocumentState.EMPTY)
    assert [r async for r in store.records("drive")] == [record]
    assert [r async for r in store.records("another")] == []
    assert await store.document(a_document("never-seen").id) is None


async def test_a_second_writer_is_refused(store: VectorStore) -> None:
    async with store.write(RECIPE):
        with pytest.raises(StoreBusy, match="another indexer"):
            async with store.write(RECIPE):
                pass
    async with store.write(RECIPE):
        pass


async def test_an_interrupted_run_is_gone_on_with(store: VectorStore) -> None:
    await fill(store, a=["red apples"])
    async with store.write(RECIPE) as writer:
        assert not writer.resumed
        await put(writer, "b", "blue whales")
    async with store.write(RECIPE) as writer:
        assert writer.resumed
        assert {record.document.uri async for record in writer.records("drive")} == {"a", "b"}
        await writer.commit([corpus(2)])
    assert await found(store, "blue whales") == ["blue whales"]


@pytest.mark.parametrize("other", [Recipe("letters", DIMENSIONS, "whole"), Recipe("words", DIMENSIONS + 1, "whole")])
async def test_an_interrupted_run_is_not_gone_on_with_by_another_embedder(store: VectorStore, other: Recipe) -> None:
    async with store.write(RECIPE) as writer:
        await put(writer, "a", "red apples")
    async with store.write(other) as writer:
        assert not writer.resumed
        assert [record async for record in writer.records("drive")] == []


async def test_what_an_interrupted_run_left_in_halves_is_done_again(store: VectorStore) -> None:
    whole, half = a_document("whole"), a_document("half")
    async with store.write(RECIPE) as writer:
        await writer.put(a_record(whole, chunks=1), await embedded(whole, "whole"))
        await writer.put(a_record(half, chunks=2), await embedded(half, "half of two"))
    async with store.write(RECIPE) as writer:
        assert [record.document.uri async for record in writer.records("drive")] == ["whole"]
        await writer.commit([corpus()])
    assert [row.chunk.text async for row in store.scan()] == ["whole"]


async def test_another_embedder_is_an_error_that_names_both_and_a_fresh_generation_is_not(store: VectorStore) -> None:
    await fill(store, a=["red apples"])
    other = Recipe("letters", DIMENSIONS, "whole")
    with pytest.raises(ConfigurationError, match=r"'words'.*'letters'.*reindex"):
        async with store.write(other):
            pass
    async with store.write(other, fresh=True) as writer:
        await put(writer, "b", "blue whales")
        assert await found(store, "red apples") == ["red apples"]
        await writer.commit([corpus()])
    assert await found(store, "red apples") == []
    assert (await store.manifest()).embedder == "letters"


async def test_the_manifest_keeps_other_corpora_and_drops_empty_ones(store: VectorStore) -> None:
    await fill(store, a=["red apples"])
    async with store.write(RECIPE) as writer:
        await writer.commit([corpus(5, 7, "wiki")])
    assert set((await store.manifest()).corpora) == {"drive", "wiki"}
    async with store.write(RECIPE) as writer:
        await writer.commit([corpus(0, 0, "drive")])
    manifest = await store.manifest()
    assert set(manifest.corpora) == {"wiki"}
    assert (manifest.corpora["wiki"].documents, manifest.corpora["wiki"].chunks) == (5, 7)


async def test_a_note_changes_the_record_and_keeps_the_chunks(store: VectorStore) -> None:
    await fill(store, a=["red apples"])
    document = a_document("a")
    async with store.write(RECIPE) as writer:
        [record] = [record async for record in writer.records("drive")]
        await writer.note(a_record(document, chunks=record.chunks, state=DocumentState.EMPTY))
        await writer.commit([corpus()])
    changed = await store.document(document.id)
    assert changed is not None and changed.state is DocumentState.EMPTY
    assert await found(store, "apples") == ["red apples"]


async def test_a_note_tells_the_chunks_what_is_new_about_their_document(store: VectorStore) -> None:
    await fill(store, a=["red apples"], b=["blue whales"])
    async with store.write(RECIPE) as writer:
        [record] = [record async for record in writer.records("drive") if record.document.uri == "a"]
        document = replace(
            record.document,
            labels=frozenset({"drive", "@public"}),
            modified_at=datetime(2027, 1, 1, tzinfo=UTC),
        )
        await writer.note(replace(record, document=document, mtime_ns=7))
        await writer.commit([corpus(2)])
    rows = {row.chunk.document.uri: row.chunk async for row in store.scan()}
    assert rows["a"].document == document and rows["a"].text == "red apples"
    assert rows["b"].document == a_document("b")
    assert await found(store, "apples", Scope(frozenset({"@public"}))) == ["red apples"]
    assert await found(store, "whales", Scope(frozenset({"@public"}))) == []


async def test_a_document_can_be_written_again_from_what_the_generation_holds(store: VectorStore) -> None:
    await fill(store, a=["red apples and green pears of the east", "blue whales"], b=["no apples"])
    before = {row.chunk.id: row async for row in store.scan()}
    async with store.write(RECIPE) as writer:
        rows = [row async for row in writer.chunks_of(a_document("a").id)]
        assert {row.chunk.text for row in rows} == {"red apples and green pears of the east", "blue whales"}
        assert [row async for row in writer.chunks_of(a_document("never-seen").id)] == []
        await writer.put(a_record(a_document("a"), chunks=2), rows)
        assert len([row async for row in writer.chunks_of(a_document("a").id)]) == 2
        await writer.commit([corpus(2)])
    after = {row.chunk.id: row async for row in store.scan()}
    assert after.keys() == before.keys()
    for key, row in after.items():
        assert row.chunk == before[key].chunk
        same = np.allclose(row.embedding.dense, before[key].embedding.dense, atol=1e-7)
        assert same  # the client's local mode divides by the length once more, which is not quite 1
        assert row.embedding.sparse.values.tobytes() == before[key].embedding.sparse.values.tobytes()


async def test_many_generations_leave_no_more_than_the_last_searches_need(store: VectorStore, tmp_path: Path) -> None:
    for number in range(5):
        await fill(store, a=[f"edition {number}"])
        assert await found(store, "edition") == [f"edition {number}"]
    if (tmp_path / "index").exists():  # a look after the work
        assert generations(tmp_path / "index") <= 2


async def put_with_parents(writer: GenerationWriter, uri: str, groups: dict[str, list[str]]) -> None:
    """A document whose chunks belong to parents, each found by what it is called."""
    document = a_document(uri)
    names = list(groups)
    parents = [
        Parent(parent_id(uri, name), document, at, name, await WordModel().encode_query(name))
        for at, name in enumerate(names)
    ]
    owners = [parent.id for parent, texts in zip(parents, groups.values(), strict=True) for _ in texts]
    rows = await embedded(document, *(text for texts in groups.values() for text in texts))
    rows = [replace(row, chunk=replace(row.chunk, parent=owner)) for row, owner in zip(rows, owners, strict=True)]
    await writer.put(a_record(document, chunks=len(rows)), rows, parents)


def parent_id(uri: str, name: str) -> ChunkId:
    return ChunkId(str(uuid.uuid5(uuid.NAMESPACE_URL, f"{uri}/{name}")))


ANIMALS = {"sea animals": ["blue whales", "red crabs"], "land animals": ["blue foxes"]}


async def test_chunks_are_found_within_the_parents_that_are_named(store: VectorStore) -> None:
    async with store.write(RECIPE) as writer:
        await put_with_parents(writer, "HR/a", ANIMALS)
        await writer.commit([corpus()])
    sea, land = (parent_id("HR/a", name) for name in ANIMALS)
    query = await WordModel().encode_query("blue")
    for within, texts in [
        ([sea], {"blue whales", "red crabs"}),
        ([land], {"blue foxes"}),
        ([sea, land], {"blue whales", "red crabs", "blue foxes"}),
        ([parent_id("HR/a", "unknown")], set[str]()),
        ([], set[str]()),
    ]:
        found = await store.search([query], Scope.everything(), limit=9, within=within)
        assert {hit.chunk.text for hit in found.rankings[0]} == texts
        assert {hit.chunk.parent for hit in found.rankings[0]} <= set(within)


async def test_parents_are_found_by_their_own_search_inside_the_scope_and_by_no_other(store: VectorStore) -> None:
    async with store.write(RECIPE) as writer:
        await put_with_parents(writer, "HR/a", ANIMALS)
        await writer.commit([corpus()])
    query = await WordModel().encode_query("land animals")
    found = await store.search_parents(query, Scope.everything(), limit=1)
    assert (found.generation, found.ids) == (1, [parent_id("HR/a", "land animals")])
    assert len((await store.search_parents(query, Scope(frozenset({"drive/HR"})), limit=9)).ids) == 2
    for scope in (Scope.nothing(), Scope(frozenset({"drive/Sales"}))):
        assert (await store.search_parents(query, scope, limit=9)).ids == []
    ranking = (await store.search([query], Scope.everything(), limit=9)).rankings[0]
    assert {hit.chunk.text for hit in ranking} == {"blue whales", "red crabs", "blue foxes"}
    assert len([row async for row in store.scan()]) == 3


async def test_parents_go_with_their_document_and_come_along_into_the_next_generation(store: VectorStore) -> None:
    async with store.write(RECIPE) as writer:
        await put_with_parents(writer, "a", ANIMALS)
        await put_with_parents(writer, "b", ANIMALS)
        await writer.commit([corpus()])
    async with store.write(RECIPE) as writer:
        await put_with_parents(writer, "a", {"one": ["blue whales"]})
        await writer.remove(a_document("b").id)
        await put_with_parents(writer, "c", {"three": ["x"]})
        await writer.commit([corpus()])
    async with store.write(RECIPE) as writer:
        await put(writer, "d", "plain")
        await writer.commit([corpus()])
    query = await WordModel().encode_query("one")
    found = await store.search_parents(query, Scope.everything(), limit=9)
    assert set(found.ids) == {parent_id("a", "one"), parent_id("c", "three")}


async def test_one_corpus_can_be_scanned_by_itself(store: VectorStore) -> None:
    async with store.write(RECIPE) as writer:
        for name in ("drive", "wiki"):
            document = a_document("a", corpus=name)
            await writer.put(a_record(document, chunks=1), await embedded(document, f"text of {name}"))
        await writer.commit([corpus(), corpus(name="wiki")])
    assert [row.chunk.text async for row in store.scan("wiki")] == ["text of wiki"]
    assert [row.chunk.text async for row in store.scan("unknown")] == []
    assert len([row async for row in store.scan()]) == 2
