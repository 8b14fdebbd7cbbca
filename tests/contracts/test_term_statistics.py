"""How common terms are, as every VectorStore tells it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rag.embedding.sparse import Bm25, term_number
from rag.retrieval.idf import idf
from rag.store.base import VectorStore
from rag.types.scope import Scope
from rag.types.vectors import SparseVector
from tests.contracts.stores import FACTORIES, RECIPE, corpus, fill, put
from tests.documents import a_document, a_record

ALL = Scope.everything()
HR = Scope(frozenset({"drive/HR"}))
TEXTS = {
    "HR/a": ["blue whales sing in blue water", "blue whales sing in the ice", "whales"],
    "Sales/b": ["the blue bicycle has three wheels of steel", "wheels of a bicycle", "a song of whales and wheels"],
    "Sales/c": ["blue", "!"],
}
WORDS = ["blue", "whales", "wheels", "steel", "quokka"]


@pytest.fixture(params=FACTORIES, ids=lambda factory: factory.__name__)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[VectorStore]:
    async with request.param(tmp_path) as store:
        yield store


def numbers(*words: str) -> list[int]:
    return [term_number(Bm25().terms(word)[0]) for word in words]


def one_term(number: int) -> SparseVector:
    return SparseVector(np.array([number], dtype=np.uint32), np.array([1.0], dtype=np.float32))


async def test_terms_are_counted_in_the_whole_index_and_seen_in_the_scope_alone(store: VectorStore) -> None:
    await fill(store, **TEXTS)
    everywhere = await store.term_statistics(numbers(*WORDS), ALL)
    assert (everywhere.generation, everywhere.chunks) == (1, 7)
    assert [*everywhere.holders] == [4, 4, 3, 1, 0]
    assert [*everywhere.held_in_scope] == [True, True, True, True, False]
    in_hr = await store.term_statistics(numbers(*WORDS), HR)
    assert in_hr.holders == everywhere.holders
    assert [*in_hr.held_in_scope] == [True, True, False, False, False]
    in_sales = await store.term_statistics(numbers(*WORDS), ALL.narrowed("drive/Sales"))
    assert [*in_sales.held_in_scope] == [True, True, True, True, False]
    for nothing in (Scope.nothing(), HR.narrowed("drive/Sales")):
        assert not any((await store.term_statistics(numbers(*WORDS), nothing)).held_in_scope)


async def test_the_idf_of_a_term_is_the_one_that_bm25_scores_are_made_with(store: VectorStore) -> None:
    await fill(store, **{**TEXTS, "Sales/c": ["blue"]})  # the client's local mode counts chunks without terms, too
    terms = numbers("blue", "whales", "wheels", "steel")
    counted = await store.term_statistics(terms, ALL)
    for term, holders in zip(terms, counted.holders, strict=True):
        [hits] = (await store.search([one_term(term)], ALL, limit=9)).rankings
        assert len(hits) == holders
        for hit in hits:
            held = Bm25().document(hit.chunk.text)
            weight = held.values[np.searchsorted(held.indices, term)]
            assert hit.score == pytest.approx(weight * idf(counted.chunks, holders), rel=1e-4)


async def test_what_a_drop_takes_away_or_moves_is_counted_no_more(store: VectorStore) -> None:
    await fill(store, **TEXTS)
    document = a_document("HR/a")
    async with store.write(RECIPE) as writer:
        await writer.remove(a_document("Sales/b").id)
        await writer.note(a_record(replace(document, labels=frozenset({"drive/Archive"})), chunks=3))
        await put(writer, "Sales/d", "quokka")
        await writer.commit([corpus(3)])
    counted = await store.term_statistics(numbers(*WORDS), ALL)
    assert (counted.generation, counted.chunks) == (2, 5)
    assert [*counted.holders] == [3, 3, 0, 0, 1]
    assert not any((await store.term_statistics(numbers("whales"), HR)).held_in_scope)
    archive = Scope(frozenset({"drive/Archive"}))
    assert all((await store.term_statistics(numbers("whales"), archive)).held_in_scope)


async def test_an_index_without_chunks_holds_no_term(store: VectorStore) -> None:
    await fill(store)
    counted = await store.term_statistics(numbers("blue"), ALL)
    assert (counted.chunks, [*counted.holders], [*counted.held_in_scope]) == (0, [0], [False])
    assert not (await store.term_statistics([], ALL)).holders
