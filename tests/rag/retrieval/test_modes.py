"""Retrieval modes: how they are spelt, built and asked for."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from rag.embedding.hybrid import HybridEmbedder
from rag.embedding.sparse import Bm25
from rag.errors import ConfigurationError
from rag.retrieval import BASES, STAGES
from rag.retrieval.base import Candidate, Reranker
from rag.retrieval.deps import RetrievalDeps
from rag.retrieval.modes import RetrievalMode, RetrievalModes, mode_of
from rag.settings.groups import RetrievalSettings
from rag.store.edge import EdgeStore
from rag.types.scope import Scope
from tests.documents import WordModel
from tests.fakes import ScriptedLLM
from tests.rag.answering.parts import a_filled_store, an_answerer, asked

ALL = Scope.everything()


class Longest:
    """A Reranker that likes long texts."""

    name = "longest"

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        del question
        return [float(len(text)) for text in texts]


@pytest.fixture
async def store(tmp_path: Path) -> AsyncGenerator[EdgeStore]:
    async with a_filled_store(
        tmp_path,
        sales__bicycle=["The bicycle has three wheels.", "The bicycle is blue and fast.", "bicycle wheels"],
        sales__whales=["Blue whales sing of wheels."],
        HR__secret=["The blue bicycle budget of wheels and salaries."],
    ) as store:
        yield store


def deps(store: EdgeStore, settings: RetrievalSettings | None = None) -> RetrievalDeps:
    return RetrievalDeps(HybridEmbedder(WordModel(), Bm25()), store, settings or RetrievalSettings())


async def found(
    store: EdgeStore, base: str, question: str, scope: Scope = ALL, settings: RetrievalSettings | None = None
) -> Sequence[Candidate]:
    return (await BASES[base](deps(store, settings)).retrieve(question, scope, limit=9)).ranked


def test_a_mode_is_a_base_and_stages_in_order() -> None:
    assert mode_of("hybrid") == RetrievalMode("hybrid")
    assert mode_of(" Dense + queries+CROSS") == RetrievalMode("dense", ("queries", "cross"))
    assert str(mode_of("dense+queries+cross")) == "dense+queries+cross"
    assert {str(mode_of(f"{base}+{stage}")) for base in BASES for stage in STAGES}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "'' is no retrieval mode: it begins with '', and what there is are dense, bm25, hybrid"),
        ("densee", "'densee'"),
        ("cross", "it begins with 'cross', and what there is are dense"),
        ("hybrid+densee", "as a stage it names 'densee', and what there is are ranker, queries, cross"),
        ("hybrid+", "as a stage it names ''"),
        ("hybrid++cross", "as a stage it names ''"),
        ("hybrid+cross+cross", "names the stage 'cross' twice"),
        ("hybrid,cross", "'hybrid,cross'"),
    ],
)
def test_what_is_unknown_in_a_mode_is_named_with_all_that_there_is(text: str, told: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        mode_of(text)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("mode", "told"),
    [
        ("hybrid+cross", "FOOTNOTE_RETRIEVAL__RERANKER, or leave `\\+cross` away"),
        ("dense+queries", "LLM_MODEL.*or leave `\\+queries` away"),
    ],
)
def test_a_stage_without_what_it_needs_says_so_when_it_is_built(store: EdgeStore, mode: str, told: str) -> None:
    with pytest.raises(ConfigurationError, match=told):
        RetrievalModes(deps(store)).retriever(mode)


async def test_what_a_mode_needs_of_the_index_is_looked_for_when_it_is_checked(store: EdgeStore) -> None:
    modes = RetrievalModes(deps(store))
    await modes.check("mmr")
    with pytest.raises(ConfigurationError, match="FOOTNOTE_CHUNKER=hierarchical"):
        await modes.check("hierarchical")


async def test_a_mode_is_built_once_and_a_model_is_loaded_once_for_all_of_them(store: EdgeStore) -> None:
    loaded: list[Reranker] = []

    def reranker() -> Reranker:
        loaded.append(Longest())
        return loaded[-1]

    modes = RetrievalModes(replace(deps(store), reranker=reranker))
    first, *others = await asyncio.gather(*(modes.ready("dense+cross") for _ in range(5)))
    assert all(one is first for one in others) and len(loaded) == 1
    assert modes.retriever() is modes.retriever(RetrievalSettings().mode)


async def test_stages_go_over_what_the_base_has_found(store: EdgeStore) -> None:
    settings = RetrievalSettings(mode="bm25+cross", rerank_pool=9)
    modes = RetrievalModes(replace(deps(store, settings), reranker=Longest))
    texts = [hit.chunk.text for hit in (await modes.retriever().retrieve("blue bicycle", ALL, limit=9)).chunks]
    assert texts == sorted(texts, key=len, reverse=True)
    assert {*texts} == {hit.chunk.text for hit in await found(store, "bm25", "blue bicycle")}


@pytest.mark.parametrize("base", sorted(BASES.keys() - {"hierarchical"}))
async def test_what_a_base_finds_is_compared_with_the_question_in_both_ways(store: EdgeStore, base: str) -> None:
    question = "blue bicycle wheels"
    query = await HybridEmbedder(WordModel(), Bm25()).embed_query(question)
    both = (await store.search([query.dense, query.sparse], ALL, limit=99)).rankings
    cosines, bm25 = ({hit.chunk.id: hit.score for hit in ranking} for ranking in both)
    candidates = await found(store, base, question)
    assert {one.chunk.id for one in candidates} == (bm25.keys() if base == "bm25" else cosines.keys())
    for one in candidates:
        expected = (cosines[one.chunk.id], bm25.get(one.chunk.id, 0.0))
        assert (one.cosine, one.bm25) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("weights", [(1.0, 1.0), (1.0, 9.0), (9.0, 1.0)])
async def test_hybrid_weighs_its_rankings_as_the_settings_say(store: EdgeStore, weights: tuple[float, float]) -> None:
    question, k = "the budget of bicycle wheels", 2
    expected: defaultdict[str, float] = defaultdict(float)
    for base, weight in zip(("dense", "bm25"), weights, strict=True):
        for rank, one in enumerate(await found(store, base, question), start=1):
            expected[one.chunk.text] += 1 / (k + rank / weight)
    candidates = await found(store, "hybrid", question, settings=RetrievalSettings(rrf_k=k, weights=weights))
    scores = [expected[one.chunk.text] for one in candidates]
    assert len(scores) == len(expected) and scores == sorted(scores, reverse=True)


async def test_mmr_takes_the_nearest_first_and_then_what_differs(store: EdgeStore) -> None:
    question = "bicycle wheels"
    nearest = [one.chunk.id for one in await found(store, "dense", question)]
    diverse = [one.chunk.id for one in await found(store, "mmr", question, settings=RetrievalSettings(mmr_lambda=0.1))]
    assert diverse[0] == nearest[0] and diverse != nearest and {*diverse} == {*nearest}
    in_order = await found(store, "mmr", question, settings=RetrievalSettings(mmr_lambda=1.0))
    assert [one.chunk.id for one in in_order] == nearest


@pytest.mark.parametrize("base", sorted(BASES.keys() - {"hierarchical"}))
async def test_no_base_finds_anything_outside_the_scope(store: EdgeStore, base: str) -> None:
    sales = Scope(frozenset({"drive/sales"}))
    candidates = await found(store, base, "blue bicycle budget of salaries", sales)
    assert candidates and all(sales.admits(one.chunk.document) for one in candidates)
    assert await found(store, base, "blue bicycle budget of salaries", Scope.nothing()) == []


def test_the_recipe_of_a_mode_changes_with_the_mode_and_with_each_setting(store: EdgeStore) -> None:
    modes = RetrievalModes(deps(store))
    recipes = {modes.recipe(), modes.recipe("dense"), modes.recipe("dense+cross")}
    for changed in ({"rrf_k": 1}, {"weights": (1.0, 2.0)}, {"candidates": 5}, {"reranker": "x"}, {"mmr_lambda": 0.1}):
        recipes.add(RetrievalModes(deps(store, RetrievalSettings().model_copy(update=changed))).recipe())
    assert len(recipes) == 8
    assert modes.recipe(RetrievalSettings().mode) == modes.recipe()


async def test_a_question_can_be_asked_in_another_mode_and_its_answer_is_kept_apart(store: EdgeStore) -> None:
    answerer = an_answerer(store, ScriptedLLM("Three. [S1]"))
    question = "How many wheels has the bicycle?"
    first = await asked(answerer, question)
    assert not first.cached and (await asked(answerer, question)).cached
    for mode in ("bm25", "mmr"):
        assert not (await asked(answerer, question, mode=mode)).cached
        assert (await asked(answerer, question, mode=mode)).cached
    assert (await asked(answerer, question, mode=RetrievalSettings().mode)).cached


@pytest.mark.parametrize(("mode", "told"), [("densee", "'densee'"), ("hybrid+cross", "RERANKER")])
async def test_a_mode_that_does_not_work_is_an_error_and_no_other_one(store: EdgeStore, mode: str, told: str) -> None:
    with pytest.raises(ConfigurationError, match=told):
        await asked(an_answerer(store), "How many wheels has the bicycle?", mode=mode)
