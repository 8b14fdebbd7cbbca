"""What every VectorStore makes of richer queries, whichever it is."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

import numpy as np
import pytest

from rag.embedding.sparse import Bm25
from rag.store.base import VectorStore
from rag.store.queries import Distribution, Diverse, Fused, Query, ReciprocalRank
from rag.types.chunks import ChunkId, ScoredChunk
from rag.types.scope import Scope
from rag.types.vectors import Embedding, SparseVector, Vector
from tests.contracts.stores import FACTORIES, fill
from tests.documents import WordModel, a_chunk, a_document

ALL = Scope.everything()
HR = Scope(frozenset({"drive/HR"}))
TEXTS = [
    "blue whales sing in blue water",
    "blue whales sing in the ice",
    "whales",
    "the blue bicycle has three wheels of steel",
    "wheels of a bicycle",
    "a song of whales and wheels",
    "blue",
    "a kind of blue and of nothing else",
]


UNEVEN = "blue blue whales"
"""No two texts are equally near to it: how an engine breaks ties within a fusion is chance."""


@pytest.fixture(params=FACTORIES, ids=lambda factory: factory.__name__)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[VectorStore]:
    async with request.param(tmp_path) as store:
        yield store


@pytest.fixture
async def filled(store: VectorStore) -> VectorStore:
    await fill(store, **{"HR/a": TEXTS[:4], "Sales/b": TEXTS[4:]})
    return store


async def asked(question: str) -> tuple[Vector, SparseVector]:
    return await WordModel().encode_query(question), Bm25().query(question)


async def ranking(
    store: VectorStore, query: Query, *, limit: int = 99, scope: Scope = ALL, among: Sequence[ChunkId] | None = None
) -> Sequence[ScoredChunk]:
    return (await store.search([query], scope, limit=limit, among=among)).rankings[0]


def scores(hits: Sequence[ScoredChunk]) -> dict[str, float]:
    return {hit.chunk.text: hit.score for hit in hits}


def in_order(hits: Sequence[ScoredChunk]) -> list[ScoredChunk]:
    return sorted(hits, key=lambda hit: (-hit.score, hit.chunk.id))


@pytest.mark.parametrize("weights", [(), (2.0, 0.5)])
@pytest.mark.parametrize("k", [1, 60])
async def test_reciprocal_ranks_add_up_as_the_formula_says(
    filled: VectorStore, k: int, weights: tuple[float, ...]
) -> None:
    queries = await asked(UNEVEN)
    expected: defaultdict[str, float] = defaultdict(float)
    for query, weight in zip(queries, weights or (1.0, 1.0), strict=True):
        for rank, hit in enumerate(await ranking(filled, query, limit=4), start=1):
            expected[hit.chunk.text] += 1 / (k + rank / weight)
    fused = await ranking(filled, Fused(queries, ReciprocalRank(k, weights), candidates=4))
    assert scores(fused) == pytest.approx(expected, abs=1e-6)
    assert fused == in_order(fused)


async def test_scores_fused_by_their_distribution_add_up_as_the_formula_says(filled: VectorStore) -> None:
    queries = await asked(UNEVEN)
    expected: defaultdict[str, float] = defaultdict(float)
    for query in queries:
        hits = await ranking(filled, query, limit=4)
        mean = statistics.mean(hit.score for hit in hits)
        spread = statistics.stdev(hit.score for hit in hits)
        for hit in hits:
            expected[hit.chunk.text] += (hit.score - mean + 3 * spread) / (6 * spread)
    fused = await ranking(filled, Fused(queries, Distribution(), candidates=4))
    assert scores(fused) == pytest.approx(expected, abs=1e-4)
    assert fused == in_order(fused)


async def test_a_question_without_terms_is_fused_as_if_it_were_dense_alone(filled: VectorStore) -> None:
    dense, _ = await asked(UNEVEN)
    empty = Bm25().query("")
    alone = await ranking(filled, dense, limit=4)
    for by in (ReciprocalRank(60), Distribution()):
        fused = await ranking(filled, Fused((dense, empty), by, candidates=4), limit=4)
        assert [hit.chunk.id for hit in fused] == [hit.chunk.id for hit in alone]


async def test_ties_of_a_fusion_are_settled_the_same_way_each_time_before_the_limit(
    store: VectorStore,
) -> None:
    await fill(store, a=["apples", "pears", "plums", "whales", "foxes", "crabs"])
    fruits, animals = [(await asked(words))[0] for words in ("apples apples pears", "crabs crabs foxes")]
    query = Fused((fruits, animals), ReciprocalRank(60), candidates=2)
    whole = await ranking(store, query)
    assert whole == in_order(whole)
    assert [hit.score for hit in whole] == pytest.approx([1 / 61, 1 / 61, 1 / 62, 1 / 62])
    for limit in (1, 2, 3):
        assert await ranking(store, query, limit=limit) == whole[:limit]


async def test_what_is_outside_the_scope_takes_nobodys_place_among_the_candidates(store: VectorStore) -> None:
    await fill(store, **{"HR/few": ["blue", "a blue thing"], "Sales/many": ["blue whales"] * 9})
    dense, sparse = await asked("blue whales")
    queries: list[Query] = [
        Fused((dense, sparse), ReciprocalRank(60), candidates=2),
        Fused((dense, sparse), Distribution(), candidates=2),
        Diverse(dense, 0.5, candidates=2),
    ]
    everywhere = (await store.search(queries, ALL, limit=2)).rankings
    assert {hit.chunk.text for hits in everywhere for hit in hits} == {"blue whales"}
    for scope in (HR, ALL.narrowed("drive/HR"), Scope(frozenset({"drive"})).narrowed("drive/HR")):
        for hits in (await store.search(queries, scope, limit=2)).rankings:
            assert {hit.chunk.text for hit in hits} == {"blue", "a blue thing"}
    for scope in (Scope.nothing(), Scope.nothing().narrowed("drive"), Scope(frozenset({"drive/H"}))):
        assert (await store.search(queries, scope, limit=2)).rankings == [[]] * len(queries)


async def test_with_all_the_weight_on_relevance_diversity_is_the_order_of_cosines(filled: VectorStore) -> None:
    dense, _ = await asked("blue whales sing in blue water")
    near = await ranking(filled, dense, limit=4)
    assert len({hit.score for hit in near}) == 4
    assert await ranking(filled, Diverse(dense, 1.0, candidates=6), limit=4) == near
    assert await ranking(filled, Diverse(dense, 0.0, candidates=6), limit=4) != near


@pytest.mark.parametrize("relevance", [0.7, 0.4])
async def test_diverse_chunks_are_chosen_by_maximal_marginal_relevance(filled: VectorStore, relevance: float) -> None:
    dense, _ = await asked("blue whales sing in blue water")
    pending = [*await ranking(filled, dense, limit=6)]
    vectors = {row.chunk.id: row.embedding.dense async for row in filled.scan()}
    chosen: list[ScoredChunk] = []
    while pending:

        def worth(hit: ScoredChunk) -> float:
            alike = max((float(vectors[hit.chunk.id] @ vectors[one.chunk.id]) for one in chosen), default=0.0)
            return relevance * hit.score - (1 - relevance) * alike

        chosen.append(max(pending, key=worth))
        pending.remove(chosen[-1])
    found = await ranking(filled, Diverse(dense, relevance, candidates=6), limit=4)
    assert [hit.chunk.text for hit in found] == [hit.chunk.text for hit in chosen[:4]]
    assert scores(found) == pytest.approx(scores(chosen[:4]), abs=1e-5)


async def test_only_the_chunks_that_are_named_are_looked_at_whatever_is_asked(filled: VectorStore) -> None:
    dense, sparse = await asked("blue whales")
    document = a_document("HR/a")
    named = [a_chunk(document, ordinal, TEXTS[ordinal]).id for ordinal in (2, 3)]
    queries: list[Query] = [
        dense,
        sparse,
        Fused((dense, sparse), ReciprocalRank(60), candidates=2),
        Diverse(dense, 0.5, candidates=2),
    ]
    for hits in (await filled.search(queries, ALL, limit=9, among=named)).rankings:
        assert {hit.chunk.id for hit in hits} == set(named)
    assert (await filled.search(queries, HR.narrowed("drive/Sales"), limit=9, among=named)).rankings == [[]] * 4
    assert (await filled.search(queries, ALL, limit=9, among=[])).rankings == [[]] * 4
    never = a_chunk(document, 99, "never").id
    assert (await filled.search(queries, ALL, limit=9, among=[never])).rankings == [[]] * 4


async def test_what_is_found_is_compared_in_both_ways_whichever_query_found_it(filled: VectorStore) -> None:
    dense, sparse = await asked("blue wheels")
    cosines, weights = scores(await ranking(filled, dense)), scores(await ranking(filled, sparse))
    queries: list[Query] = [dense, sparse, Fused((dense, sparse), ReciprocalRank(60), candidates=3)]
    found = await filled.search(queries, ALL, limit=8, compare=Embedding(dense, sparse))
    for hit in (hit for hits in found.rankings for hit in hits):
        told = found.comparisons[hit.chunk.id]
        expected = (cosines[hit.chunk.text], weights.get(hit.chunk.text, 0.0))
        assert (told.cosine, told.bm25) == pytest.approx(expected, rel=1e-5, abs=1e-6)
    assert {told.bm25 > 0 for told in found.comparisons.values()} == {True, False}
    narrow = await filled.search([sparse], HR, limit=4, compare=Embedding(dense, sparse))
    assert narrow.comparisons.keys() == {hit.chunk.id for hit in narrow.rankings[0]}
    assert not (await filled.search(queries, Scope.nothing(), limit=4, compare=Embedding(dense, sparse))).comparisons


async def test_different_queries_are_answered_by_one_batch_each_in_its_place(filled: VectorStore) -> None:
    dense, sparse = await asked("blue whales")
    fused = Fused((dense, sparse), ReciprocalRank(60), candidates=4)
    batch: list[Query] = [sparse, fused, dense, fused]
    found = await filled.search(batch, ALL, limit=3)
    assert found.generation == 1
    assert [*found.rankings] == [await ranking(filled, query, limit=3) for query in batch]


def test_queries_without_meaning_are_refused() -> None:
    vector = np.ones(4, dtype=np.float32)
    with pytest.raises(ValueError, match="at least 1"):
        ReciprocalRank(0)
    with pytest.raises(ValueError, match="above 0"):
        ReciprocalRank(60, (1.0, 0.0))
    with pytest.raises(ValueError, match="2 queries, and 1 weights"):
        Fused((vector, vector), ReciprocalRank(60, (1.0,)), candidates=5)
    with pytest.raises(ValueError, match="from 0 to 1"):
        Diverse(vector, 1.1, candidates=5)
